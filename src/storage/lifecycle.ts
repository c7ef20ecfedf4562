import type { ObjectMeta, OwnerReference } from '../api/generated/meta-v1.js'

/** What in an object's metadata decides when it ends. */
export interface Lifecycle {
  readonly owners: readonly OwnerReference[]
  readonly finalizers: readonly string[]
  /** It has a deletionTimestamp. */
  readonly deleting: boolean
}

const noOwners: readonly OwnerReference[] = []
const noFinalizers: readonly string[] = []

/** undefined for most objects: nobody owns them, nothing holds them, they stay. */
export function lifecycleOf({ ownerReferences, finalizers, deletionTimestamp }: ObjectMeta): Lifecycle | undefined {
  if (!ownerReferences?.length && !finalizers?.length && !deletionTimestamp) return undefined
  return { owners: ownerReferences ?? noOwners, finalizers: finalizers ?? noFinalizers, deleting: !!deletionTimestamp }
}
