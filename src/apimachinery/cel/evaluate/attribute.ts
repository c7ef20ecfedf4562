/**
 * Chains of selections, `a.b[c].d`. A chain is one step of evaluation with a cost of its own: 1 for the chain and 1 for each
 * selection. As a branch of `?:` or as an index, it costs only its selections.
 */
import { CelError, isError, Optional, type Value } from '../values/value.js'
import type { Evaluate, Frame } from './frame.js'
import { lookup, qualify } from './qualify.js'

export interface Qualifier {
  readonly key: Evaluate
  readonly optional: boolean
  /** True for has(), which only tests for presence. */
  readonly test: boolean
}

export class Attribute {
  readonly #base: Evaluate
  readonly #qualifiers: readonly Qualifier[]
  /** The cost of the chain itself, when it stands alone. */
  readonly cost: number

  constructor(base: Evaluate, cost: number, qualifiers: readonly Qualifier[] = []) {
    this.#base = base
    this.cost = cost
    this.#qualifiers = qualifiers
  }

  with(qualifier: Qualifier): Attribute {
    return new Attribute(this.#base, qualifier.test ? 0 : this.cost, [...this.#qualifiers, qualifier])
  }

  /** Returns the chain as a separate step. */
  evaluate(): Evaluate {
    const resolve = this.resolve()
    const cost = this.cost
    if (cost === 0) return resolve
    return frame => {
      const value = resolve(frame)
      frame.charge(cost)
      return value
    }
  }

  resolve(): Evaluate {
    const base = this.#base
    const qualifiers = this.#qualifiers
    if (qualifiers.length === 0) return base
    // the common case: no optional selections
    if (qualifiers.every(q => !q.optional && !q.test)) {
      return frame => {
        let value = base(frame)
        if (value instanceof Optional) return applyAll(frame, value, qualifiers)
        for (const { key } of qualifiers) {
          value = qualify(value, key(frame))
          frame.charge(1)
          if (isError(value)) return value
        }
        return value
      }
    }
    return frame => applyAll(frame, base(frame), qualifiers)
  }
}

function applyAll(frame: Frame, base: Value, qualifiers: readonly Qualifier[]): Value {
  let value = base
  let optional = false
  if (value instanceof Optional) {
    if (value.value === undefined) return isTest(qualifiers) ? false : value
    value = value.value
    optional = true
  }
  for (const { key, optional: isOptional, test } of qualifiers) {
    if (isError(value)) return value
    optional ||= isOptional
    const k = key(frame)
    if (isError(k)) return k
    if (test) {
      const found = lookup(value, k)
      frame.charge(1)
      return found !== undefined && isError(found) ? found : found !== undefined
    }
    if (optional) {
      const found = lookup(value, k)
      if (found === undefined) return isTest(qualifiers) ? false : Optional.none
      frame.charge(1)
      value = found
    } else {
      value = qualify(value, k)
      frame.charge(1)
    }
  }
  return optional && !isError(value) ? Optional.of(value) : value
}

const isTest = (qualifiers: readonly Qualifier[]) => qualifiers.at(-1)?.test === true

export function variable(name: string): Attribute {
  const missing = new CelError(`no such attribute(s): ${name}`)
  return new Attribute(frame => {
    const value = frame.activation(name)
    return value === undefined ? missing : value
  }, 1)
}

export function local(slot: number): Attribute {
  return new Attribute(frame => frame.locals[slot]!, 1)
}

/** A local variable that is computed on first use. */
export function lazyLocal(slot: number, initial: Evaluate): Attribute {
  return new Attribute(frame => {
    const known = frame.locals[slot]
    return known === undefined ? (frame.locals[slot] = initial(frame)) : known
  }, 1)
}
