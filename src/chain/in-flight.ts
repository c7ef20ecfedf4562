/** How many requests may be under way at once, as kube-apiserver limits them where priority and fairness are off. */

import { respondText } from '../endpoints/respond.js'
import type { RequestContext } from '../request/context.js'
import { isLongRunning } from '../request/deadline.js'
import type { Response } from '../request/message.js'
import { PRIVILEGED_GROUP } from '../request/privileged-group.js'
import type { Stage } from '../request/stage.js'

export interface InFlightLimits {
  /** Of gets and lists; 0 for no limit. */
  readonly requests: number
  /** Of all others; 0 for no limit. */
  readonly mutatingRequests: number
}

const readOnly: ReadonlySet<string> = new Set(['get', 'list', 'watch'])
const retryAfterSeconds = '1'

export function inFlightStage({ requests, mutatingRequests }: InFlightLimits): Stage {
  const reading = new Counter(requests)
  const writing = new Counter(mutatingRequests)
  return {
    name: 'flow control',
    why: 'refuses what is too much at once (429); requests that go on for long, and administrators, are not counted',
    handle(context, next) {
      if (isLongRunning(context) || context.user.groups.includes(PRIVILEGED_GROUP)) return next(context)
      const counter = readOnly.has(context.info.verb) ? reading : writing
      return counter.take(context) ? next(context) : tooMany()
    }
  }
}

class Counter {
  readonly #limit: number
  #taken = 0
  readonly #giveBack = () => void this.#taken--

  constructor(limit: number) {
    this.#limit = limit === 0 ? Number.POSITIVE_INFINITY : limit
  }

  /** False when all places are taken. The request gives its place back when its client has the answer. */
  take(context: RequestContext): boolean {
    if (this.#taken >= this.#limit) return false
    this.#taken++
    context.onEnd(this.#giveBack)
    return true
  }
}

function tooMany(): Response {
  const response = respondText('Too many requests, please try again later.\n', 429)
  response.headers['retry-after'] = retryAfterSeconds
  return response
}
