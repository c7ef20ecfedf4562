/** What the paths begin with at which the server shows former versions of objects (docs/history.md). */
export const historyPath = '/binnacle/v1/history/'
