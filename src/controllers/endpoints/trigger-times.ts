/**
 * The annotation by which programs measure how long a change takes until it is in the network: the time of the first change that an
 * object of endpoints shows.
 */
import type { Pod, Service } from '../../apimachinery/api/generated/core-v1.js'
import { keyOf } from '../workloads/owners.js'
import { podCondition } from '../workloads/pods.js'

export const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time'

/** Times are texts of RFC 3339 without fractions, so that they compare as texts. */
interface Seen {
  readonly service: string
  readonly pods: ReadonlyMap<string, string>
}

export class TriggerTimes {
  readonly #seen = new Map<string, Seen>()

  /** The time of the first change since the last call; undefined when there was none. */
  take(service: Service, pods: readonly Pod[]): string | undefined {
    const key = keyOf(service)
    const before = this.#seen.get(key)
    const created = service.metadata.creationTimestamp ?? ''
    const times = new Map<string, string>()
    let first: string | undefined
    const changed = (time: string, old = '') => {
      if (time > old && (first === undefined || time < first)) first = time
    }
    for (const pod of pods) {
      const time = podCondition(pod, 'Ready')?.lastTransitionTime
      if (!time) continue
      times.set(pod.metadata.name!, time)
      changed(time, before?.pods.get(pod.metadata.name!))
    }
    changed(created, before?.service)
    this.#seen.set(key, { service: created, pods: times })
    return before ? first : created
  }

  forget(key: string): void {
    this.#seen.delete(key)
  }
}
