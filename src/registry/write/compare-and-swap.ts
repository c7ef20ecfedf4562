import type { CachedObject } from '../../storage/cached-object.js'
import { checkKeyName } from '../key-name.js'
import { unreadable } from '../unreadable.js'
import type { Operation } from './operation.js'

/**
 * Calls `attempt` with the present object until a write succeeds. `attempt` returns undefined when another write came first. As
 * in kube-apiserver, only the deadline of the request ends the attempts.
 */
export async function compareAndSwap<T>(
  operation: Operation,
  name: string,
  attempt: (current: CachedObject | undefined) => Promise<T | undefined>
): Promise<T> {
  checkKeyName(name)
  for (;;) {
    const current = operation.resource.get(operation.namespace, name)
    const problem = current ? undefined : unreadable(operation.resource, operation.namespace, name)
    if (problem) throw problem
    const done = await attempt(current)
    if (done !== undefined) return done
    operation.origin.throwIfAborted()
  }
}
