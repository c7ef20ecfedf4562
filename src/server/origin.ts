/** What a server begins with that another one has: a fork of it, or the same server after a restore. */
import { hostname } from 'node:os'
import type { Pki } from '../certificates/pki.js'
import { memoryFiles } from '../certificates/pki-files.js'
import type { ServerOptions } from '../options.js'
import type { ResourceImages } from '../registry/registry.js'
import type { StoreImage } from '../storage/contract.js'
import { type Randomness, systemRandomness } from '../util/randomness.js'
import { SeededRandomness } from '../util/seeded-randomness.js'
import { UserError } from '../util/user-error.js'
import type { Foundation } from './foundation.js'

export interface Origin {
  /** The keys: credentials of the one server are good for the other. */
  readonly pki: Pki
  /** Undefined for a server that begins empty. */
  readonly store?: StoreImage | undefined
  /** With them caches need not read the store again. */
  readonly resources?: ResourceImages | undefined
  /** Set for servers with a seed: they go on with its numbers. */
  readonly random?: SeededRandomness | undefined
  /** The name of the machine that the objects in the store show. */
  readonly hostName?: string | undefined
}

/** Returns the server's own generator of random numbers, which repeat when it has a seed. */
export function randomnessOf({ seed }: ServerOptions, origin: Origin | undefined): Randomness {
  if (seed === undefined) return systemRandomness
  return origin?.random?.copy() ?? new SeededRandomness(seed)
}

/** Returns the name of the machine, or, for a server with a seed, one that is the same on each. */
export const hostNameOf = ({ seed }: ServerOptions, origin: Origin | undefined): string =>
  origin?.hostName ?? (seed === undefined ? hostname() : 'binnacle')

/** Takes what another server needs to go on from here. Throws a UserError for a store that cannot be copied. */
export async function originFrom({ engine, others, registry, pki, random, hostName }: Foundation): Promise<Origin> {
  if (!engine.image || others.length > 0)
    throw new UserError('snapshots need the storage backend memory or lmdb, or a store of your own that has image()')
  // the caches first: what the store has beyond them reaches them as history
  const resources = registry.images()
  const numbers = random instanceof SeededRandomness ? random.copy() : undefined
  return { resources, hostName, random: numbers, store: await engine.image(), pki: sharedKeys(pki) }
}

/** What a server that begins empty needs, so that credentials of the one server are good for the other. */
export const sharedKeys = (pki: Pki): Pki => ({ ...pki, files: memoryFiles(pki.files) })
