/** The errors for objects whose stored values cannot be read, as kube-apiserver has them since 1.37. */
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { internalError, plainError, type StatusCause, StatusError, tooManyRequests } from '../apimachinery/status/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import { TransformError } from '../storage/encryption/transformer.js'
import type { UnreadableValue } from '../storage/object-reader.js'
import { compareText, goQuote } from '../util/go-format.js'
import type { Resource } from './resource.js'

/** How many values the error of a list names. */
const namedValues = 100

/** Returns what is wrong with a stored value; undefined when there is none, or it can be read. `found` is the object, if known. */
export function unreadableValue(
  resource: Resource,
  namespace: string,
  name: string,
  found: CachedObject | undefined = resource.get(namespace, name)
): UnreadableValue | undefined {
  if (found) return found.problem === undefined ? undefined : { error: new Error(found.problem), revision: found.revision }
  return resource.cache.unreadable(resource.key(namespace, name))
}

/**
 * Returns the error for a read or a deletion of an object that cannot be read, or undefined as `unreadableValue` does. Other
 * writes have a shorter one.
 */
export function unreadable(
  resource: Resource,
  namespace: string,
  name: string,
  features: FeatureGates,
  found?: CachedObject | undefined,
  isWrite = false
): StatusError | undefined {
  const value = unreadableValue(resource, namespace, name, found)
  if (!value) return undefined
  const { error } = value
  const isEncrypted = error instanceof TransformError
  if (!features.enabled('AllowUnsafeMalformedObjectDeletion'))
    return isEncrypted ? internalError(error.message) : plainError(error.message)
  if (isWrite) return isEncrypted ? internalError(textOf(value)) : plainError(textOf(value))
  const key = resource.prefix.slice(resource.store.root.length) + resource.key(namespace, name)
  return internalError(storageError('corrupt object', 7, key, textOf(value)))
}

/** A part of the store that a list reads. */
export interface ListedPart {
  /** The beginning of the cache's keys. */
  readonly prefix: string
  /** Where the list begins, and before which key it ends; undefined for the end of the prefix. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** The revision that is listed. Later values do not count. */
  readonly revision?: number | undefined
}

/** Whether a part of the store has values that cannot be read, and of which the cache has no object. */
export const hasUnreadable = ({ cache }: Resource, part: ListedPart): boolean =>
  cache.unreadableValues.size > 0 && valuesIn(cache.unreadableValues, part).length > 0

function valuesIn(values: ReadonlyMap<string, UnreadableValue>, part: ListedPart): [string, UnreadableValue][] {
  const { prefix, start = prefix, end, revision = Number.POSITIVE_INFINITY } = part
  return [...values].filter(
    ([key, value]) =>
      key.startsWith(prefix) &&
      value.revision <= revision &&
      compareText(key, start) >= 0 &&
      (end === undefined || compareText(key, end) < 0)
  )
}

/** Returns the error for a list of a part of the store in which an object cannot be read. */
export function unreadableList(resource: Resource, part: ListedPart, features: FeatureGates): StatusError {
  const values = valuesIn(resource.cache.unreadableValues, part)
  for (const { key, problem, revision } of resource.cache.range(part.prefix))
    if (problem !== undefined) values.push([key, { error: new Error(problem), revision }])
  return listError(resource, values, features)
}

/** Returns the error for a list of objects of which some cannot be read. */
export function unreadableAmong(resource: Resource, objects: Iterable<CachedObject>, features: FeatureGates): StatusError {
  const values: [string, UnreadableValue][] = []
  for (const { key, problem, revision } of objects)
    if (problem !== undefined) values.push([key, { error: new Error(problem), revision }])
  return listError(resource, values, features)
}

function listError(resource: Resource, values: [string, UnreadableValue][], features: FeatureGates): StatusError {
  values.sort(([a], [b]) => compareText(a, b))
  if (!features.enabled('AllowUnsafeMalformedObjectDeletion')) {
    const [key, { error }] = values[0]!
    if (!(error instanceof TransformError)) return plainError(error.message)
    return internalError(`unable to transform key ${goQuote(resource.prefix + key)}: ${error.message}`)
  }
  const causes = values.slice(0, namedValues).map(([key, value]): StatusCause => {
    const field = resource.prefix + key
    return { reason: 'UnexpectedServerResponse', message: storageError('corrupt object', 7, field, textOf(value)), field }
  })
  const { group, resource: kind } = resource
  const name = group === '' ? kind : `${kind}.${group}`
  const more = causes.length > 1 ? ` (and ${causes.length - 1} more)` : ''
  if (causes.length >= namedValues)
    causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' })
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `failed to read one or more ${name} from the storage: ${causes[0]!.message}${more}`,
    reason: 'StorageReadError',
    details: { name: 'list', ...(group === '' ? {} : { group }), kind, causes },
    code: 500
  })
}

/** Returns the error for a list of what is cached: kube-apiserver has no cache of a resource with an object that cannot be read. */
export const uncachedList = (resource: Resource, features: FeatureGates): StatusError =>
  tooManyRequests(
    `storage is (re)initializing: failed to list <unspecified>: ${unreadableList(resource, { prefix: '' }, features).message}`,
    1
  )

/** The text of an error of kube-apiserver's store. */
export const storageError = (what: string, code: number, key: string, why: string): string =>
  `StorageError: ${what}, Code: ${code}, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`

const textOf = ({ error, revision }: UnreadableValue): string =>
  error instanceof TransformError
    ? `data from the storage is not transformable revision=0: ${error.message}`
    : `object not decodable revision=${revision}: ${error.message}`
