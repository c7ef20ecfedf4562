/** Limits how many requests may be under way at once, as kube-apiserver does where priority and fairness are off. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import { isLongRunning } from '../../apimachinery/request/deadline.js'
import { PRIVILEGED_GROUP } from '../../apimachinery/request/privileged-group.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { tooMany } from './too-many.js'
import { type Crowd, isRead, type UnderWay } from './under-way.js'

export interface InFlightLimits {
  /** The limit for gets and lists; 0 for none. */
  readonly requests: number
  /** The limit for all other requests; 0 for none. */
  readonly mutatingRequests: number
}

/** `now` is in milliseconds. Requests without a limit are not counted. */
export function inFlightStage({ requests, mutatingRequests }: InFlightLimits, { executing }: UnderWay, now: () => number): Stage {
  const reading = requests === 0 ? undefined : new Places(requests, executing.reads, now)
  const writing = mutatingRequests === 0 ? undefined : new Places(mutatingRequests, executing.writes, now)
  return {
    name: 'flow control',
    why: 'refuses what is too much at once (429); requests that go on for long are not counted, and administrators never refused',
    handle(context, next) {
      const places = isLongRunning(context) ? undefined : isRead(context.info) ? reading : writing
      if (!places || places.take(context) || context.user.groups.includes(PRIVILEGED_GROUP)) return next(context)
      return tooMany(1)
    }
  }
}

class Places {
  readonly #limit: number
  readonly #taken: Crowd
  readonly #now: () => number
  readonly #giveBack = () => this.#taken.change(-1, this.#now())

  constructor(limit: number, taken: Crowd, now: () => number) {
    this.#limit = limit
    this.#taken = taken
    this.#now = now
    taken.share.setLimit(limit, now())
  }

  /** Takes a place; false when all are taken. The request gives its place back when its client has the answer. */
  take(context: RequestContext): boolean {
    if (this.#taken.count >= this.#limit) return false
    this.#taken.change(1, this.#now())
    context.onEnd(this.#giveBack)
    return true
  }
}
