/** Failed Pods of DaemonSets are not replaced at once again and again: each time on a Node, it takes longer. */
import type { DaemonSet } from '../../../apimachinery/api/generated/apps-v1.js'

const firstMs = 1000
const lastMs = 900_000
/** A Node where nothing has failed for so long begins anew. */
const forgottenMs = 2 * lastMs
const mostEntries = 10_000

interface Failure {
  /** How long the next Pod has to wait. */
  wait: number
  at: number
}

export class FailedPods {
  readonly #failures = new Map<string, Failure>()

  /** Notes that a Pod has failed. Returns the milliseconds that it is to be left; 0 when it may be deleted now. */
  noteFailure({ metadata, status }: DaemonSet, node: string, now: number): number {
    const key = `${metadata.uid}/${status.observedGeneration ?? 0}/${node}`
    const known = this.#failures.get(key)
    if (known && now - known.at < known.wait) return known.wait
    const isForgotten = !known || now - known.at > forgottenMs
    this.#failures.delete(key)
    this.#failures.set(key, { wait: isForgotten ? firstMs : Math.min(lastMs, known.wait * 2), at: now })
    if (this.#failures.size > mostEntries) this.#failures.delete(this.#failures.keys().next().value!)
    return 0
  }
}
