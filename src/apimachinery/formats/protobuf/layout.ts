/** The layout of a type's fields in its Protobuf message. */

import { wireBytes, wireFixed64, wireVarint } from '../../../util/protobuf/reader.js'
import type { Field, StructType, Type } from '../../schema/model.js'

/**
 * A field of a message: a field of the type, or a nested message for a struct that Go embeds and whose fields JSON shows in the
 * type.
 */
export type Part =
  | { readonly number: number; readonly field: Field }
  | { readonly number: number; readonly inner: readonly Part[] }

/**
 * Returns the parts of a message by ascending number, the order on the wire. Kind and apiVersion have no number: they are in the
 * envelope.
 */
export const layoutOf = (type: StructType): Part[] => partsOf(type.fields, 0)

function partsOf(fields: readonly Field[], depth: number): Part[] {
  const byNumber = new Map<number, Field[]>()
  for (const field of fields) {
    const number = field.proto[depth]
    if (number === undefined) continue
    const others = byNumber.get(number)
    if (others) others.push(field)
    else byNumber.set(number, [field])
  }
  return [...byNumber]
    .sort(([a], [b]) => a - b)
    .map(([number, [first, ...rest]]) =>
      first!.proto.length === depth + 1 ? { number, field: first! } : { number, inner: partsOf([first!, ...rest], depth + 1) }
    )
}

/**
 * Finds a list that is a message of its own because it is a named Go type, such as meta.v1.Verbs. Like any list, it may be
 * missing.
 */
export function wrappedList(parts: readonly Part[]): Field | undefined {
  const [only] = parts
  return parts.length === 1 && only && 'field' in only && only.field.type.kind === 'list' ? only.field : undefined
}

/** The wire type of a single value. */
export function wireTypeOf(type: Type): number {
  if (type.kind !== 'scalar') return wireBytes
  switch (type.scalar) {
    case 'int32':
    case 'int64':
    case 'bool':
      return wireVarint
    case 'double':
      return wireFixed64
    default:
      return wireBytes
  }
}

export const tagOf = (number: number, wire: number): number => number * 8 + wire
