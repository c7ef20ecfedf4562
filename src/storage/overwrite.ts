import type { Store, Write } from './contract.js'

/** How often another writer of the same key may come first. */
const mostTries = 10

/**
 * Writes or deletes a key, whatever it holds. Returns whether it was written: what is not there cannot be deleted. The write has a condition all
 * the same, because not everything that speaks etcd takes writes without one (kine).
 */
export async function overwrite(store: Store, { key, value, ttl }: Omit<Write, 'expected' | 'attachment'>): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const current = await store.get(key)
    if (!current && value === undefined) return false
    const { ok } = await store.commit([{ key, value, ttl, expected: current?.modRevision ?? 0 }])
    if (ok) return true
    if (tries >= mostTries) throw new Error(`${key} is written all the time by others`)
  }
}
