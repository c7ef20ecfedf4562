/** What the paths begin with at which the server explains itself (docs/explain.md). */
export const explainPath = '/binnacle/v1/explain/'
