import { constants } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenImage, Store, StoreImage } from '../contract.js'
import type { Database } from './database.js'
import { dataFile, prepareDirectory, syncDirectory, syncFile, unavailable } from './directory.js'
import { makeTemporary, removeTemporary } from './temporary.js'

/** Opens the store of a directory. A `temporary` one is deleted when it is closed, and need not survive a crash. */
export type OpenDirectory = (options: Omit<OpenImage, 'directory'> & { directory: string; temporary: boolean }) => Promise<Store>

/** Copies the database, while it may be written to, into a temporary folder. `revision` is one that the copy has. */
export async function imageOf(database: Database, revision: number, open: OpenDirectory): Promise<StoreImage> {
  const directory = await makeTemporary()
  const dispose = () => removeTemporary(directory)
  try {
    await database.copyTo(directory)
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    revision,
    async open({ clock, compactionInterval, directory: target } = {}) {
      const temporary = target === undefined
      const to = target ?? (await makeTemporary())
      await place(join(directory, dataFile), to, !temporary)
      return open({ clock, compactionInterval, directory: to, temporary })
    },
    dispose
  }
}

/** Copies a data file into a directory, in place of the one that is there. A crash leaves either the old one or the new one. */
async function place(source: string, directory: string, durable: boolean): Promise<void> {
  const draft = join(directory, `${dataFile}.new`)
  try {
    prepareDirectory(directory)
    // where the file system can, the copy shares its blocks with the original until one of them changes
    await copyFile(source, draft, constants.COPYFILE_FICLONE)
    if (durable) syncFile(draft)
    await rename(draft, join(directory, dataFile))
    if (durable) syncDirectory(directory)
  } catch (error) {
    throw unavailable(directory, 'write to', error)
  }
}
