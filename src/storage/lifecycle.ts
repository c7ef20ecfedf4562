import type { ObjectMeta, OwnerReference } from '../api/generated/meta-v1.js'

/** What in an object's metadata decides when it ends. */
export interface Lifecycle {
  readonly owners: readonly OwnerReference[]
  readonly finalizers: readonly string[]
  /** It has a deletionTimestamp. */
  readonly deleting: boolean
}

const none: readonly never[] = []

/** undefined for most objects: nobody owns them, nothing holds them, they stay. */
export function lifecycleOf({ ownerReferences = none, finalizers = none, deletionTimestamp }: ObjectMeta): Lifecycle | undefined {
  if (ownerReferences.length === 0 && finalizers.length === 0 && !deletionTimestamp) return undefined
  return { owners: ownerReferences, finalizers, deleting: !!deletionTimestamp }
}
