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
    const isReadable = current && current.problem === undefined
    const isWrite = !operation.dryRun && !operation.request.verb.startsWith('delete')
    const problem = isReadable ? undefined : unreadable(resource, namespace, name, operation.services.features, current, isWrite)
    if (problem) throw problem
    const done = await attempt(current)
    if (done !== undefined) return done
    operation.origin.throwIfAborted()
  }
}
