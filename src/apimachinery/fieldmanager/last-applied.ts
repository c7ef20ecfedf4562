/**
 * The annotation in which client-side `kubectl apply` stores the applied configuration. When kubectl switches to server-side
 * apply, the fields in it cause no conflict, and the annotation is kept up to date so that kubectl can switch back.
 */

import { exactJson, parseExact } from '../../util/exact-json.js'
import { sortedEntries } from '../../util/go-format.js'
import { isObject } from '../../util/json.js'
import type { StructType } from '../schema/model.js'
import { compare } from './compare.js'
import { fieldSet } from './field-set.js'
import { differenceRoots, type FieldTree } from './fields-v1.js'
import { placeOf } from './place.js'

/** The only manager with this migration. */
export const kubectl = 'kubectl'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const maxAnnotationsBytes = 256 * 1024

/** Returns the fields in the annotation that still have the value given there; undefined for none. */
export function ownedByAnnotation(type: StructType, live: any, apiVersion: string): FieldTree | undefined {
  const applied = parsed(live.metadata.annotations?.[annotation])
  if (applied?.apiVersion !== apiVersion) return undefined
  const { fields, problems } = fieldSet(placeOf(type), applied)
  if (problems.length > 0) return undefined
  const { changed, removed } = compare(type, applied, live)
  const same = changed ? differenceRoots(fields, changed) : fields
  return same && removed ? differenceRoots(same, removed) : same
}

function parsed(text: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = typeof text === 'string' ? parseExact(text) : undefined
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Writes the applied configuration into the annotation, if the object has one. */
export function updateAnnotation(object: any, config: any): void {
  const annotations = object.metadata.annotations
  if (!annotations?.[annotation]) return
  annotations[annotation] = `${goJson(withoutAnnotation(config))}\n`
  let size = 0
  for (const key of Object.keys(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key])
  if (size > maxAnnotationsBytes) delete annotations[annotation]
}

/** Go writes the other annotations anew, and nothing where there are none at all. */
function withoutAnnotation(config: any): unknown {
  if (config.metadata?.annotations === undefined) return config
  const { annotations, ...metadata } = config.metadata
  if (annotations === null) return { ...config, metadata }
  const { [annotation]: _, ...others } = annotations
  return { ...config, metadata: { ...metadata, annotations: others } }
}

/** JSON as Go writes a map: with sorted keys, and escaped for HTML. */
function goJson(value: unknown): string {
  const sorted = (_: string, v: unknown) => (isObject(v) ? Object.fromEntries(sortedEntries(v)) : v)
  return exactJson(value, undefined, sorted)
}
