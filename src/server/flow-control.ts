/** Makes the flow control of a server from its options: priority and fairness, or limits for requests in flight. */

import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { Stage } from '../apimachinery/request/stage.js'
import type { PathHandler } from '../apiserver/endpoints/dispatch.js'
import { dumpPaths } from '../apiserver/flowcontrol/dumps.js'
import { FlowControl } from '../apiserver/flowcontrol/flow-control.js'
import { FlowControlMetrics } from '../apiserver/flowcontrol/flowcontrol-metrics.js'
import { inFlightStage } from '../apiserver/flowcontrol/in-flight.js'
import { EventLoopPace } from '../apiserver/flowcontrol/pace.js'
import { UnderWay } from '../apiserver/flowcontrol/under-way.js'
import type { Registry } from '../registry/registry.js'
import { type Clock, systemClock } from '../util/clock.js'
import type { Part } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import type { ServerOptions } from './options.js'

export interface ServerFlowControl {
  readonly stage: Stage
  readonly parts: readonly Part[]
  readonly paths: readonly PathHandler[]
  readonly metrics: FlowControlMetrics
}

/**
 * The versions in which FlowSchemas and PriorityLevelConfigurations must be served. Of these settings of --runtime-config, the
 * first that is set decides.
 */
const versions = ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all']

/** Throws a UserError for an API that --runtime-config switches off although it is needed. */
function checkRuntimeConfig(config: Readonly<Record<string, boolean>>): void {
  const decisive = versions.find(name => Object.hasOwn(config, name))
  if (decisive !== undefined && config[decisive] === false)
    throw new UserError(`--runtime-config=${decisive}=false conflicts with --enable-priority-and-fairness=true`)
}

const group = 'flowcontrol.apiserver.k8s.io'

/** Whether the server serves by priority and fairness. */
export const prioritizes = ({ enablePriorityAndFairness, apiGroups }: ServerOptions): boolean =>
  enablePriorityAndFairness ?? apiGroups?.includes(group) ?? true

/** Throws a UserError for limits that let no request through, and for APIs that are needed but switched off. */
export function flowControl(options: ServerOptions, registry: Registry, features: FeatureGates, clock: Clock): ServerFlowControl {
  const now = () => performance.now()
  const requests = options.maxRequestsInflight ?? 400
  const mutatingRequests = options.maxMutatingRequestsInflight ?? 200
  const underWay = new UnderWay(now())
  if (!prioritizes(options)) {
    const stage = inFlightStage({ requests, mutatingRequests }, underWay, now)
    return { stage, parts: [], paths: [], metrics: new FlowControlMetrics(underWay, undefined, now) }
  }
  checkRuntimeConfig(options.runtimeConfig ?? {})
  if (options.apiGroups?.includes(group) === false)
    throw new UserError(`--api-groups without ${group} conflicts with --enable-priority-and-fairness=true`)
  const serverSeats = requests + mutatingRequests
  if (serverSeats <= 0)
    throw new UserError(
      `invalid configuration: MaxRequestsInFlight=${requests} and MaxMutatingRequestsInFlight=${mutatingRequests}; they must add up to something positive`
    )
  const requestTimeout = options.requestTimeout ?? 60_000
  const control = new FlowControl({
    registry,
    features,
    // real time, because work takes the machine's time whatever the server's own clock says
    clock: systemClock,
    now,
    pace: new EventLoopPace(),
    serverSeats,
    underWay,
    requestTimeout,
    sinceReceived: ({ record }) => clock.now() - record.receivedAt
  })
  const metrics = new FlowControlMetrics(underWay, control.configuration, now)
  return { stage: control.stage, parts: [control], paths: dumpPaths(control, now), metrics }
}
