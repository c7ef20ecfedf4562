import { compareText } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { UnknownFields } from '../schema/unknown-fields.js'
import type { StructuralSchema } from './structural.js'

/** Drops undeclared fields in place, and adds their paths to `unknown`. */
export type Pruner = (object: JsonObject, unknown?: UnknownFields) => void

type Prune = (value: unknown, path: string, unknown: UnknownFields | undefined) => void

/**
 * Fields of a resource that its schema need not declare. They are kept at the root and in embedded resources; the contents of
 * metadata are handled elsewhere.
 */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** Returns a pruner of whole custom resources. */
export function pruner(schema: StructuralSchema): Pruner {
  const prune = compile({ ...schema, embeddedResource: true })
  return (object, unknown) => {
    if (!unknown) return prune(object, '', undefined)
    const found = new UnknownFields()
    prune(object, '', found)
    unknown.addAll(found.paths.sort(compareText))
  }
}

/** Returns a pruner of values in a field with this schema. */
export function valuePruner(schema: StructuralSchema): (value: unknown) => void {
  const prune = compile(schema)
  return value => prune(value, '', undefined)
}

function compile(schema: StructuralSchema): Prune {
  const fields = schema.properties && new Map([...schema.properties].map(([name, s]) => [name, compile(s)]))
  // "additionalProperties: true" allows every key, but declares no fields of the values
  const { additionalProperties: additional } = schema
  const values = typeof additional === 'object' ? compile(additional) : additional === undefined ? undefined : pruneAll
  const preserve = schema.preserveUnknownFields
  const items = schema.items
    ? preserve
      ? compile({ ...schema.items, preserveUnknownFields: true })
      : compile(schema.items)
    : undefined
  const item = items ?? (preserve ? undefined : pruneAll)
  const isMeta = (key: string) => schema.embeddedResource && metaFields.has(key)

  return (value, path, unknown) => {
    if (Array.isArray(value)) {
      if (item) for (let i = 0; i < value.length; i++) item(value[i], unknown ? `${path}[${i}]` : '', unknown)
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (isMeta(key)) continue
        const prune = fields?.get(key) ?? values
        if (prune) prune(value[key], unknown ? childPath(path, key) : '', unknown)
        else if (!preserve) drop(value, key, path, unknown)
      }
    }
  }
}

/** Prunes a value without a schema: lists keep their items, but objects lose all their fields. */
function pruneAll(value: unknown, path: string, unknown: UnknownFields | undefined): void {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) pruneAll(item, `${path}[${i}]`, unknown)
  else if (isObject(value)) for (const key of Object.keys(value)) drop(value, key, path, unknown)
}

function drop(object: JsonObject, key: string, path: string, unknown: UnknownFields | undefined): void {
  delete object[key]
  unknown?.add(childPath(path, key))
}

const childPath = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)
