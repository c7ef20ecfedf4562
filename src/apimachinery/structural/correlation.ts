/**
 * Correlates the parts of an object with its earlier state (https://kep.k8s.io/4008): fields correlate by name, and items of a
 * list of type map by their keys. Items of other lists do not correlate.
 */

import { exactJson } from '../../util/exact-json.js'
import { equalJson, isObject, type JsonObject } from '../../util/json.js'
import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import { isSchema } from './structural.js'

/** Finds the earlier state of a list item; undefined for items that do not correlate. */
export type OldItem = (item: unknown) => unknown

export function oldItems(source: JSONSchemaProps, old: unknown): OldItem | undefined {
  const keys = source['x-kubernetes-list-map-keys'] ?? []
  if (source['x-kubernetes-list-type'] !== 'map' || keys.length === 0 || !Array.isArray(old)) return undefined
  const byKeys = new Map<string, unknown>()
  for (const item of old) {
    const key = keyOf(item, keys)
    if (key !== undefined && !byKeys.has(key)) byKeys.set(key, item)
  }
  return item => {
    const key = keyOf(item, keys)
    return key === undefined ? undefined : byKeys.get(key)
  }
}

function keyOf(item: unknown, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined
  const values = keys.map(key => (Object.hasOwn(item, key) ? item[key] : undefined))
  return values.every(v => typeof v === 'string' || typeof v === 'number' || typeof v === 'bigint' || typeof v === 'boolean')
    ? exactJson(values)
    : undefined
}

/** Whether a value is unchanged. Fields without a schema count as changed; the order of a list of type map does not matter. */
export function unchanged(source: JSONSchemaProps, value: unknown, old: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false
    const { items } = source
    const oldItem = oldItems(source, old)
    if (!oldItem || !isSchema(items)) return equalJson(value, old)
    return value.every(item => {
      const oldValue = oldItem(item)
      return oldValue !== undefined && unchanged(items, item, oldValue)
    })
  }
  if (isObject(value) && isObject(old)) {
    const keys = Object.keys(value)
    return keys.length === Object.keys(old).length && keys.every(key => unchangedField(source, value, old, key))
  }
  return equalJson(value, old)
}

function unchangedField(source: JSONSchemaProps, value: JsonObject, old: JsonObject, key: string): boolean {
  if (!Object.hasOwn(old, key)) return false
  const { properties, additionalProperties } = source
  const schema = properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties
  return isSchema(schema) && unchanged(schema, value[key], old[key])
}
