import { conflict, notFound } from '../../status/status.js'
import { commitObject } from './commit.js'
import type { Operation } from './operation.js'

const maxTries = 50

/**
 * A change that the server itself makes to an object as part of an operation on something else (a binding, an eviction):
 * neither strategies nor admission see it. `change` may throw to refuse; it is called again after a lost race.
 */
export async function modify(operation: Operation, name: string, change: (object: any) => void): Promise<any> {
  const { resource } = operation
  for (let tries = 1; tries <= maxTries; tries++) {
    const current = resource.get(operation.namespace, name)
    if (!current) throw notFound(operation.groupResource, name)
    const object = resource.parse(current)
    change(object)
    const written = await commitObject(operation, object, current.revision, false)
    if (written) return written.object
  }
  throw conflict(operation.groupResource, name, 'the object keeps changing; please try again')
}
