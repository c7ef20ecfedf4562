/** Returns metadata in the order in which Kubernetes writes it. JSON omits undefined fields. */
export function metadataInOrder(meta: any): Record<string, unknown> {
  const {
    name,
    generateName,
    namespace,
    selfLink,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields
  } = meta
  return {
    name,
    generateName,
    namespace,
    selfLink,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields
  }
}
