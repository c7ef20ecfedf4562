/** Puts owners before what they own. */

interface Owned {
  readonly uid?: unknown
  readonly ownerReferences?: unknown
}

/** The uids of the owners of an object, as far as it has a list of owners. */
export const ownerUids = ({ ownerReferences }: Owned): unknown[] =>
  Array.isArray(ownerReferences) ? ownerReferences.map(owner => owner?.uid) : []

/** Returns the items with each after its owners among them, and otherwise in their order. Owners in a circle are not in any order. */
export function ownersFirst<T>(items: readonly T[], metadataOf: (item: T) => Owned): T[] {
  const byUid = new Map(items.map(item => [metadataOf(item).uid, item]))
  byUid.delete(undefined)
  const placed = new Set<T>()
  const seen = new Set<T>()
  for (const item of items) {
    // no recursion: chains of owners are as long as users make them
    const waiting = [item]
    while (waiting.length > 0) {
      const next = waiting.at(-1)!
      const owners = seen.has(next) ? [] : ownerUids(metadataOf(next)).flatMap(uid => byUid.get(uid) ?? [])
      seen.add(next)
      const missing = owners.filter(owner => !placed.has(owner))
      if (missing.length > 0) waiting.push(...missing)
      else placed.add(waiting.pop()!)
    }
  }
  return [...placed]
}
