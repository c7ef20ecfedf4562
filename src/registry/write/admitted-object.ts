/** Rules that hold for an object after changes by clients and by admission. */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { badRequest } from '../../apimachinery/status/status.js'
import type { StrategyContext } from '../strategy-context.js'
import type { Operation } from './operation.js'

/** Drops duplicate owner references from the object, with a warning. `after` means that admission has seen the object. */
export function dropDuplicateOwners({ metadata }: KubeObject, context: StrategyContext, after: boolean): void {
  const owners = metadata.ownerReferences
  if (!owners || owners.length < 2) return
  const kept = new Map<string, OwnerReference>()
  const twice: string[] = []
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion])
    if (kept.has(key)) twice.push(uid)
    else kept.set(key, owner)
  }
  if (twice.length === 0) return
  metadata.ownerReferences = [...kept.values()]
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${after ? ' after mutating admission happens' : ''}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${twice.join(', ')}`
  )
}

/** Admission may change an object, but not move it: a namespace that it removes comes back. */
export function checkAdmitted(object: KubeObject, operation: Operation): void {
  dropDuplicateOwners(object, operation, true)
  const { resource, namespace } = operation
  const { metadata } = object
  if (!resource.namespaced) {
    if (metadata.namespace !== undefined) delete metadata.namespace
  } else if (!metadata.namespace) metadata.namespace = namespace
  else if (metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
