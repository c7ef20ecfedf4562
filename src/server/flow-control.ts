/** Makes the flow control of a server from its options: priority and fairness, or limits for requests in flight. */
import type { PathHandler } from '../endpoints/dispatch.js'
import { dumpPaths } from '../flowcontrol/dumps.js'
import { FlowControl } from '../flowcontrol/flow-control.js'
import { inFlightStage } from '../flowcontrol/in-flight.js'
import { EventLoopPace } from '../flowcontrol/pace.js'
import { UnderWay } from '../flowcontrol/under-way.js'
import { FlowControlMetrics } from '../metrics/flowcontrol-metrics.js'
import type { ServerOptions } from '../options.js'
import type { Registry } from '../registry/registry.js'
import type { Stage } from '../request/stage.js'
import type { Clock } from '../util/clock.js'
import type { Part } from '../util/part.js'
import { UserError } from '../util/user-error.js'

export interface ServerFlowControl {
  readonly stage: Stage
  readonly parts: readonly Part[]
  readonly paths: readonly PathHandler[]
  readonly metrics: FlowControlMetrics
}

/** Throws a UserError for limits that let nothing through. */
export function flowControl(options: ServerOptions, registry: Registry, clock: Clock): ServerFlowControl {
  const now = () => performance.now()
  const requests = options.maxRequestsInflight ?? 400
  const mutatingRequests = options.maxMutatingRequestsInflight ?? 200
  const underWay = new UnderWay(now())
  if (options.enablePriorityAndFairness === false) {
    const stage = inFlightStage({ requests, mutatingRequests }, underWay, now)
    return { stage, parts: [], paths: [], metrics: new FlowControlMetrics(underWay, undefined, now) }
  }
  const serverSeats = requests + mutatingRequests
  if (serverSeats <= 0)
    throw new UserError(
      `invalid configuration: MaxRequestsInFlight=${requests} and MaxMutatingRequestsInFlight=${mutatingRequests}; they must add up to something positive`
    )
  const requestTimeout = options.requestTimeout ?? 60_000
  const control = new FlowControl({ registry, clock, now, pace: new EventLoopPace(), serverSeats, underWay, requestTimeout })
  const metrics = new FlowControlMetrics(underWay, control.configuration, now)
  return { stage: control.stage, parts: [control], paths: dumpPaths(control, now), metrics }
}
