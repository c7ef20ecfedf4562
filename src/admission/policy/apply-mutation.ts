/** Mutations by apply configurations, which are merged into the object as in server-side apply, but without field managers. */
import type { Value } from '../../apimachinery/cel/values/value.js'
import { fieldSet, problemText } from '../../apimachinery/fieldmanager/field-set.js'
import { merge } from '../../apimachinery/fieldmanager/merge.js'
import { type Place, placeOf } from '../../apimachinery/fieldmanager/place.js'
import { ForeignValue } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { isScale, kindOf, type ServedResource, typeOf } from '../matching/served-resource.js'
import { MutationError } from './mutation-error.js'
import { configurationOf, typeMismatch, UnfitValue } from './patch-values.js'

/** Returns a merged copy of `object`, which is in the version of `target`. Throws a MutationError. */
export function applyMutation(target: ServedResource, subresource: string, object: JsonObject, value: Value): JsonObject {
  const mismatch = typeMismatch(value)
  if (mismatch !== undefined) throw new MutationError(mismatch)
  const config = configuration(value)
  config.kind = object.kind
  config.apiVersion = object.apiVersion
  if (!hasSchema(target, subresource, object))
    throw unfit('patch object', `no corresponding type for ${object.apiVersion}, Kind=${object.kind}`)
  const place = placeOf(typeOf(target, subresource))
  const { problems } = fieldSet(place, config)
  if (problems.length > 0) throw unfit('patch object', problemText(problems))
  const atomics = findAtomics(place, config, '')
  if (atomics.length > 0)
    throw new MutationError(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`
    )
  // other mutations may have left a document that does not fit; repeated entries are taken from those who have them
  const before = fieldSet(place, object).problems.filter(problem => !problem.includes(': duplicate entries for key '))
  if (before.length > 0) throw unfit('original object', problemText(before))
  return merge(place, object, config) as JsonObject
}

const unfit = (what: string, why: string) =>
  new MutationError(`error applying patch: failed to convert ${what} to typed object: ${why}`)

/** kube-apiserver looks for the schema in the OpenAPI document of the group and version. That of autoscaling/v1 has no Scale. */
function hasSchema(target: ServedResource, subresource: string, { apiVersion, kind }: JsonObject): boolean {
  const own = kindOf(target, subresource)
  return !isScale(target.resource, subresource) && kind === own.kind && apiVersion === target.resource.apiVersion(target.version)
}

function configuration(value: Value): JsonObject {
  try {
    const config = configurationOf(value)
    if (config instanceof ForeignValue) throw new UnfitValue('*dynamic.ObjectVal')
    return config as JsonObject
  } catch (error) {
    if (error instanceof UnfitValue) throw new MutationError(`invalid return type: ${error.message}`)
    throw error
  }
}

/** Finds atomic values, whose parts a configuration would remove if it does not repeat them. Looks into structs and lists. */
function findAtomics(place: Place, value: unknown, path: string, found: string[] = []): string[] {
  const { type, granularity } = place
  if (isObject(value) && (type.kind === 'struct' || type.kind === 'map')) {
    if (granularity === 'whole') found.push(path)
    if (type.kind === 'struct')
      for (const [key, child] of Object.entries(value)) {
        const at = type.byName.has(key) ? place.at(key) : undefined
        if (at) findAtomics(at, child, `${path}.${key}`, found)
      }
  }
  if (Array.isArray(value) && type.kind === 'list') {
    if (granularity === 'whole') found.push(path)
    for (const [i, item] of value.entries()) findAtomics(place.below, item, `${path}[${i}]`, found)
  }
  return found
}
