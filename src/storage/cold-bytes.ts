/**
 * The bytes of objects that are not in memory. A store whose values can be read at once need not have them in its caches as well: the
 * caches of one store share a budget for the bytes that were asked for last, and read the others when they are asked for.
 */
import type { CachedObject, ReadFields } from './cached-object.js'
import type { StoredValues } from './contract.js'

/** Where a watch cache gets the bytes of its objects from. */
export interface ColdBytes {
  readonly resident: ResidentBytes
  /** Reads the bytes of an object; `transient` ones are valid until the next call. The object is the present state of its key, or was until the event that is being applied. */
  readonly read: (this: void, object: CachedObject, transient: boolean) => Buffer
  /** Makes the bytes of a stored value. */
  readonly made: (this: void, value: Buffer, revision: number, transient: boolean) => Buffer
  /** Returns the selectable fields of an object's bytes. */
  readonly fields: ReadFields
}

const defaultBudget = 64 * 1024 * 1024

/**
 * The objects whose bytes are in memory, and can be read again. The one that has been here longest goes first, unless it has been asked
 * for again.
 */
export class ResidentBytes {
  readonly #budget: number
  readonly #objects = new Set<CachedObject>()
  #bytes = 0

  constructor(budget = defaultBudget) {
    this.#budget = budget
  }

  get bytes(): number {
    return this.#bytes
  }

  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#budget
  }

  add(object: CachedObject): void {
    this.#objects.add(object)
    this.#bytes += object.length
    if (this.#bytes > this.#budget) this.#cool(object)
  }

  remove(object: CachedObject): void {
    if (this.#objects.delete(object)) this.#bytes -= object.length
  }

  /** The newest is spared: its reader has it in hand. */
  #cool(newest: CachedObject): void {
    for (const object of this.#objects) {
      if (this.#bytes <= this.#budget) return
      if (object === newest) continue
      this.#objects.delete(object)
      if (object.cool()) this.#bytes -= object.length
      else this.#objects.add(object)
    }
  }
}

const residents = new WeakMap<StoredValues, ResidentBytes>()

/** Returns the bytes in memory that all caches of a store share. */
export function residentOf(values: StoredValues): ResidentBytes {
  let resident = residents.get(values)
  if (!resident) residents.set(values, (resident = new ResidentBytes(values.cachedBytes)))
  return resident
}
