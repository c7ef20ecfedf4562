/** The errors of the server's own paths: Statuses that name the field that is wrong. */
import { alreadyExists, notFound, StatusError } from '../../apimachinery/status/status.js'

/** A 422: a field of the body, of the query or of the path is wrong. */
export const wrongField = (field: string, why: string): StatusError => failure(422, 'Invalid', `${field}: ${why}`, field, why)

/** A 409: the server's state does not allow the request. */
export const wrongState = (why: string): StatusError => failure(409, 'Conflict', why)

/** A 403: there are already as many as there may be. */
export const tooMany = (what: string, limit: number): StatusError =>
  failure(403, 'Forbidden', `there are ${limit} ${what}, the most that a server keeps: delete some first`)

export const missing = (resource: string, name: string): StatusError => notFound({ group: '', resource }, name)

export const taken = (resource: string, name: string): StatusError => alreadyExists({ group: '', resource }, name)

function failure(code: number, reason: string, message: string, field?: string, why = message): StatusError {
  const details = field === undefined ? {} : { details: { causes: [{ reason: 'FieldValueInvalid', message: why, field }] } }
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...details, code })
}
