/** Fields of objects, as expressions and indexes name them. */
import type { Expr } from '../../apimachinery/cel/ast.js'
import type { Type } from '../../apimachinery/schema/model.js'
import { getKey, isObject } from '../../util/json.js'

/** The names from the object downwards, such as ['spec', 'seats']. */
export type FieldPath = readonly string[]

/** Reads a value; undefined when a part of the path is missing. */
export function valueAt(object: unknown, path: FieldPath): unknown {
  let value = object
  for (const name of path) {
    if (!isObject(value)) return undefined
    value = getKey(value, name)
  }
  return value
}

/** Returns the path of `object.spec.seats` and `object.metadata.labels['app']`; undefined for any other expression. */
export function pathOf(expr: Expr): FieldPath | undefined {
  const names: string[] = []
  let at = expr
  for (;;) {
    if (at.kind === 'ident') return at.name === 'object' ? names.reverse() : undefined
    if (at.kind === 'select' && !at.test) {
      names.push(at.field)
      at = at.operand
    } else if (at.kind === 'call' && at.function === '_[_]') {
      const [operand, index] = at.args
      if (index?.kind !== 'literal' || typeof index.value !== 'string') return undefined
      names.push(index.value)
      at = operand!
    } else return undefined
  }
}

/** Returns the type of a field; undefined when the type has no such field, 'any' where the schema does not say what there is. */
export function fieldType(type: Type, name: string): Type | 'any' | undefined {
  switch (type.kind) {
    case 'struct':
      return type.byName.get(name)?.type ?? type.rest
    case 'map':
      return type.values
    case 'list':
      return undefined
    case 'scalar':
      return type.scalar === 'json' || type.scalar === 'raw' || type.scalar === 'fieldsV1' ? 'any' : undefined
  }
}
