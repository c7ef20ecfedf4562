/** Phase and conditions of a Pod, which follow from the states of its containers: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/ */
import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../apimachinery/api/generated/core-v1.js'
import { timestamp } from '../../util/time.js'
import { containersOf, endOf, isRunning, type PodContainer, restarts, statusIn } from './container-states.js'

export function phaseOf(pod: Pod, status: PodStatus): string {
  const containers = containersOf(pod)
  const states = containers.map(container => ({ container, status: statusIn(status, container) }))
  const mains = states.filter(({ container }) => container.sort === 'main')
  const inits = states.filter(({ container }) => container.sort === 'init')
  const failed = ({ container, status: state }: { container: PodContainer; status: ContainerStatus | undefined }) => {
    const end = state && endOf(state)
    return !!end && !isRunning(state) && end.exitCode !== 0 && !restarts(pod, container, end.exitCode)
  }
  if (inits.some(failed)) return 'Failed'
  if (mains.some(({ status: state }) => !state || (!isRunning(state) && !endOf(state)))) return 'Pending'
  if (mains.some(({ status: state }) => isRunning(state))) return 'Running'
  const ends = mains.map(({ container, status: state }) => ({ container, code: endOf(state!)!.exitCode }))
  if (!pod.metadata.deletionTimestamp && ends.some(({ container, code }) => restarts(pod, container, code))) return 'Running'
  if (states.some(({ container, status: state }) => container.sort === 'sidecar' && isRunning(state))) return 'Running'
  return ends.every(({ code }) => code === 0) ? 'Succeeded' : 'Failed'
}

/** The conditions that the kubelet writes. Those of others stay before them. */
const ownConditions: ReadonlySet<string> = new Set([
  'PodResizePending',
  'PodResizeInProgress',
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled'
])

type Given = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>

/** `resizing`: what there is to say of a change of resources. */
export function conditionsOf(pod: Pod, status: PodStatus, now: number, resizing: readonly PodCondition[]): PodCondition[] {
  const present = pod.status.conditions ?? []
  const containersReady = containersReadyOf(pod, status)
  const next: Given[] = [
    { type: 'PodReadyToStartContainers', status: hasSandbox(status) ? 'True' : 'False' },
    initializedOf(pod, status),
    readyOf(pod, containersReady),
    containersReady,
    { type: 'PodScheduled', status: 'True' }
  ]
  const others = present.filter(({ type }) => !ownConditions.has(type))
  return [...others, ...resizing, ...next.map(condition => dated(condition, present, pod.metadata.generation, now))]
}

function dated(condition: Given, present: readonly PodCondition[], generation: number | undefined, now: number): PodCondition {
  const old = present.find(({ type }) => type === condition.type)
  const since = old?.status === condition.status ? old.lastTransitionTime : timestamp(now)
  const given = Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== undefined)) as typeof condition
  return { ...given, lastProbeTime: null, lastTransitionTime: since ?? null, observedGeneration: generation }
}

/** Whether the Pod has its network: not before its first container, nor after its last. */
const hasSandbox = ({ phase, podIP }: PodStatus) => !!podIP && phase !== 'Succeeded' && phase !== 'Failed'

const list = (names: readonly string[]) => `[${names.join(' ')}]`

function initializedOf(pod: Pod, status: PodStatus): Given {
  const type = 'Initialized'
  if (status.phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' }
  const incomplete = containersOf(pod).filter(container => {
    if (container.sort === 'main') return false
    const state = statusIn(status, container)
    return container.sort === 'sidecar' ? !state?.started : !state?.ready
  })
  const hasBegun = (status.containerStatuses ?? []).some(state => isRunning(state) || endOf(state))
  if (incomplete.length === 0 || hasBegun) return { type, status: 'True' }
  const message = `containers with incomplete status: ${list(incomplete.map(({ spec }) => spec.name))}`
  return { type, status: 'False', reason: 'ContainersNotInitialized', message }
}

function containersReadyOf(pod: Pod, status: PodStatus): Given {
  const type = 'ContainersReady'
  if (status.phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' }
  if (status.phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' }
  const unready = containersOf(pod).filter(one => one.sort !== 'init' && !statusIn(status, one)?.ready)
  if (unready.length === 0) return { type, status: 'True' }
  const message = `containers with unready status: ${list(unready.map(({ spec }) => spec.name))}`
  return { type, status: 'False', reason: 'ContainersNotReady', message }
}

function readyOf({ spec, status }: Pod, containersReady: Given): Given {
  const type = 'Ready'
  if (containersReady.status !== 'True') return { ...containersReady, type }
  const missing = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status.conditions?.find(one => one.type === conditionType)
    if (!condition) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`]
    if (condition.status === 'True') return []
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`]
  })
  if (missing.length === 0) return { type, status: 'True' }
  return { type, status: 'False', reason: 'ReadinessGatesNotReady', message: missing.join(', ') }
}
