/** Validates x-kubernetes-list-type, -list-map-keys and -map-type. */
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { namedText, plainText } from '../../validation/go-value.js'
import { itemsText } from './internal-text.js'
import { itemsOf } from './parts.js'

const listTypes = ['atomic', 'set', 'map']
const mapTypes = ['atomic', 'granular']

export function validateListAndMapTypes(schema: JSONSchemaProps, path: Path, errors: FieldErrors): void {
  const listType = schema['x-kubernetes-list-type']
  const mapType = schema['x-kubernetes-map-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []

  if (mapType !== undefined) {
    requireType(schema, 'object', 'x-kubernetes-map-type', path, errors)
    if (!mapTypes.includes(mapType)) errors.notSupported(path.child('x-kubernetes-map-type'), plainText(mapType), mapTypes)
  }
  const place = path.child('x-kubernetes-list-type')
  if (listType !== undefined) {
    const isList = requireType(schema, 'array', 'x-kubernetes-list-type', path, errors)
    if (isList && listType === 'set') validateSetItems(schema, path, errors)
    if (!listTypes.includes(listType)) errors.notSupported(place, plainText(listType), listTypes)
  }
  if (keys.length > 0) {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    if (listType === undefined) errors.required(place, detail)
    else if (listType !== 'map') errors.invalid(place, listType, detail)
  }
  if (listType === 'map') validateMap(schema, keys, path, errors)
  if (listType === 'set' || listType === 'map') validateNullability(schema, listType, keys, path, errors)
}

function requireType({ type = '' }: JSONSchemaProps, wanted: string, by: string, path: Path, errors: FieldErrors): boolean {
  const detail = `must be ${wanted} if ${by} is specified`
  if (type === '') errors.required(path.child('type'), detail)
  else if (type !== wanted) errors.invalid(path.child('type'), type, detail)
  return type === wanted
}

/** Items of a set are compared as a whole, so no part of an item may have an owner of its own. */
function validateSetItems(schema: JSONSchemaProps, path: Path, errors: FieldErrors): void {
  const items = itemsOf(schema)
  if (!items) return
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items['x-kubernetes-list-type']
  const at = path.child('items')
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    errors.invalid(at.child('x-kubernetes-list-type'), namedText(listType), detail)
  // kube-apiserver also prints the list type here
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    errors.invalid(at.child('x-kubernetes-map-type'), namedText(listType), detail)
}

function validateMap(schema: JSONSchemaProps, keys: readonly string[], path: Path, errors: FieldErrors): void {
  const place = path.child('x-kubernetes-list-map-keys')
  const at = path.child('items')
  const items = itemsOf(schema)
  if (keys.length === 0) errors.required(place, 'must not be empty if x-kubernetes-list-type is map')
  if (!items) {
    if (schema.items === undefined) errors.required(at, 'must have a schema if x-kubernetes-list-type is map')
    else errors.invalid(at, itemsText(schema.items), 'must only have a single schema if x-kubernetes-list-type is map')
    return
  }
  if (items.type !== 'object') {
    errors.invalid(at.child('type'), items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map")
    return
  }
  const { properties = {} } = items
  const seen = new Set<string>()
  for (const key of keys) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!property) errors.invalid(place, keys, 'entries must all be names of item properties')
    else if (property.type === 'array' || property.type === 'object') {
      // errors name the type of the item
      errors.invalid(
        at.child('properties').key(key).child('type'),
        items.type,
        "must be a scalar type if parent array's x-kubernetes-list-type is map"
      )
    }
    if (seen.has(key)) errors.invalid(place, keys, 'must not contain duplicate entries')
    seen.add(key)
  }
}

/** Neither items nor keys may be nullable. */
function validateNullability(
  schema: JSONSchemaProps,
  listType: 'set' | 'map',
  keys: readonly string[],
  path: Path,
  errors: FieldErrors
): void {
  const items = itemsOf(schema)
  if (!items) return
  const at = path.child('items')
  if (items.nullable) errors.forbidden(at.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`)
  if (listType !== 'map') return
  const { properties = {} } = items
  const required = new Set(items.required)
  for (const key of keys) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!property) continue
    const place = at.child('properties').key(key)
    if (!required.has(key) && property.default === undefined) {
      errors.required(
        place.child('default'),
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
      )
    }
    if (property.nullable)
      errors.forbidden(place.child('nullable'), 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable')
  }
}
