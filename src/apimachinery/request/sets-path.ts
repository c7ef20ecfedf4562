/** The path of sets (docs/sets.md), for code that treats it differently from other paths outside the resources. */
export const setsPath = '/binnacle/v1/sets'
/** The path of their OpenAPI document. */
export const setsDocumentPath = '/binnacle/v1/openapi.json'
