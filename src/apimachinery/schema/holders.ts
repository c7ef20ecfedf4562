import type { Field, StructType, Type } from './model.js'

/** Returns a function that tells whether objects of a type have such a field, at any depth. It remembers the types. */
export function holders(isWanted: (field: Field) => boolean): (type: Type) => boolean {
  const known = new WeakMap<StructType, boolean>()
  return type => {
    const inner = innermost(type)
    if (inner.kind !== 'struct') return false
    if (!known.has(inner)) learn(inner, isWanted, known)
    return known.get(inner)!
  }
}

/** Returns the type of what lies in a list or map, or in lists of such. A deduced type lies in itself. */
export function innermost(type: Type): Type {
  let inner = type
  while (inner.kind === 'list' || (inner.kind === 'map' && !inner.deduced))
    inner = inner.kind === 'list' ? inner.items : inner.values
  return inner
}

/**
 * Learns it of a type and of all that it leads to, in one pass: types may lead to each other in circles, so none is known before all
 * have been seen. A JSON schema holds schemas.
 */
function learn(root: StructType, isWanted: (field: Field) => boolean, known: WeakMap<StructType, boolean>): void {
  /** For each type, the types that contain it. */
  const outer = new Map<StructType, StructType[]>([[root, []]])
  const holding: StructType[] = []
  // the loop also visits the types that it adds
  for (const type of outer.keys()) {
    for (const field of type.fields) {
      const inner = innermost(field.type)
      if (isWanted(field) || (inner.kind === 'struct' && known.get(inner))) holding.push(type)
      else if (inner.kind === 'struct' && !known.has(inner)) {
        const others = outer.get(inner)
        if (others) others.push(type)
        else outer.set(inner, [type])
      }
    }
  }
  for (const type of outer.keys()) known.set(type, false)
  for (const type of holding) {
    if (known.get(type)) continue
    known.set(type, true)
    for (const holder of outer.get(type)!) holding.push(holder)
  }
}
