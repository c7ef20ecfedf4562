import { internalError, plainError, type StatusError } from '../apimachinery/status/status.js'
import { TransformError } from '../storage/encryption/transformer.js'
import type { Resource } from './resource.js'

/** Returns the error for an object whose stored value cannot be read; undefined when there is no such value. */
export function unreadable(resource: Resource, namespace: string, name: string): StatusError | undefined {
  const why = resource.cache.whyUnreadable(resource.key(namespace, name))
  if (!why) return undefined
  return why instanceof TransformError ? internalError(why.message) : plainError(why.message)
}
