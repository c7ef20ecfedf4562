/**
 * API Priority and Fairness: every request falls under a FlowSchema and so into a priority level, where it takes seats, waits for them
 * or is refused (https://kubernetes.io/docs/concepts/cluster-administration/flow-control/).
 */
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { isLongRunning } from '../../apimachinery/request/deadline.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Handle, Stage } from '../../apimachinery/request/stage.js'
import type { Registry } from '../../registry/registry.js'
import type { Part } from '../../util/part.js'
import { Configuration, type ConfigurationParts } from './configuration.js'
import { FlowRequest } from './flow-request.js'
import { RetryAfter } from './retry-after.js'
import { tooMany } from './too-many.js'
import { isRead, type UnderWay } from './under-way.js'
import { WatchCount } from './watch-count.js'
import { WorkEstimator } from './work-estimate.js'

/** The longest time that a request waits, in milliseconds. */
const longestWait = 60_000

export interface FlowControlParts extends ConfigurationParts {
  readonly registry: Registry
  readonly underWay: UnderWay
  readonly features: FeatureGates
  /** Milliseconds that a request may take in all. It may wait for a quarter of them. */
  readonly requestTimeout: number
  /** Milliseconds since the request was received. */
  sinceReceived(context: RequestContext): number
}

export class FlowControl implements Part {
  readonly name = 'flow control'
  readonly configuration: Configuration
  readonly #parts: FlowControlParts
  readonly #watches = new WatchCount()
  readonly #estimator: WorkEstimator
  readonly #retryAfter = new RetryAfter()

  constructor(parts: FlowControlParts) {
    this.#parts = parts
    this.configuration = new Configuration(parts)
    this.#estimator = new WorkEstimator(parts.registry, this.#watches, parts.features)
  }

  start(): void {
    this.configuration.start(this.#parts.registry)
  }

  stop(): void {
    this.configuration.stop()
  }

  get stage(): Stage {
    return {
      name: 'flow control',
      why: 'lets requests wait for seats of their priority level, fairly among flows, and refuses what is too much (429)',
      handle: (context, next) => {
        if (context.info.verb !== 'watch' && isLongRunning(context)) return next(context)
        return this.#handle(context, next)
      }
    }
  }

  #handle(context: RequestContext, next: Handle): Response | Promise<Response> {
    const { user, info } = context
    const schema = this.configuration.schemas.find(user, info)
    const { level, stats } = schema
    context.classification = schema
    const estimate = this.#estimator.estimate(context, schema)
    const request = new FlowRequest(schema.flowOf(user, info), context, estimate, this.#parts.now())
    stats.estimatedSeats.observe(request.seats)
    const started = level.queues.start(request)
    if (started === 'waits') return this.#wait(request, next)
    if (!level.isExempt) (started === 'begins' ? stats.waited : stats.waitedInVain).observe(0)
    return started === 'begins' ? this.#execute(request, next) : this.#refuse(request)
  }

  #wait(request: FlowRequest, next: Handle): Promise<Response> {
    const { context, flow } = request
    const { level, stats } = flow.schema
    const { now, underWay, requestTimeout } = this.#parts
    const waiting = isRead(context.info) ? underWay.waiting.reads : underWay.waiting.writes
    waiting.change(1, now())
    const limit = Math.min(Math.min(context.timeLimit, requestTimeout) / 4, longestWait)
    level.queues.limitWait(request, limit - this.#parts.sinceReceived(context))
    const work = new Promise<Response>((resolve, reject) => {
      request.decided = begins => {
        const ended = now()
        waiting.change(-1, ended)
        const seconds = (ended - request.arrivedAt) / 1000
        ;(begins ? stats.waited : stats.waitedInVain).observe(seconds)
        context.record.addTime('apf-queue-wait', seconds * 1000)
        try {
          // its deadline may have passed while it waited
          resolve(begins ? this.#execute(request, unlessAborted(next)) : this.#refuse(request))
        } catch (error) {
          reject(error)
        }
      }
    })
    context.request.onClose(() => {
      if (level.queues.leave(request)) request.decided!(false)
    })
    return work
  }

  #execute(request: FlowRequest, next: Handle): Response | Promise<Response> {
    const { context, flow } = request
    const { info } = context
    const { underWay, now } = this.#parts
    const executing = isRead(info) ? underWay.executing.reads : underWay.executing.writes
    executing.change(1, request.startedAt)
    if (info.verb === 'watch') context.onEnd(this.#watches.add(info))
    context.onInitialized(() => {
      const { level, stats } = flow.schema
      level.queues.finish(request)
      const ended = now()
      executing.change(-1, ended)
      ;(info.verb === 'watch' ? stats.watchesInitialized : stats.executed).observe((ended - request.startedAt) / 1000)
      this.configuration.releaseLevel(level)
    })
    return next(context)
  }

  #refuse({ flow }: FlowRequest): Response {
    const { level } = flow.schema
    this.configuration.releaseLevel(level)
    this.#retryAfter.keepOnly(name => this.configuration.levels.has(name))
    return tooMany(this.#retryAfter.refused(level.name, this.#parts.clock.now()))
  }
}

const unlessAborted =
  (next: Handle): Handle =>
  context => {
    context.throwIfAborted()
    return next(context)
  }
