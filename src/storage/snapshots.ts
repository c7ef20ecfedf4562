/** Earlier states of a watch cache, from which the later pages of lists are read. */
import type { Tree } from './object-tree.js'

/** How long a snapshot that pages of a list refer to is kept. Slower clients have their pages read from the store. */
const snapshotMs = 15_000
const maxSnapshots = 256

export interface Snapshot {
  readonly tree: Tree
  readonly at: number
  /** Number of objects from the first key of a page on, by that key. */
  readonly remaining: Map<string, number>
  /** What queries at this revision have found, for the later pages of their lists. */
  readonly results: Map<string, unknown>
}

export class Snapshots {
  readonly #byRevision = new Map<number, Snapshot>()

  get(revision: number): Snapshot | undefined {
    return this.#byRevision.get(revision)
  }

  keep(revision: number, tree: Tree, now: number): Snapshot {
    this.dropOld(now)
    const snapshot: Snapshot = { tree, at: now, remaining: new Map(), results: new Map() }
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
