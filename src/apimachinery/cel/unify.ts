/** Checks whether a type is assignable to another, and binds type parameters in the process. */
import { dynType, listType, mapType, opaqueType, sameType, type Type, typeType } from './types.js'

const isDyn = (type: Type) => type.kind === 'dyn'
export const isDynOrError = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'error'
const nullable = new Set(['opaque', 'object', 'duration', 'timestamp', 'null'])

/** The types to which type parameters are bound. */
export class Bindings {
  readonly #map = new Map<string, Type>()
  /** The changes of the current attempt, with the previous bindings. */
  #changes: { readonly name: string; readonly before: Type | undefined }[] = []

  /** Whether the `actual` types are assignable to the `expected` ones. Keeps new bindings only if they are. */
  assignAll(actual: readonly Type[], expected: readonly Type[]): boolean {
    this.#changes = []
    if (this.#assignableAll(actual, expected)) return true
    for (const { name, before } of this.#changes.reverse()) {
      if (before) this.#map.set(name, before)
      else this.#map.delete(name)
    }
    return false
  }

  assign(actual: Type, expected: Type): boolean {
    return this.assignAll([actual], [expected])
  }

  bind(param: Type, type: Type): void {
    this.#changes.push({ name: param.name, before: this.#map.get(param.name) })
    this.#map.set(param.name, type)
  }

  #find(type: Type): Type | undefined {
    return type.kind === 'param' ? this.#map.get(type.name) : undefined
  }

  /** Replaces the parameters of a type by their bindings; unbound ones become dyn if `freeToDyn`. */
  substitute(type: Type, freeToDyn: boolean): Type {
    const bound = this.#find(type)
    if (bound) return this.substitute(bound, freeToDyn)
    const each = () => type.params.map(p => this.substitute(p, freeToDyn))
    switch (type.kind) {
      case 'param':
        return freeToDyn ? dynType : type
      case 'opaque':
        return type.params.length === 0 ? type : opaqueType(type.name, ...each())
      case 'list':
        return listType(this.substitute(type.params[0]!, freeToDyn))
      case 'map': {
        const [key, value] = each()
        return mapType(key!, value!)
      }
      case 'type':
        return type.params.length === 0 ? type : typeType(each()[0])
      default:
        return type
    }
  }

  #assignableAll(a: readonly Type[], b: readonly Type[]): boolean {
    return a.length === b.length && a.every((type, i) => this.#assignable(type, b[i]!))
  }

  #assignable(a: Type, b: Type): boolean {
    if (b.kind === 'param') {
      const outcome = this.#bindable(a, b)
      if (outcome !== 'unbound') return outcome === 'fits'
    }
    if (a.kind === 'param') return this.#bindable(b, a) === 'fits'
    if (isDynOrError(a) || isDynOrError(b)) return true
    if (a.kind === 'null') return nullable.has(b.kind)
    if (b.kind === 'null') return nullable.has(a.kind)
    if (a.kind !== b.kind) return false
    switch (a.kind) {
      case 'type':
        return true
      case 'opaque':
      case 'list':
      case 'map':
        return a.name === b.name && this.#assignableAll(a.params, b.params)
      default:
        return a.name === b.name
    }
  }

  /** Whether the parameter can be bound to the type; "unbound" if it cannot, but has no other binding either. */
  #bindable(type: Type, param: Type): 'fits' | 'conflicts' | 'unbound' {
    if (sameType(type, param)) return 'fits'
    const bound = this.#find(param)
    if (bound) {
      if (sameType(type, bound)) return 'fits'
      if (!this.#assignable(type, bound)) return 'conflicts'
      const general = mostGeneral(type, bound)
      if (!this.#occursIn(param, general)) this.bind(param, general)
      return 'fits'
    }
    if (this.#occursIn(param, type)) return 'unbound'
    this.bind(param, type)
    return 'fits'
  }

  #occursIn(param: Type, type: Type): boolean {
    if (sameType(param, type)) return true
    if (type.kind !== 'param') return type.params.some(p => this.#occursIn(param, p))
    const bound = this.#find(type)
    return bound !== undefined && this.#occursIn(param, bound)
  }
}

export function mostGeneral(a: Type, b: Type): Type {
  return isEqualOrLessSpecific(a, b) ? a : b
}

function isEqualOrLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true
  if (isDyn(b) || b.kind === 'param') return false
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'type':
      return true
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((p, i) => isEqualOrLessSpecific(p, b.params[i]!))
      )
    default:
      return sameType(a, b)
  }
}
