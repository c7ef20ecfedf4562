/**
 * Where a restore grows, within the data folder: a folder that nobody else may read, locked by the process. One that a killed restore has left is used
 * again.
 */
import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isLockFile, lockDirectory } from '../../storage/lmdb/lock.js'
import { UserError } from '../../util/user-error.js'
import { restoreFolder } from '../data-directory.js'

export interface RestoreFolder {
  readonly path: string
  /** Removes the folder with what is in it. */
  remove(): Promise<void>
}

const parts: ReadonlySet<string> = new Set(['store', 'pki'])

/** Rejects with a UserError for a folder that no restore of this user has left, and with StoreUnavailableError while another restore runs. */
export async function openRestoreFolder(dataDir: string): Promise<RestoreFolder> {
  const path = join(dataDir, restoreFolder)
  if (!makes(path)) assertLeftover(path, `--data-dir ${dataDir}`)
  const lock = await lockDirectory(path)
  for (const part of parts) await rm(join(path, part), { recursive: true, force: true })
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      lock.release()
    }
  }
}

function makes(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function assertLeftover(path: string, what: string): void {
  const refuse = (why: string) => new UserError(`${what}: ${path} ${why}; look what it is, and move it away`)
  const stats = lstatSync(path)
  if (!stats.isDirectory()) throw refuse('is not the folder that an interrupted restore leaves')
  const uid = process.geteuid?.()
  if (uid !== undefined && stats.uid !== uid) throw refuse(`belongs to user ${stats.uid}, and this process is user ${uid}`)
  if (uid !== undefined && stats.mode & 0o077) throw refuse('may be read by others, which no restore allows')
  const foreign = readdirSync(path).find(name => !parts.has(name) && !isLockFile(name))
  if (foreign !== undefined) throw refuse(`holds ${foreign}, which no restore leaves there`)
}
