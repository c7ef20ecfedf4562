/** What a new server takes over from another one: as its fork, or as the same server after a restore. */
import { hostname } from 'node:os'
import type { ResourceImages } from '../registry/registry.js'
import type { StoreImage } from '../storage/contract.js'
import type { Pki } from '../transport/certificates/pki.js'
import { memoryFiles } from '../transport/certificates/pki-files.js'
import { type Randomness, systemRandomness } from '../util/randomness.js'
import { SeededRandomness } from '../util/seeded-randomness.js'
import { UserError } from '../util/user-error.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

export interface Origin {
  /** The keys, so that credentials of the one server are valid for the other. */
  readonly pki?: Pki | undefined
  /** The files of keys and certificates of a saved snapshot, in place of `pki`. The server may have another address and other options. */
  readonly pkiFiles?: ReadonlyMap<string, string> | undefined
  /** Undefined for a server that begins empty. */
  readonly store?: StoreImage | undefined
  /** The contents of the caches, which then need not read the store. */
  readonly resources?: ResourceImages | undefined
  /** For servers with a seed: the generator, whose sequence the new server continues. */
  readonly random?: SeededRandomness | undefined
  /** The machine's name in the stored objects. */
  readonly hostName?: string | undefined
}

/** Returns the server's random generator, which repeats its numbers when the server has a seed. */
export function randomnessOf({ seed }: ServerOptions, origin: Origin | undefined): Randomness {
  if (seed === undefined) return systemRandomness
  return origin?.random?.copy() ?? new SeededRandomness(seed)
}

/** Returns the machine's name; for a server with a seed, a name that is the same on every machine. */
export const hostNameOf = ({ seed }: ServerOptions, origin: Origin | undefined): string =>
  origin?.hostName ?? (seed === undefined ? hostname() : 'binnacle')

/** Takes what another server needs to continue from here. Throws a UserError for a store that cannot be copied. */
export async function originFrom({ engine, others, registry, pki, random, hostName }: Foundation): Promise<Origin> {
  if (!engine.image || others.length > 0)
    throw new UserError('snapshots need the storage backend memory or lmdb, or a store of your own that has image()')
  // the caches first: what is stored after that reaches the other server's caches as history
  const resources = registry.images()
  const numbers = random instanceof SeededRandomness ? random.copy() : undefined
  return { resources, hostName, random: numbers, store: await engine.image(), pki: sharedKeys(pki) }
}

/** What a server that begins empty shares with this one, so that credentials of the one are valid for the other. */
export const sharedKeys = (pki: Pki): Pki => ({ ...pki, files: memoryFiles(pki.files) })
