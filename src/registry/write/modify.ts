import { notFound } from '../../apimachinery/status/status.js'
import { commitObject } from './commit.js'
import { compareAndSwap } from './compare-and-swap.js'
import type { Operation } from './operation.js'

/**
 * Changes an object as a part of another operation (a binding, an eviction), without its strategy and without admission. `change`
 * may throw to refuse the operation, and is called again after a lost race. Throws a 404 for a missing object.
 */
export async function modify(operation: Operation, name: string, change: (object: any) => void): Promise<any> {
  const { resource } = operation
  const written = await compareAndSwap(operation, name, async current => {
    if (!current) throw notFound(operation.groupResource, name)
    const object = resource.parse(current)
    change(object)
    return commitObject(operation, object, current.revision, false)
  })
  return written.object
}
