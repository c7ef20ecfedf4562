/** How a type's fields lie in its Protobuf message. */
import type { Field, StructType, Type } from '../../schema/model.js'
import { wireBytes, wireFixed64, wireVarint } from '../../util/protobuf/reader.js'

/** A field of a message: of the type itself, or a nested message for what Go embeds, whose fields JSON shows in the type. */
export type Part =
  | { readonly number: number; readonly field: Field }
  | { readonly number: number; readonly inner: readonly Part[] }

/** The parts of a message by ascending number, which is the order on the wire. Kind and apiVersion have no number: the envelope has them. */
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

/** A list that is a message of its own because Go gave it a name, like meta.v1.Verbs. As any list it can be missing. */
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
