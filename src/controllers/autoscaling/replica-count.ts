/** How many Pods would bring a metric to its target: https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import { milliValue, parseQuantity } from '../../util/quantity.js'
import { isReady, podCondition } from '../workloads/pods.js'
import { type PodMetrics, windowMs } from './metrics.js'

/** By which parts a metric may be below and above its target. */
export interface Tolerances {
  readonly down: number
  readonly up: number
}

export interface Proposal {
  readonly replicas: number
  /** The present value, in thousandths; of a Pod on average, where the metric is one of Pods. */
  readonly usage: number
  /** The present usage in percent of what the Pods request. */
  readonly utilization?: number
}

/** In the first minutes of a Pod, what it uses to start does not count; its first seconds without readiness never do. */
const initializationMs = 300_000
const initialReadinessMs = 30_000

const isWithin = (ratio: number, { down, up }: Tolerances) => 1 - down <= ratio && ratio <= 1 + up

interface Groups {
  readonly ready: number
  readonly unready: readonly string[]
  readonly missing: readonly string[]
  readonly ignored: readonly string[]
}

function groupsOf(pods: readonly Pod[], metrics: PodMetrics, resource: string | undefined, now: number): Groups {
  const groups = { ready: 0, unready: [] as string[], missing: [] as string[], ignored: [] as string[] }
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata
    if (deletionTimestamp || pod.status.phase === 'Failed') groups.ignored.push(name!)
    else if (pod.status.phase === 'Pending') groups.unready.push(name!)
    else if (!metrics.has(name!)) groups.missing.push(name!)
    else if (resource === 'cpu' && isInitializing(pod, now)) groups.unready.push(name!)
    else groups.ready++
  }
  return groups
}

function isInitializing(pod: Pod, now: number): boolean {
  const ready = podCondition(pod, 'Ready')
  const started = Date.parse(pod.status.startTime ?? '')
  if (!ready || Number.isNaN(started)) return true
  const changed = Date.parse(ready.lastTransitionTime ?? '')
  if (started + initializationMs > now) return ready.status === 'False' || now < changed + windowMs
  return ready.status === 'False' && started + initialReadinessMs > changed
}

/** What the Pods request of a resource, in thousandths; of one container, where it is given. */
function requestsOf(pods: readonly Pod[], resource: string, container: string | undefined): Map<string, number> {
  return new Map(pods.map(pod => [pod.metadata.name!, requestOf(pod, resource, container)]))
}

function requestOf({ metadata, spec }: Pod, resource: string, container: string | undefined): number {
  const value = (text: string) => Number(milliValue(parseQuantity(text)))
  const ofPod = container === undefined ? spec.resources?.requests : undefined
  if (ofPod && Object.keys(ofPod).length > 0) {
    const request = ofPod[resource]
    if (request === undefined) throw new Error(`missing pod-level request for ${resource} in Pod ${metadata.name}`)
    return value(request)
  }
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const counted = [...(spec.containers ?? []), ...sidecars].filter(({ name }) => container === undefined || name === container)
  if (counted.length === 0) throw new Error(`container ${container} not found in Pod ${metadata.name}`)
  return counted.reduce((sum, { name, resources }) => {
    const request = resources?.requests?.[resource]
    if (request === undefined) throw new Error(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`)
    return sum + value(request)
  }, 0)
}

interface Usage {
  readonly ratio: number
  readonly usage: number
  readonly utilization?: number
}

export interface PodsOf {
  readonly pods: readonly Pod[]
  readonly current: number
  readonly tolerances: Tolerances
  readonly now: number
}

/** For a target in percent of what Pods request. */
export function byUtilization(
  given: PodsOf,
  metrics: PodMetrics,
  target: number,
  resource: string,
  container: string | undefined
): Proposal {
  checkPods(given.pods)
  // unknown requests matter only when there is something to compare with them
  let requests: Map<string, number> | undefined
  const usageOf = (values: PodMetrics): Usage => {
    requests ??= requestsOf(given.pods, resource, container)
    const known = [...values].filter(([name]) => requests!.has(name))
    const used = known.reduce((sum, [, value]) => sum + value, 0)
    const requested = known.reduce((sum, [name]) => sum + requests!.get(name)!, 0)
    if (requested === 0) throw new Error('no metrics returned matched known pods')
    const utilization = Math.trunc((used * 100) / requested)
    return { ratio: utilization / target, utilization, usage: Math.trunc(used / known.length) }
  }
  const assumed = (name: string) => Math.trunc((requests!.get(name)! * Math.max(100, target)) / 100)
  return propose(given, metrics, resource, usageOf, assumed)
}

/** For a target that each Pod should use on average. */
export function byAverage(given: PodsOf, metrics: PodMetrics, target: number, resource?: string): Proposal {
  checkPods(given.pods)
  const usageOf = (values: PodMetrics): Usage => {
    const usage = Math.trunc([...values.values()].reduce((sum, value) => sum + value, 0) / values.size)
    return { ratio: usage / target, usage }
  }
  return propose(given, metrics, resource, usageOf, () => target)
}

function checkPods(pods: readonly Pod[]): void {
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count')
}

function propose(
  { pods, current, tolerances, now }: PodsOf,
  given: PodMetrics,
  resource: string | undefined,
  usageOf: (metrics: PodMetrics) => Usage,
  assumed: (pod: string) => number
): Proposal {
  const metrics = new Map(given)
  const { ready, unready, missing, ignored } = groupsOf(pods, metrics, resource, now)
  for (const name of [...ignored, ...unready]) metrics.delete(name)
  if (metrics.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)')
  const { ratio, ...measured } = usageOf(metrics)
  const countsUnready = unready.length > 0 && ratio > 1
  if (!countsUnready && missing.length === 0)
    return { ...measured, replicas: isWithin(ratio, tolerances) ? current : Math.ceil(ratio * ready) }
  // Pods of which nothing is known are assumed to be in the way of a change
  for (const name of missing) if (ratio !== 1) metrics.set(name, ratio < 1 ? assumed(name) : 0)
  if (countsUnready) for (const name of unready) metrics.set(name, 0)
  const next = usageOf(metrics).ratio
  if (isWithin(next, tolerances) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return { ...measured, replicas: current }
  const replicas = Math.ceil(next * metrics.size)
  const isOpposite = (next < 1 && replicas > current) || (next > 1 && replicas < current)
  return { ...measured, replicas: isOpposite ? current : replicas }
}

const mostReplicas = 2 ** 31 - 1

/** For a target of one value, to which all Pods contribute. */
export function byValue({ pods, current, tolerances }: PodsOf, usage: number, target: number): Proposal {
  const ratio = usage / target
  if (current === 0) return { usage, replicas: Math.ceil(ratio) }
  if (isWithin(ratio, tolerances)) return { usage, replicas: current }
  if (pods.length === 0)
    throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count')
  const ready = pods.filter(pod => pod.status.phase === 'Running' && isReady(pod)).length
  return { usage, replicas: Math.min(mostReplicas, Math.ceil(ratio * ready)) }
}

/** For a target of one value divided by the number of Pods. */
export function byShare(present: number, tolerances: Tolerances, usage: number, target: number): Proposal {
  const ratio = usage / (target * present)
  const replicas = isWithin(ratio, tolerances) ? present : Math.min(mostReplicas, Math.ceil(usage / target))
  return { usage: present === 0 ? usage : Math.ceil(usage / present), replicas }
}
