import { settle } from '../schema/decode.js'
import type { Operation, Written } from './operation.js'

/**
 * Writes an object on condition of its present revision (0: it does not exist). undefined when the condition did not
 * hold. A dry run only checks it.
 */
export async function commitObject(
  operation: Operation,
  object: any,
  expected: number,
  created: boolean
): Promise<Written | undefined> {
  const { resource, services } = operation
  const { store } = services
  const key = resource.key(operation.namespace, object.metadata.name)
  if (operation.dryRun) {
    const current = resource.cache.get(key)
    if ((current?.revision ?? 0) !== expected) return undefined
    if (created) delete object.metadata.resourceVersion
    return { object: resource.asStored(object), bytes: undefined, created }
  }
  delete object.metadata.resourceVersion
  settle(resource.type(resource.storageVersion.name), object)
  const { value, attachment } = resource.stored(object)
  const result = await store.commit([{ key: resource.prefix + key, value, expected, attachment }])
  if (!result.ok) return undefined
  object.metadata.resourceVersion = String(result.revision)
  const cached = resource.cache.get(key)
  const bytes = cached?.revision === result.revision ? cached.bytes : undefined
  return { object: resource.asStored(object), bytes, created }
}

/** Deletes an object on condition of its revision. False when the condition did not hold. */
export async function commitDelete(operation: Operation, name: string, expected: number): Promise<boolean> {
  const { resource, services } = operation
  if (operation.dryRun) return resource.get(operation.namespace, name)?.revision === expected
  const result = await services.store.commit([
    { key: resource.prefix + resource.key(operation.namespace, name), value: undefined, expected }
  ])
  return result.ok
}
