/** What a server begins with that another one has: a fork of it, or the same server after a restore. */
import type { Pki } from '../certificates/pki.js'
import { memoryFiles } from '../certificates/pki-files.js'
import type { CacheImages } from '../registry/registry.js'
import type { StoreImage } from '../storage/contract.js'
import { UserError } from '../util/user-error.js'
import type { Foundation } from './foundation.js'

export interface Origin {
  /** The keys: credentials of the one server are good for the other. */
  readonly pki: Pki
  /** Undefined for a server that begins empty. */
  readonly store?: StoreImage | undefined
  /** Caches need not read the store again. */
  readonly caches?: CacheImages | undefined
}

/** Takes what another server needs to go on from here. Throws a UserError for a store that cannot be copied. */
export async function originFrom({ engine, others, registry, pki }: Foundation): Promise<Origin> {
  if (!engine.image || others.length > 0)
    throw new UserError('snapshots need the storage backend memory or lmdb, or a store of your own that has image()')
  // the caches first: what the store has beyond them reaches them as history
  const caches = registry.images()
  return { caches, store: await engine.image(), pki: sharedKeys(pki) }
}

/** What a server that begins empty needs, so that credentials of the one server are good for the other. */
export const sharedKeys = (pki: Pki): Pki => ({ ...pki, files: memoryFiles(pki.files) })
