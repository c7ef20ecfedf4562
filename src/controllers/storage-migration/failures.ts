import { StatusError } from '../../apimachinery/status/status.js'

/** A migration has failed, and is not tried again. */
export class Failed extends Error {}

/** Whether another write came first, or the object is gone. */
export const isConflict = (error: unknown): boolean =>
  error instanceof StatusError && (error.status.reason === 'Conflict' || error.status.reason === 'NotFound')

const retriable: ReadonlySet<string | undefined> = new Set([
  'ServerTimeout',
  'TooManyRequests',
  'ServiceUnavailable',
  'InternalError',
  'Timeout'
])

/** Whether trying again may help. An error that is none of the API's comes from this server. */
export const isRetriable = (error: unknown): boolean =>
  !(error instanceof StatusError) || error.code === 429 || retriable.has(error.status.reason)
