/** Decides how long a request may take. A request that lasts as long as its client wants, such as a watch, has no deadline. */

import { readDuration } from '../../util/go-duration.js'
import { badRequest } from '../status/status.js'
import type { RequestContext } from './context.js'

/** Subresources that are connections, or may be. */
const longRunning: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

export const isLongRunning = ({ info }: RequestContext): boolean =>
  info.verb === 'watch' || info.verb === 'proxy' || longRunning.has(info.subresource)

/** Milliseconds that the request may take: `maximum`, or its `timeout` parameter when that is less. Throws 400. */
export function timeLimit(context: RequestContext, maximum: number): number {
  if (isLongRunning(context)) return Number.POSITIVE_INFINITY
  const timeout = context.query.size > 0 && context.query.get('timeout')
  if (!timeout) return maximum
  const wanted = readDuration(timeout)
  if (typeof wanted === 'string') throw badRequest(`invalid timeout specified in the request URL - ${wanted}`)
  return wanted > 0 && wanted < maximum ? wanted : maximum
}

/** The request was not answered in time. */
export class DeadlineExceededError extends Error {
  constructor() {
    super('the request has not been answered within its deadline')
  }
}
