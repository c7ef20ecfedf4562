/** What `kubectl logs` shows of a simulated container: the lines that its behavior declares, at the time of its start. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { behaviorsOf } from '../behavior.js'
import { containersOf, ephemeralOf, statusIn } from '../container-states.js'

/** Why there is no log. The server answers with a 400. */
export class NoLog extends Error {}

export interface ContainerLog {
  readonly text: string
  /** Whether more could come. */
  readonly isOpen: boolean
}

/** Throws NoLog. `query` is that of the kubelet's `/containerLogs/`. */
export function logOf(pod: Pod, name: string, query: URLSearchParams, behaviorOf: ReturnType<typeof behaviorsOf>): ContainerLog {
  const container = [...containersOf(pod), ...ephemeralOf(pod)].find(({ spec }) => spec.name === name)
  const status = container && statusIn(pod.status, container)
  const { name: podName } = pod.metadata
  if (!container || !status) throw new NoLog(`container "${name}" in pod "${podName}" is not available`)
  const { state, lastState } = status
  const isPrevious = query.get('previous') === 'true'
  const run = isPrevious ? lastState.terminated : (state.running ?? state.terminated ?? lastState.terminated)
  if (!run && isPrevious) throw new NoLog(`previous terminated container "${name}" in pod "${podName}" not found`)
  if (!run) throw new NoLog(`container "${name}" in pod "${podName}" is waiting to start: ${state.waiting?.reason}`)
  const { logs } = behaviorOf(pod, container.spec, container.sort)
  const time = Date.parse(run.startedAt ?? '')
  return {
    text: selected(logs === '' ? [] : logs.replace(/\n$/, '').split('\n'), time, query),
    isOpen: !isPrevious && !!state.running
  }
}

function selected(lines: readonly string[], time: number, query: URLSearchParams): string {
  const since = query.get('sinceTime') ? Date.parse(query.get('sinceTime')!) : undefined
  const tail = query.get('tailLines')
  const chosen =
    since !== undefined && time < since
      ? []
      : tail === null
        ? lines
        : lines.slice(lines.length - Math.min(lines.length, Number(tail)))
  const stamp = query.get('timestamps') === 'true' ? `${new Date(time).toISOString().replace(/\.\d+Z$/, '.000000000Z')} ` : ''
  const text = chosen.map(line => `${stamp}${line}\n`).join('')
  const limit = query.get('limitBytes')
  return limit === null ? text : Buffer.from(text).subarray(0, Number(limit)).toString()
}
