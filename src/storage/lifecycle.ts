import type { ObjectMeta, OwnerReference } from '../apimachinery/api/generated/meta-v1.js'

/** The metadata that decides when an object is deleted. */
export interface Lifecycle {
  readonly owners: readonly OwnerReference[]
  readonly finalizers: readonly string[]
  /** True when the object has a deletionTimestamp. */
  readonly deleting: boolean
}

const noOwners: readonly OwnerReference[] = []
const noFinalizers: readonly string[] = []

/** Returns undefined for most objects: they have no owner and no finalizer, and are not being deleted. */
export function lifecycleOf({ ownerReferences, finalizers, deletionTimestamp }: ObjectMeta): Lifecycle | undefined {
  if (!ownerReferences?.length && !finalizers?.length && !deletionTimestamp) return undefined
  return { owners: ownerReferences ?? noOwners, finalizers: finalizers ?? noFinalizers, deleting: !!deletionTimestamp }
}
