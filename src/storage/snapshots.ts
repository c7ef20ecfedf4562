/** Earlier states of a watch cache that the later pages of lists are read from. */
import type { Tree } from './event-window.js'

/** Snapshots that pages of a list refer to are kept so long; who turns pages more slowly has them read from the store again. */
const snapshotMs = 15_000
const maxSnapshots = 256

export interface Snapshot {
  readonly tree: Tree
  readonly at: number
  /** Objects from a page's first key on, by that key. */
  readonly remaining: Map<string, number>
}

export class Snapshots {
  readonly #byRevision = new Map<number, Snapshot>()

  get(revision: number): Snapshot | undefined {
    return this.#byRevision.get(revision)
  }

  keep(revision: number, tree: Tree, now: number): Snapshot {
    this.dropOld(now)
    const snapshot: Snapshot = { tree, at: now, remaining: new Map() }
    this.#byRevision.set(revision, snapshot)
    return snapshot
  }

  dropOld(now: number): void {
    for (const [revision, { at }] of this.#byRevision) {
      if (at >= now - snapshotMs && this.#byRevision.size < maxSnapshots) break
      this.#byRevision.delete(revision)
    }
  }
}
