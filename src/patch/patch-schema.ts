/** What strategic merge needs to know of a field, and the original's complaints when there is no such field. */
import type { Field, StructType, Type } from '../schema/model.js'
import { goQuote } from '../util/go-format.js'
import { failedPatch } from './patch-error.js'

/** A place in a type: what the object, list or element there is decoded into. */
export interface Target {
  readonly type: Type
  readonly pointer: boolean
}

export interface FieldTarget extends Target {
  /** 'merge', 'replace' or '' for the default: objects merge, lists are replaced. */
  readonly strategy: string
  /** The key by which elements of a list of objects are the same; '' if there is none. */
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

/** Like lookupObject, but for a list: the result stands for its elements. */
export function lookupList(target: Target, key: string): FieldTarget {
  const field = lookupObject(target, key)
  if (field.type.kind === 'list') {
    if (field.type.items.kind === 'list') throw failedPatch('unexpected slice of slice')
    return { ...field, type: field.type.items, pointer: false }
  }
  if (field.pointer || goKind(field.type) === 'slice') return { ...field, pointer: false }
  throw failedPatch(`expected slice or array type, but got: ${target.pointer ? 'ptr' : goKind(target.type)}`)
}

/** Exact names first, then names that differ in case only. */
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
