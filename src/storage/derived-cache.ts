/**
 * Forms that were derived from cached objects (Table rows, Protobuf) and can be made again: as many as fit into a budget,
 * the oldest dropped first. An object's forms go when it is replaced.
 */
import type { CachedObject } from './cached-object.js'

const defaultBudgetBytes = 8 * 1024 * 1024

export class DerivedCache<Form> {
  readonly #forms = new Map<CachedObject, { form: Form; bytes: number }>()
  readonly #budget: number
  #bytes = 0

  constructor(budgetBytes = defaultBudgetBytes) {
    this.#budget = budgetBytes
  }

  get(object: CachedObject): Form | undefined {
    return this.#forms.get(object)?.form
  }

  set(object: CachedObject, form: Form, bytes: number): void {
    this.forget(object)
    this.#forms.set(object, { form, bytes })
    this.#bytes += bytes
    for (const oldest of this.#forms.keys()) {
      if (this.#bytes <= this.#budget) break
      this.forget(oldest)
    }
  }

  /** The object is no longer shown to anyone. */
  forget(object: CachedObject): void {
    const known = this.#forms.get(object)
    if (!known) return
    this.#bytes -= known.bytes
    this.#forms.delete(object)
  }
}
