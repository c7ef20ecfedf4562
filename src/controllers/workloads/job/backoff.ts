/** How long a Job waits before it creates Pods in place of failed ones. */
import type { ContainerStatus, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { podCondition } from '../pods.js'

const firstMs = 10_000
const lastMs = 600_000

/** Failures since the last success, and the time of the last one. */
export interface Failures {
  readonly count: number
  /** In milliseconds since 1970. */
  readonly last: number
}

export const noFailures: Failures = { count: 0, last: 0 }

/** Milliseconds until the next Pod may be created. */
export function remaining({ count, last }: Failures, now: number): number {
  if (count === 0) return 0
  const wait = Math.min(lastMs, firstMs * 2 ** Math.min(16, count - 1))
  return Math.max(0, wait - (now - last))
}

/** The failures, with Pods that have ended since. */
export function failuresWith(before: Failures, succeeded: readonly Pod[], failed: readonly Pod[]): Failures {
  const last = (pods: readonly Pod[]) => Math.max(...pods.map(finishedAt))
  if (succeeded.length === 0) {
    if (failed.length === 0) return before
    return { count: before.count + failed.length, last: last(failed) }
  }
  const success = last(succeeded)
  const later = failed.filter(pod => finishedAt(pod) > success)
  return later.length === 0 ? noFailures : { count: later.length, last: last(later) }
}

/** When the last container ended; for a Pod that does not say so, when it was no longer ready, or was to be deleted. */
export function finishedAt({ metadata, spec, status }: Pod): number {
  const sidecars = new Set((spec.initContainers ?? []).filter(one => one.restartPolicy === 'Always').map(one => one.name))
  const containers = latestEnd(undefined, status.containerStatuses ?? [])
  const all = latestEnd(containers, status.initContainerStatuses?.filter(({ name }) => sidecars.has(name)) ?? [])
  if (all !== undefined) return all
  const ready = podCondition({ status } as Pod, 'Ready')
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime)
  if (metadata.deletionTimestamp)
    return Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000
  return Date.parse(metadata.creationTimestamp ?? '')
}

function latestEnd(before: number | undefined, statuses: readonly ContainerStatus[]): number | undefined {
  let latest = before
  for (const { state } of statuses) {
    const end = state.terminated?.finishedAt
    if (!end) return undefined
    latest = Math.max(latest ?? Number.NEGATIVE_INFINITY, Date.parse(end))
  }
  return latest
}
