import type { CachedObject } from '../../storage/cached-object.js'
import { checkKeyName } from '../key-name.js'
import { unreadable } from '../unreadable.js'
import type { Operation } from './operation.js'

/**
 * Calls `attempt` with the present object until a write succeeds. `attempt` returns undefined when another write came first. As
 * in kube-apiserver, only the deadline of the request ends the attempts. With `present`, what a webhook converts is converted now, and not taken from the cache.
 */
export async function compareAndSwap<T>(
  operation: Operation,
  name: string,
  attempt: (current: CachedObject | undefined) => Promise<T | undefined>,
  present = false
): Promise<T> {
  checkKeyName(name)
  for (let again = false; ; again = true) {
    const { resource, namespace } = operation
    const cached = resource.get(namespace, name)
    // the cache stays behind as long as the webhook that fills it fails
    const isUnsure = present || (!cached && !resource.cache.ready)
    const isOld = again ? resource.isConverted : isUnsure && resource.mayChange(cached)
    const current = isOld ? await resource.readStored(namespace, name) : cached
    refuseUnreadable(operation, name, current)
    let done: T | undefined
    try {
      done = await attempt(current)
    } catch (error) {
      // kube-apiserver reads the object again, in case its cache was behind: what cannot be converted now is what is wrong
      if (isOld || !resource.isConverted || !resource.mayChange(cached)) throw error
      const stored = await resource.readStored(namespace, name)
      refuseUnreadable(operation, name, stored)
      if (stored?.revision === current?.revision) throw error
    }
    if (done !== undefined) return done
    operation.origin.throwIfAborted()
  }
}

function refuseUnreadable(operation: Operation, name: string, current: CachedObject | undefined): void {
  if (current && current.problem === undefined) return
  const { resource, namespace, dryRun, request, services } = operation
  const isWrite = !dryRun && !request.verb.startsWith('delete')
  const problem = unreadable(resource, namespace, name, services.features, current, isWrite)
  if (problem) throw problem
}
