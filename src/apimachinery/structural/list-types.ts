/** Enforces x-kubernetes-list-type: the items of a set and the keys of a map are unique. */
import { isObject, type JsonObject } from '../../util/json.js'
import type { FieldErrors } from '../validation/field.js'
import { Path } from '../validation/field.js'
import { goMapJson, sorted } from './go-map.js'
import type { StructuralSchema } from './structural.js'

type Check = (value: unknown, path: Path, errors: FieldErrors) => void

/** Returns undefined if the schema has no such list. */
export function listTypesCheck(schema: StructuralSchema): ((object: JsonObject, errors: FieldErrors) => void) | undefined {
  const fields = fieldChecks(schema)
  if (fields.size === 0) return undefined
  return (object, errors) => {
    for (const [name, check] of fields) if (Object.hasOwn(object, name)) check(object[name], Path.of(name), errors)
  }
}

function fieldChecks({ properties = new Map<string, StructuralSchema>() }: StructuralSchema): Map<string, Check> {
  const checks = new Map<string, Check>()
  for (const [name, schema] of properties) {
    const check = compile(schema)
    if (check) checks.set(name, check)
  }
  return checks
}

function compile(schema: StructuralSchema): Check | undefined {
  const fields = fieldChecks(schema)
  const values = typeof schema.additionalProperties === 'object' ? compile(schema.additionalProperties) : undefined
  const items = schema.items && compile(schema.items)
  const isUnique = schema.listType === 'set' || schema.listType === 'map'
  if (fields.size === 0 && !values && !items && !isUnique) return undefined

  return (value, path, errors) => {
    if (Array.isArray(value)) {
      if (schema.listType === 'set') checkSet(value, path, errors)
      else if (schema.listType === 'map') checkMap(value, schema.listMapKeys, path, errors)
      if (items) for (const [i, item] of value.entries()) items(item, path.index(i), errors)
    } else if (isObject(value)) {
      if (values) for (const key of Object.keys(value)) values(value[key], path.key(key), errors)
      for (const [name, check] of fields) if (Object.hasOwn(value, name)) check(value[name], path.child(name), errors)
    }
  }
}

/** Reports the second of two equal items. */
function checkSet(items: readonly unknown[], path: Path, errors: FieldErrors): void {
  const seen = new Map<string, number>()
  items.forEach((item, i) => {
    const text = goMapJson(item)
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    if (times === 2) errors.duplicate(path.index(i), sorted(item))
  })
}

function checkMap(items: readonly unknown[], keys: readonly string[], path: Path, errors: FieldErrors): void {
  const wrong = items.findIndex(item => item !== null && !isObject(item))
  if (wrong >= 0) {
    errors.invalid(path.index(wrong), sorted(items[wrong]), 'must be an object for an array of list-type map')
    return
  }
  checkSet(
    items.map(item =>
      Object.fromEntries(keys.flatMap(key => (isObject(item) && Object.hasOwn(item, key) ? [[key, item[key]]] : [])))
    ),
    path,
    errors
  )
}
