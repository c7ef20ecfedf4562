/** Looks up the properties of a field that strategic merge needs, with the original's errors for unknown fields. */

import { goQuote } from '../../util/go-format.js'
import type { Field, StructType, Type } from '../schema/model.js'
import { failedPatch } from './patch-error.js'

/** A place in a type: the type of the object, list or element there. */
export interface Target {
  readonly type: Type
  readonly pointer: boolean
}

export interface FieldTarget extends Target {
  /** 'merge', 'replace' or '' for the default: objects merge, lists are replaced. */
  readonly strategy: string
  /** The key that identifies elements of a list of objects; '' if there is none. */
  readonly mergeKey: string
}

export function lookupObject(target: Target, key: string): FieldTarget {
  const { type } = target
  if (goKind(type) !== 'struct')
    throw failedPatch(`merging an object in json but data type is not struct, instead is: ${goKind(type)}`)
  const field = type.kind === 'struct' ? findField(type, key) : undefined
  if (!field)
    throw failedPatch(`unable to find api field in struct ${type.go.split('.').pop()} for the json field ${goQuote(key)}`)
  return {
    type: field.type,
    pointer: field.pointer,
    strategy: field.patchStrategy?.find(s => s !== 'retainKeys') ?? '',
    mergeKey: field.patchMergeKey ?? ''
  }
}

/** As lookupObject, but for a list: the result describes its elements. */
export function lookupList(target: Target, key: string): FieldTarget {
  const field = lookupObject(target, key)
  if (field.type.kind === 'list') {
    if (field.type.items.kind === 'list') throw failedPatch('unexpected slice of slice')
    return { ...field, type: field.type.items, pointer: false }
  }
  if (field.pointer || goKind(field.type) === 'slice') return { ...field, pointer: false }
  throw failedPatch(`expected slice or array type, but got: ${target.pointer ? 'ptr' : goKind(target.type)}`)
}

/** Finds a field by its exact name, or else ignoring case. */
function findField(type: StructType, key: string): Field | undefined {
  return type.byName.get(key) ?? type.fields.find(f => f.name.toLowerCase() === key.toLowerCase())
}

export function goKind(type: Type): string {
  switch (type.kind) {
    case 'list':
      return 'slice'
    case 'map':
    case 'struct':
      return type.kind
    case 'scalar':
      switch (type.scalar) {
        case 'bytes':
          return 'slice'
        case 'double':
          return 'float64'
        case 'string':
        case 'int32':
        case 'int64':
        case 'bool':
          return type.scalar
        default:
          return 'struct'
      }
  }
}
