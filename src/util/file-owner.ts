/**
 * Refuses folders and files in which somebody else could have put what this process believes: keys, authorities, objects. Others are all but
 * the user of the process and root. Windows has neither owners nor modes of this sort, and nothing is refused there.
 */
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from './user-error.js'

const uid = process.geteuid?.()
const ownGroup = process.getegid?.()

const writableByGroup = 0o020
const writableByAll = 0o002
const sticky = 0o1000

const octal = (mode: number) => (mode & 0o7777).toString(8).padStart(4, '0')

function assertOwner(path: string, { uid: owner }: Stats, what: string): void {
  if (uid === undefined || owner === uid || owner === 0) return
  throw new UserError(
    `${what}: ${path} belongs to user ${owner}, who could have changed it; this process is user ${uid}: chown -R ${uid} it`
  )
}

export interface Trust {
  /** Names the flag and its value, for errors. */
  readonly what: string
  /** Whether the members of its group may write there, as those of a volume's fsGroup may. */
  readonly byGroup?: boolean
}

/** Throws a UserError when others own a path or may write to it. A path that does not exist is sound. */
export function assertOwn(path: string, { what, byGroup = false }: Trust): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || uid === undefined) return
  assertOwner(path, stats, what)
  const { mode, gid } = stats
  if (mode & writableByAll) throw new UserError(`${what}: everybody may write to ${path} (mode ${octal(mode)}); chmod o-w it`)
  // a group of one's own is what some systems give each user
  if (mode & writableByGroup && !byGroup && gid !== ownGroup)
    throw new UserError(`${what}: the group ${gid} may write to ${path} (mode ${octal(mode)}); chmod g-w it`)
}

/** The same for a folder and its files. */
export function assertOwnFiles(folder: string, trust: Trust): void {
  assertOwn(folder, trust)
  const entries = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  for (const name of entries) assertOwn(join(folder, name), trust)
}

/** Throws a UserError for a folder in which others could replace what this process makes there. */
export function assertSafeParent(folder: string, what: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false })
  // in a folder with the sticky bit, such as /tmp, nobody can move or remove what belongs to others
  if (!stats || (stats.mode & sticky && stats.uid === 0)) return
  assertOwn(folder, { what })
}
