import { durationProblem } from '../util/go-duration.js'
import type { RequestContext } from './context.js'
import { badRequest } from './status.js'

const longRunning: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** The `timeout` parameter, which is looked at before anything else. What is answered here never waits for that long. */
export function checkTimeout({ info, query }: RequestContext): void {
  if (query.size === 0) return
  const timeout = query.get('timeout')
  if (!timeout || info.verb === 'watch' || longRunning.has(info.subresource)) return
  const problem = durationProblem(timeout)
  if (problem) throw badRequest(`invalid timeout specified in the request URL - ${problem}`)
}
