/** Orders of sorted lists: fields, each ascending or descending, and finally namespace and name. */

import { orderParameter, wrongParameter } from '../../apimachinery/request/query-parameters.js'
import type { StructType, Type } from '../../apimachinery/schema/model.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { compareText } from '../../util/go-format.js'
import { suggest } from '../../util/suggest.js'
import type { Resource } from '../resource.js'
import { type FieldPath, fieldType, valueAt } from './path.js'

/** The most fields of an order. */
const maxFields = 8

export type SortValue = string | number | bigint | boolean | null

export interface Sortable {
  readonly values: readonly SortValue[]
  readonly key: string
}

export class Order {
  readonly text: string
  readonly fields: readonly { readonly path: FieldPath; readonly down: boolean }[]

  constructor(text: string, fields: Order['fields']) {
    this.text = text
    this.fields = fields
  }

  /** Returns the values by which an object is sorted. Objects and lists count as missing. */
  valuesOf(object: any): SortValue[] {
    return this.fields.map(({ path }) => {
      const value = valueAt(object, path)
      return typeof value === 'object' || value === undefined ? null : (value as SortValue)
    })
  }

  /**
   * Returns what reads the values without parsing the object: from its name and its indexed fields, where the schema says what type they
   * have. It returns undefined for an object that it cannot tell. Undefined when a field has no index.
   */
  fromIndex(resource: Resource): ((object: CachedObject) => SortValue[] | undefined) | undefined {
    const readers = this.fields.map(({ path }) => indexReader(resource, path))
    if (readers.some(reader => !reader)) return undefined
    return object => {
      const values: SortValue[] = []
      for (const reader of readers) {
        const value = reader!(object)
        if (value === undefined) return undefined
        values.push(value)
      }
      return values
    }
  }

  readonly compare = (a: Sortable, b: Sortable): number => {
    for (let i = 0; i < this.fields.length; i++) {
      const [x, y] = [a.values[i]!, b.values[i]!]
      // an object without the field comes last, in both directions
      if (x === null || y === null) {
        if (x === y) continue
        return x === null ? 1 : -1
      }
      const order = compareValues(x, y)
      if (order !== 0) return this.fields[i]!.down ? -order : order
    }
    return compareText(a.key, b.key)
  }
}

/** Reads a value from what the cache knows about an object; undefined when that text may stand for several values. */
type IndexReader = (object: CachedObject) => SortValue | undefined

function indexReader(resource: Resource, path: FieldPath): IndexReader | undefined {
  const key = path.join('.')
  if (key === 'metadata.name') return ({ name }) => name
  if (key === 'metadata.namespace' && resource.namespaced) return ({ namespace }) => namespace
  if (!resource.kind.custom || !resource.indexedFields.includes(key)) return undefined
  const read = scalarReaders[scalarAt(resource.type(resource.memoryVersion.name), path) ?? '']
  // the text of a missing field is empty
  return read && (({ fields }) => (fields?.[key] ? read(fields[key]) : undefined))
}

const scalarReaders: Readonly<Record<string, (text: string) => SortValue | undefined>> = {
  string: text => text,
  bool: text => (text === 'true' ? true : text === 'false' ? false : undefined),
  double: text => {
    const number = Number(text)
    return Number.isFinite(number) && String(number) === text ? number : undefined
  }
}

function scalarAt(root: StructType, path: FieldPath): string | undefined {
  let type: Type = root
  for (const name of path) {
    const next = fieldType(type, name)
    if (!next || next === 'any') return undefined
    type = next
  }
  return type.kind === 'scalar' ? type.scalar : undefined
}

const ranks: Readonly<Record<string, number>> = { boolean: 0, number: 1, bigint: 1, string: 2 }

/** Compares values: false before true before numbers before strings, which are compared by their UTF-16 code units. */
function compareValues(x: NonNullable<SortValue>, y: NonNullable<SortValue>): number {
  const ranked = ranks[typeof x]! - ranks[typeof y]!
  if (ranked !== 0) return ranked
  return x < y ? -1 : x > y ? 1 : 0
}

const name = /^[A-Za-z0-9_$-]+$/

/** Reads `spec.seats desc, metadata.name`. Throws a StatusError 400. */
export function orderOf(resource: Resource, version: string, text: string): Order {
  const wrong = (why: string) => wrongParameter(orderParameter, text, why)
  const parts = text.split(',', maxFields + 1)
  if (parts.length > maxFields) throw wrong(`must have at most ${maxFields} fields`)
  const fields = parts.map((part, i) => {
    const [, field = '', direction = 'asc'] = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/.exec(part) ?? []
    const path = field.split('.')
    if (!path.every(each => name.test(each)))
      throw wrong(`field ${i + 1} must be like spec.seats or spec.seats desc, not ${JSON.stringify(part.trim())}`)
    const problem = problemOf(path, resource.type(version))
    if (problem !== undefined) throw wrong(`field ${i + 1}: ${problem}`)
    return { path, down: direction === 'desc' }
  })
  return new Order(text, fields)
}

function problemOf(path: FieldPath, root: StructType): string | undefined {
  let type: Type | 'any' | undefined = root
  for (const each of path) {
    const next: Type | 'any' | undefined = type === 'any' ? 'any' : fieldType(type, each)
    if (next === undefined) {
      const near = type !== 'any' && type.kind === 'struct' ? suggest(each, type.byName.keys()) : undefined
      return `undefined field '${each}'${near === undefined ? '' : `; did you mean '${near}'?`}`
    }
    type = next
  }
  return undefined
}
