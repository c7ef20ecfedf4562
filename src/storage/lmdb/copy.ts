import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database as Table } from 'lmdb'
import { noProgress, type Progress } from '../../util/progress.js'
import { dataFile, notOurs, openForReading, syncDirectory, syncFile, tableOptions, unavailable } from './directory.js'
import { checkFormat, decodeNumber, formatKey } from './format.js'

/**
 * Copies the store of a folder as it is at one moment, while a server may be writing to it. Creates the folder `target`, which
 * must not exist. `progress` is told bytes; holes in the source are not copied. Rejects with StoreUnavailableError when the source is no store that this version can read.
 */
export async function copyStore(source: string, target: string, progress = noProgress): Promise<void> {
  const root = openForReading(source)
  try {
    // a table that does not exist is undefined, whatever its type says
    const meta: Table<Buffer, Buffer> | undefined = root.openDB({ name: 'meta', ...tableOptions })
    const format = decodeNumber(meta?.get(formatKey))
    if (format === 0) throw notOurs(source)
    checkFormat(source, format)
    mkdirSync(target, { mode: 0o700 })
    const stopTelling = tellSize(join(source, dataFile), join(target, dataFile), progress)
    try {
      // LMDB names the file itself
      await root.backup(target, true)
    } finally {
      stopTelling()
    }
    chmodSync(join(target, dataFile), 0o600)
    syncFile(join(target, dataFile))
    syncDirectory(target)
  } catch (error) {
    throw unavailable(target, 'write to', error)
  } finally {
    await root.close()
  }
}

/** LMDB does not say how far it has come, but its file grows. */
function tellSize(source: string, target: string, progress: Progress): () => void {
  if (progress === noProgress) return () => {}
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const timer = setInterval(() => progress(sizeOf(target), sizeOf(source)), 200).unref()
  return () => {
    clearInterval(timer)
    progress(sizeOf(target), sizeOf(target))
  }
}
