import type { CachedObject } from '../../storage/cached-object.js'
import type { Operation } from './operation.js'

/**
 * Calls `attempt` with the present object until it brings about a write. It returns undefined when its write was refused because
 * somebody else has written in between. As in kube-apiserver, only the request's deadline ends this.
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
