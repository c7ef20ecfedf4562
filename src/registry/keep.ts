/** Restores a field that a request for another part of the object must not change. */
export function keepField(object: any, old: any, field: string): void {
  if (old[field] === undefined) delete object[field]
  else object[field] = old[field]
}

const changeable = ['deletionTimestamp', 'selfLink', 'labels', 'annotations', 'finalizers', 'ownerReferences']

/** Restores all metadata that a request could change. Changes of the other metadata are refused by validation. */
export function keepChangeableMeta(object: any, old: any): void {
  for (const field of changeable) keepField(object.metadata, old.metadata, field)
}
