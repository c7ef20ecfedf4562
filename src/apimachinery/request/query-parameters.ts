/**
 * The parameters of queries (docs/queries.md). Kubernetes ignores parameters that it does not know, and may get new ones: these have a
 * prefix that it will not use.
 */
import { goQuote } from '../../util/go-format.js'
import { badRequest, StatusError } from '../status/status.js'

export const filterParameter = 'binnacle.filter'
export const orderParameter = 'binnacle.orderBy'

/** Makes the 400 for a parameter that cannot be used. */
export function wrongParameter(name: string, value: string, why: string): StatusError {
  const message = `Invalid value: ${goQuote(value)}: ${why}`
  const { status } = badRequest(`${name}: ${message}`)
  return new StatusError({ ...status, details: { causes: [{ reason: 'FieldValueInvalid', message, field: name }] } })
}
