/** The errors for objects whose stored values cannot be read, as kube-apiserver has them since 1.37. */
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { internalError, plainError, type StatusCause, StatusError } from '../apimachinery/status/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import { TransformError } from '../storage/encryption/transformer.js'
import type { UnreadableValue } from '../storage/object-reader.js'
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

/** Returns the error for a list of which `first` cannot be read, nor maybe others of `objects`. */
export function unreadableList(
  resource: Resource,
  objects: Iterable<CachedObject>,
  first: CachedObject,
  features: FeatureGates
): StatusError {
  if (!features.enabled('AllowUnsafeMalformedObjectDeletion')) return plainError(first.problem!)
  const causes: StatusCause[] = []
  for (const { key, problem, revision } of objects) {
    if (problem === undefined) continue
    const field = resource.prefix + key
    const message = storageError('corrupt object', 7, field, textOf({ error: new Error(problem), revision }))
    causes.push({ reason: 'UnexpectedServerResponse', message, field })
    if (causes.length >= namedValues) break
  }
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

/** The text of an error of kube-apiserver's store. */
export const storageError = (what: string, code: number, key: string, why: string): string =>
  `StorageError: ${what}, Code: ${code}, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`

const textOf = ({ error, revision }: UnreadableValue): string =>
  error instanceof TransformError
    ? `data from the storage is not transformable revision=0: ${error.message}`
    : `object not decodable revision=${revision}: ${error.message}`
