import type { CachedObject } from '../../storage/cached-object.js'
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
  for (;;) {
    const done = await attempt(operation.resource.get(operation.namespace, name))
    if (done !== undefined) return done
    operation.origin.throwIfAborted()
  }
}
