/** What a request for a part of an object leaves as it was. */
export function keepField(object: any, old: any, field: string): void {
  if (old[field] === undefined) delete object[field]
  else object[field] = old[field]
}

const changeable = ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences']

/** Metadata that could change stays as it was. Who tries to change the rest of it is told by validation. */
export function keepChangeableMeta(object: any, old: any): void {
  for (const field of changeable) keepField(object.metadata, old.metadata, field)
}
