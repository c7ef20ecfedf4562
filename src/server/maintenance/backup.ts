/** Copies a data folder while its server runs. */
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { copyStore } from '../../storage/lmdb/copy.js'
import { syncDirectory, syncFile } from '../../storage/lmdb/directory.js'
import { assertSafeParent } from '../../util/file-owner.js'
import type { Progress } from '../../util/progress.js'
import { fileError, UserError } from '../../util/user-error.js'

export interface BackupOptions {
  /** Names the target in messages. */
  readonly flag?: string
  /** Is told bytes of the store. */
  readonly progress?: Progress | undefined
}

/**
 * Copies the store as it is at one moment, and the server's keys and certificates. `target` must not exist; it appears complete or
 * not at all. Rejects with a UserError or StoreUnavailableError.
 */
export async function backup(dataDir: string, target: string, { flag = '--to', progress }: BackupOptions = {}): Promise<void> {
  if (existsSync(target)) throw new UserError(`${flag} ${target}: exists already; a backup needs a folder of its own`)
  const parent = dirname(resolve(target))
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch(error => {
    throw fileError(target, error)
  })
  assertSafeParent(parent, `${flag} ${target}`)
  // nobody else can have made this one, nor look into it
  const partial = await mkdtemp(join(parent, `.${basename(target)}.`)).catch(error => {
    throw fileError(target, error)
  })
  try {
    await copyStore(join(dataDir, 'store'), join(partial, 'store'), progress)
    await copyKeys(join(dataDir, 'pki'), join(partial, 'pki'))
    syncDirectory(partial)
    await rename(partial, target)
    syncDirectory(parent)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error instanceof Error && 'code' in error && !(error instanceof UserError) ? fileError(target, error) : error
  }
}

/** Copies the files of a folder of keys, which only their owner may read. A folder that does not exist has none. */
export async function copyKeys(source: string, target: string): Promise<void> {
  if (!existsSync(source)) return
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(target, entry.name)
    await copyFile(join(source, entry.name), path, constants.COPYFILE_EXCL)
    syncFile(path)
  }
  syncDirectory(target)
}
