/** Makes a data folder from a backup. */
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { checkStore } from '../../storage/lmdb/check.js'
import { copyStore } from '../../storage/lmdb/copy.js'
import { Database } from '../../storage/lmdb/database.js'
import { syncDirectory } from '../../storage/lmdb/directory.js'
import { assertOwnFiles } from '../../util/file-owner.js'
import type { Progress } from '../../util/progress.js'
import { UserError } from '../../util/user-error.js'
import { checkDataDirectory, restoreFolder } from '../data-directory.js'
import { copyKeys } from './backup.js'
import { openRestoreFolder } from './restore-folder.js'

/**
 * By how much the revision is raised by default: by more than there can have been writes since the backup. Otherwise a client that
 * remembers a revision from after the backup would miss new writes, and never notice. etcd's documentation recommends the same number
 * (https://etcd.io/docs/v3.6/op-guide/recovery/).
 */
export const usualBump = 1_000_000_000

export interface Restored {
  readonly keys: number
  readonly revision: number
}

export interface RestoreProgress {
  /** Is told bytes of the store. */
  readonly copied?: Progress
  /** Is told keys and writes. */
  readonly checked?: Progress
}

/**
 * Makes the data folder `dataDir`, which must have no store, from a backup. Keys that it has stay. Watches from before the restore end
 * with 410. Rejects with a UserError or StoreUnavailableError, and then leaves nothing behind. What a killed
 * restore has left is replaced.
 */
export async function restore(
  source: string,
  dataDir: string,
  bump = usualBump,
  { copied, checked }: RestoreProgress = {}
): Promise<Restored> {
  const store = join(dataDir, 'store')
  if (existsSync(store)) throw new UserError(`--data-dir ${dataDir}: has a store already; restore into another folder`)
  checkDataDirectory(dataDir, restoreFolder)
  for (const folder of [source, join(source, 'store'), join(source, 'pki')]) assertOwnFiles(folder, { what: `--from ${source}` })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const partial = await openRestoreFolder(dataDir)
  const within = (name: string) => join(partial.path, name)
  try {
    await copyStore(join(source, 'store'), within('store'), copied)
    const { keys, problems } = await checkStore(within('store'), checked)
    if (problems.length > 0) throw new UserError(`--from ${source}: the backup is damaged: ${problems[0]}`)
    const revision = await raiseRevision(within('store'), bump)
    if (!existsSync(join(dataDir, 'pki'))) {
      await copyKeys(join(source, 'pki'), within('pki'))
      // all keys or none: a server would make those that are missing anew
      if (existsSync(within('pki'))) await rename(within('pki'), join(dataDir, 'pki'))
    }
    await rename(within('store'), store)
    syncDirectory(dataDir)
    return { keys, revision }
  } finally {
    await partial.remove()
  }
}

/** Raises the revision of a store that nobody has open, and forgets its history. Returns the new revision. */
export async function raiseRevision(directory: string, by: number): Promise<number> {
  const database = await Database.open(directory)
  try {
    const revision = (database.lastRevision() ?? 1) + by
    if (by > 0) await database.write(() => database.putRaised(revision))
    return revision
  } finally {
    await database.close()
  }
}
