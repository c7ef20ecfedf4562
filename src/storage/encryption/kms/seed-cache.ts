import type { Transformer } from '../transformer.js'

/** How many seeds are kept, which is more than a cluster has: one is made at each start of a server and for each new key id. */
const maxSeeds = 10_000

/** The transformers of decrypted seeds, by the seed's id. Forgets the ones that were used longest ago. */
export class SeedCache {
  readonly #seeds = new Map<string, Pick<Transformer, 'decrypt'>>()
  readonly #changed: (size: number) => void

  constructor(changed: (size: number) => void) {
    this.#changed = changed
  }

  has(id: string): boolean {
    return this.#seeds.has(id)
  }

  get(id: string): Pick<Transformer, 'decrypt'> | undefined {
    const found = this.#seeds.get(id)
    if (!found) return undefined
    this.#seeds.delete(id)
    this.#seeds.set(id, found)
    return found
  }

  set(id: string, transformer: Pick<Transformer, 'decrypt'>): void {
    this.#seeds.delete(id)
    this.#seeds.set(id, transformer)
    if (this.#seeds.size > maxSeeds) this.#seeds.delete(this.#seeds.keys().next().value!)
    this.#changed(this.#seeds.size)
  }
}
