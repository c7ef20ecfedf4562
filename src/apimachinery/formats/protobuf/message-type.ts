/** Builds the types of messages that the API's own schema lacks. */
import type { Field, Scalar, StructType, Type } from '../../schema/model.js'

export interface MessageField {
  readonly number: number
  readonly type: Type
  /** True for a Go pointer, or for bytes that can be nil: left out when absent. */
  readonly optional?: boolean
  /** The Go field name, unless it is the capitalised JSON name. */
  readonly go?: string
}

export function messageType(name: string, fields: Readonly<Record<string, MessageField>>): StructType {
  const list = Object.entries(fields).map(
    ([key, { number, type, optional = false, go }]): Field => ({
      name: key,
      type,
      presence: optional ? 'present' : 'always',
      pointer: optional,
      required: false,
      proto: [number],
      goName: go ?? key.charAt(0).toUpperCase() + key.slice(1)
    })
  )
  return { kind: 'struct', name, go: name, fields: list, byName: new Map(list.map(f => [f.name, f])), required: [], gvks: [] }
}

export const scalarType = (scalar: Scalar): Type => ({ kind: 'scalar', scalar, go: scalar })
export const listOf = (items: Type): Type => ({ kind: 'list', items, go: '' })
