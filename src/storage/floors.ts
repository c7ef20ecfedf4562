import { CompactedError } from './contract.js'

/** From which revision on the keys below some prefixes can be read, where a store has forgotten more of them than of others. */
export class Floors {
  readonly #byPrefix: Map<string, number>

  constructor(floors: Iterable<readonly [prefix: string, floor: number]> = []) {
    this.#byPrefix = new Map(floors)
  }

  raise(prefix: string, floor: number): void {
    this.#byPrefix.set(prefix, Math.max(floor, this.#byPrefix.get(prefix) ?? 0))
  }

  /** The revision from which on a key, or all keys that start with `path`, can be read. */
  of(path: string): number {
    let floor = 0
    for (const [prefix, own] of this.#byPrefix)
      if (own > floor && (path.startsWith(prefix) || prefix.startsWith(path))) floor = own
    return floor
  }

  assertReadable(path: string, revision: number): void {
    const floor = this.of(path)
    if (revision < floor) throw new CompactedError(floor)
  }

  /** The event of the floor itself cannot be shown: it has the value that is gone as its former one. */
  assertWatchable(path: string, from: number): void {
    const floor = this.of(path)
    if (from <= floor) throw new CompactedError(floor)
  }

  copy(): Floors {
    return new Floors(this.#byPrefix)
  }
}
