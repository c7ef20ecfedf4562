/** The columns of `kubectl get pods`. */
import type { ContainerStatus, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { ColumnContext, RowCondition } from '../../../apimachinery/formats/column.js'
import { age } from '../../../apimachinery/formats/table.js'
import { builtinColumns } from '../../columns.js'

const none = '<none>'

interface Summary {
  ready: number
  total: number
  restarts: number
  lastRestart: string | undefined
  status: string
}

const statusesOf = (pod: Pod) => ({
  containers: pod.status.containerStatuses ?? [],
  init: pod.status.initContainerStatuses ?? []
})

function latest(a: string | undefined, b: string | null | undefined): string | undefined {
  return b && (!a || b > a) ? b : a
}

function summarize(pod: Pod): Summary {
  const { containers } = statusesOf(pod)
  const sidecars = new Set((pod.spec.initContainers ?? []).filter(c => c.restartPolicy === 'Always').map(c => c.name))
  const summary: Summary = {
    ready: 0,
    total: (pod.spec.containers?.length ?? 0) + sidecars.size,
    restarts: 0,
    lastRestart: undefined,
    status: pod.status.reason || pod.status.phase || ''
  }
  if (pod.status.conditions?.some(c => c.type === 'PodScheduled' && c.reason === 'SchedulingGated'))
    summary.status = 'SchedulingGated'
  let sidecarRestarts = 0
  let lastSidecarRestart: string | undefined
  const initializing = summarizeInit(pod, sidecars, summary, status => {
    sidecarRestarts += status.restartCount
    lastSidecarRestart = latest(lastSidecarRestart, status.lastState.terminated?.finishedAt)
  })
  if (!initializing || isInitialized(pod)) {
    summary.restarts = sidecarRestarts
    summary.lastRestart = lastSidecarRestart
    summarizeContainers(pod, containers, summary)
  }
  if (pod.metadata.deletionTimestamp) {
    if (pod.status.reason === 'NodeLost') summary.status = 'Unknown'
    else if (pod.status.phase !== 'Failed' && pod.status.phase !== 'Succeeded') summary.status = 'Terminating'
  }
  return summary
}

/** Whether an init container still runs or waits: the Pod's status is then that of its initialization. */
function summarizeInit(
  pod: Pod,
  sidecars: ReadonlySet<string>,
  summary: Summary,
  onSidecar: (status: ContainerStatus) => void
): boolean {
  const { init } = statusesOf(pod)
  for (const [i, status] of init.entries()) {
    summary.restarts += status.restartCount
    summary.lastRestart = latest(summary.lastRestart, status.lastState.terminated?.finishedAt)
    const sidecar = sidecars.has(status.name)
    if (sidecar) onSidecar(status)
    const { terminated, waiting } = status.state
    if (terminated && terminated.exitCode === 0) continue
    if (sidecar && status.started) {
      if (status.ready) summary.ready++
      continue
    }
    if (terminated) {
      summary.status = `Init:${terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`)}`
    } else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.status = `Init:${waiting.reason}`
    else summary.status = `Init:${i}/${pod.spec.initContainers?.length ?? 0}`
    return true
  }
  return false
}

const isInitialized = (pod: Pod) => pod.status.conditions?.some(c => c.type === 'Initialized' && c.status === 'True') ?? false

function summarizeContainers(pod: Pod, statuses: readonly ContainerStatus[], summary: Summary): void {
  let running = false
  for (const status of [...statuses].reverse()) {
    summary.restarts += status.restartCount
    summary.lastRestart = latest(summary.lastRestart, status.lastState.terminated?.finishedAt)
    const { waiting, terminated } = status.state
    if (waiting?.reason) summary.status = waiting.reason
    else if (terminated?.reason) summary.status = terminated.reason
    else if (terminated) summary.status = terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`
    else if (status.ready && status.state.running) {
      running = true
      summary.ready++
    }
  }
  // some container still runs
  if (summary.status === 'Completed' && running) {
    summary.status = pod.status.conditions?.some(c => c.type === 'Ready' && c.status === 'True') ? 'Running' : 'NotReady'
  }
}

function restarts(pod: Pod, context: ColumnContext): string {
  const { restarts, lastRestart } = summarize(pod)
  return restarts !== 0 && lastRestart ? `${restarts} (${context.since(lastRestart)} ago)` : String(restarts)
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? []
  if (gates.length === 0) return none
  const met = new Set(pod.status.conditions?.filter(c => c.status === 'True').map(c => c.type))
  const passed = gates.filter(gate => met.has(gate.conditionType))
  return `${passed.length}/${gates.length}`
}

/** Marks the rows of completed Pods, so that clients can hide them. */
export function podRowConditions({ status }: Pod): RowCondition[] {
  if (status.phase === 'Succeeded')
    return [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }]
  if (status.phase === 'Failed') return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]
  return []
}

export const podColumns = builtinColumns<Pod>('pods', {
  Name: o => o.metadata.name,
  Ready: o => {
    const { ready, total } = summarize(o)
    return `${ready}/${total}`
  },
  Status: o => summarize(o).status,
  Restarts: restarts,
  Age: age,
  IP: o => o.status.podIPs?.[0]?.ip || none,
  Node: o => o.spec.nodeName || none,
  'Nominated Node': o => o.status.nominatedNodeName || none,
  'Readiness Gates': readinessGates
})
