/** How long a request may take. What goes on for as long as its client wants, such as a watch, has no deadline. */

import { badRequest } from '../status/status.js'
import { readDuration } from '../util/go-duration.js'
import type { RequestContext } from './context.js'

/** Subresources that are connections, or may be. */
const longRunning: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

export const isLongRunning = ({ info }: RequestContext): boolean =>
  info.verb === 'watch' || info.verb === 'proxy' || longRunning.has(info.subresource)

/** Milliseconds that the request may take: `maximum`, or what its `timeout` parameter says when that is less. */
export function timeLimit(context: RequestContext, maximum: number): number {
  if (isLongRunning(context)) return Number.POSITIVE_INFINITY
  const timeout = context.query.size > 0 && context.query.get('timeout')
  if (!timeout) return maximum
  const wanted = readDuration(timeout)
  if (typeof wanted === 'string') throw badRequest(`invalid timeout specified in the request URL - ${wanted}`)
  return wanted > 0 && wanted < maximum ? wanted : maximum
}

/** The request was not answered in time. What it began may still be done. */
export class DeadlineExceededError extends Error {}

/** Resolves as `work` does, and rejects with DeadlineExceededError when that takes longer than `milliseconds`. */
export function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceededError()), milliseconds)
    work.then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })
}
