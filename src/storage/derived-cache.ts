/**
 * A cache of forms that are derived from cached objects (Table rows, Protobuf) and can be derived again. When the forms exceed
 * the budget, the oldest ones are dropped. An object's forms are dropped when the object is replaced.
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

  /**
   * Whether there is room for forms that are made for many objects at once: a list must not displace what others have asked for.
   */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#budget
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

  /** Called when no cache shows the object any more. */
  forget(object: CachedObject): void {
    const known = this.#forms.get(object)
    if (!known) return
    this.#bytes -= known.bytes
    this.#forms.delete(object)
  }
}
