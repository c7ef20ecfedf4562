import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type * as Lmdb from 'lmdb'
import type { RootDatabase } from 'lmdb'
import { lazyPackage } from '../../util/lazy-package.js'
import { noBinding, syncsFolders } from '../../util/platform.js'
import { StoreUnavailableError } from '../contract.js'
import { isFull, spareBytes } from './disk.js'
import { isLockFile } from './lock.js'

export type Root = RootDatabase<Buffer, Buffer>

const library = lazyPackage<typeof Lmdb>('lmdb')

/** Loads LMDB. Throws StoreUnavailableError where its native part is not installed. */
function binding(): typeof Lmdb {
  try {
    return library()
  } catch (error) {
    if (!/No native build was found/.test((error as Error).message)) throw error
    throw new StoreUnavailableError(noBinding('lmdb', 'use --storage-backend=memory or etcd3'), { cause: error })
  }
}

/** Throws where LMDB cannot be loaded. */
export const assertBinding = (): void => void binding()

const open = (options: Parameters<typeof Lmdb.open>[0]): Root => binding().open<Buffer, Buffer>(options)

export const tableOptions = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const

export const dataFile = 'data.mdb'

/**
 * Bytes of the map at first, of the process that writes and of those that follow it. Virtual address space only: LMDB enlarges the map when the data
 * outgrow it, and keeps the former one, since reads may be under way there.
 */
const usualMapSize = 1 << 30

/** Creates the directory if necessary. Refuses a directory with foreign files before anything is written to it. */
export const prepareDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (existsSync(join(directory, dataFile))) checkMagic(directory)
    // The root of a mounted file system may contain lost+found.
    else if (readdirSync(directory).some(name => !isLockFile(name) && name !== 'lost+found')) throw notOurs(directory)
  } catch (error) {
    throw unavailable(directory, 'use', error)
  }
}

/** Checks the magic number, which follows the header of the first page, because LMDB crashes on a foreign file. */
const checkMagic = (directory: string): void => {
  const descriptor = openSync(join(directory, dataFile), 'r')
  const start = Buffer.alloc(32)
  try {
    const length = readSync(descriptor, start, 0, start.length, 0)
    // A process that was killed at its start leaves an empty file.
    if (length > 0 && start.readUInt32LE(24) !== 0xbeefc0de) throw notOurs(directory)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Opens the LMDB environment with LMDB's default sync: two flushes for each transaction, first of its pages and then of the page
 * that makes them current. Everything that LMDB shows is therefore durable, and a failed transaction has no effect. lmdb's own
 * `overlappingSync` showed transactions before they were durable, and did not save CPU. With `durable` false, nothing is flushed.
 */
export const openRoot = (directory: string, durable = true, mapSize = usualMapSize): Root => {
  const fresh = !existsSync(join(directory, dataFile))
  const root = open({
    path: directory,
    noSubdir: false,
    overlappingSync: false,
    // Every transaction is explicit; lmdb need not wait for more writes of the same turn.
    eventTurnBatching: false,
    pageSize: 4096,
    mapSize,
    permissionsMode: 0o600,
    noSync: !durable,
    ...tableOptions
  } as Parameters<typeof open>[0])
  if (fresh) for (const path of [directory, dirname(directory)]) syncDirectory(path)
  return root
}

/** Throws StoreUnavailableError for a folder without a store. */
export const assertStore = (directory: string): void => {
  if (!existsSync(join(directory, dataFile)))
    throw new StoreUnavailableError(`${directory} has no store: name the data folder of a server, or a backup`)
}

/** Opens an environment that another process may be writing to. Throws StoreUnavailableError when there is none. */
export const openForReading = (directory: string, mapSize = usualMapSize): Root => {
  assertStore(directory)
  try {
    checkMagic(directory)
    const options = { path: directory, noSubdir: false, readOnly: true, mapSize, ...tableOptions }
    return open(options as Parameters<typeof open>[0])
  } catch (error) {
    throw unavailable(directory, 'read', error)
  }
}

export const syncFile = (path: string): void => {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Without this, a power failure may lose the names of new files, and thereby their contents. */
export const syncDirectory = (path: string): void => {
  if (!syncsFolders()) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const notOurs = (directory: string): StoreUnavailableError =>
  new StoreUnavailableError(`${directory} is not a Binnacle data directory`)

/** An error that tells the operator in one line what went wrong. */
export const unavailable = (directory: string, action: string, error: unknown): StoreUnavailableError => {
  if (error instanceof StoreUnavailableError) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (message.includes('MDB_INVALID') || message.includes('MDB_VERSION_MISMATCH')) return notOurs(directory)
  const reason = reasons.get(String(code)) ?? (hasNoSpace(directory) ? noSpace : message)
  return new StoreUnavailableError(`cannot ${action} ${directory}: ${reason}`, { cause: error })
}

const noSpace = `less than ${spareBytes >> 20} MiB are free on the disk`

const reasons = new Map([
  ['ENOSPC', noSpace],
  ['EACCES', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['EEXIST', 'it is not a directory'],
  ['ENOTDIR', 'a part of the path is not a directory']
])

/** LMDB reports a truncated write as an input/output error. */
const hasNoSpace = (directory: string): boolean => {
  try {
    return isFull(directory, spareBytes)
  } catch {
    return false
  }
}
