import type { FlowSchema } from '../apimachinery/api/generated/flowcontrol-v1.js'
import type { RequestContext } from '../apimachinery/request/context.js'
import { parseRequestInfo } from '../apimachinery/request/request-info.js'
import type { UserInfo } from '../apimachinery/request/user.js'
import { Configuration } from '../apiserver/flowcontrol/configuration.js'
import { FlowRequest, type WorkEstimate } from '../apiserver/flowcontrol/flow-request.js'
import type { Pace } from '../apiserver/flowcontrol/pace.js'
import type { LevelObject } from '../apiserver/flowcontrol/priority-level.js'
import { FakeClock } from './fake-clock.js'

/** A pace at which everything begins as soon as there are seats. */
export const atOnce: Pace = {
  isFree: () => true,
  wake(set) {
    while (set.dispatchOne());
  },
  began() {},
  ended() {}
}

interface LevelOptions {
  readonly shares?: number
  readonly lendable?: number
  readonly borrowing?: number
  /**
   * The number of queues, the cards of a hand, and the requests that a queue holds. Without it, the level refuses what it has no
   * seats for.
   */
  readonly queuing?: readonly [queues: number, handSize: number, queueLengthLimit: number]
}

export function level(name: string, { shares = 30, lendable = 0, borrowing, queuing }: LevelOptions = {}): LevelObject {
  const [queues, handSize, queueLengthLimit] = queuing ?? []
  const limitResponse = queuing
    ? { type: 'Queue', queuing: { queues: queues!, handSize: handSize!, queueLengthLimit: queueLengthLimit! } }
    : { type: 'Reject' }
  const limited = { nominalConcurrencyShares: shares, lendablePercent: lendable, borrowingLimitPercent: borrowing, limitResponse }
  return { name, uid: `uid-${name}`, spec: { type: 'Limited', limited } }
}

/** A FlowSchema for everything that its users do. */
export function schema(name: string, levelName: string, users: readonly string[], precedence = 1000): FlowSchema {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name, uid: `uid-${name}` },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: users.map(user => ({ kind: 'User', user: { name: user } })),
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }]
        }
      ]
    },
    status: {}
  }
}

export const infoOf = (url: string, method = 'GET') => {
  const { pathname, searchParams } = new URL(url, 'https://server')
  return parseRequestInfo(method, pathname, searchParams)
}

export const userOf = (name: string, ...groups: string[]): UserInfo => ({ name, groups: [...groups, 'system:authenticated'] })

/** Levels and schemas with a clock that stands still. `log` says what happens to requests. */
export class FlowBench {
  readonly clock = new FakeClock()
  readonly configuration: Configuration
  readonly log: string[] = []

  constructor(serverSeats: number, pace: Pace = atOnce) {
    const { clock } = this
    this.configuration = new Configuration({ clock, now: () => clock.now(), pace, serverSeats })
  }

  level(name: string) {
    return this.configuration.levels.get(name)!
  }

  /** Sends a request: `name` begins, waits or is refused. */
  send(name: string, user: string, estimate: Partial<WorkEstimate> = {}): FlowRequest {
    const [info, sender] = [infoOf('/api/v1/pods'), userOf(user)]
    const found = this.configuration.schemas.find(sender, info)
    const context = { user: sender, info } as RequestContext
    const work = { initialSeats: 1, finalSeats: 0, additionalMs: 0, ...estimate }
    const request = new FlowRequest(found.flowOf(sender, info), context, work, this.clock.now())
    const started = found.level.queues.start(request)
    this.log.push(`${name} ${started}`)
    request.decided = begins => this.log.push(`${name} ${begins ? 'begins' : 'is refused'}`)
    return request
  }

  finish(request: FlowRequest): void {
    request.flow.schema.level.queues.finish(request)
    this.configuration.releaseLevel(request.flow.schema.level)
  }

  /** What has been noted since the last call. */
  taken(): string[] {
    return this.log.splice(0)
  }
}
