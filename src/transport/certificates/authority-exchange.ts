/**
 * Puts a new authority in the place of the server's own, with an overlap: clients first learn to trust both, then the new one signs, and last the old one
 * is forgotten. A server reads the files when it starts. Each step can be done again after an interruption.
 */
import { UserError } from '../../util/user-error.js'
import { isOwnAuthority, makeNextAuthority } from './pki.js'
import type { PkiFiles } from './pki-files.js'

/** Files that can be removed, too. */
export interface RemovableFiles extends PkiFiles {
  remove(name: string): Promise<void>
}

const [ca, key, next, nextKey, old] = ['ca.crt', 'ca.key', 'ca-next.crt', 'ca-next.key', 'ca-old.crt'] as const

/** Makes the next authority, which servers trust from their next start on. */
export async function prepareAuthority(files: RemovableFiles, now: number): Promise<void> {
  const present = await files.read(ca)
  if (present === undefined) throw new UserError(`${files.path(ca)}: no such file; has a server been started on this folder?`)
  if (!isOwnAuthority(present)) throw new UserError(`${files.path(ca)}: was not made by Binnacle; it is its owner's to exchange`)
  if ((await files.read(next)) !== undefined)
    throw new UserError(`${files.path(next)}: is prepared already; start the server again, and then switch`)
  if ((await files.read(old)) !== undefined)
    throw new UserError(`${files.path(old)}: the exchange before is to be finished first, when no client needs it any more`)
  const made = makeNextAuthority(now)
  await files.write(nextKey, made.key, true)
  await files.write(next, made.certificate, false)
}

/** Lets the next authority sign, from the next start on. The present one stays trusted. */
export async function switchAuthority(files: RemovableFiles): Promise<void> {
  const [present, certificate, secret] = await Promise.all([files.read(ca), files.read(next), files.read(nextKey)])
  if (present === undefined || certificate === undefined || secret === undefined)
    throw new UserError(`${files.path(next)}: there is no authority to switch to; prepare one first`)
  if (present !== certificate) {
    await files.write(old, present, false)
    await files.write(key, secret, true)
    await files.write(ca, certificate, false)
  }
  await files.remove(next)
  await files.remove(nextKey)
}

/** Forgets the old authority: what it has signed counts for nothing, from the next start on. */
export async function finishAuthority(files: RemovableFiles): Promise<void> {
  if ((await files.read(next)) !== undefined) throw new UserError(`${files.path(next)}: switch first`)
  if ((await files.read(old)) === undefined) throw new UserError(`${files.path(old)}: there is no exchange to finish`)
  await files.remove(old)
}
