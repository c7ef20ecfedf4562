import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { StoreUnavailableError } from '../contract.js'
import { isLockFile } from './lock.js'

export type Root = RootDatabase<Buffer, Buffer>

export const tableOptions = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const

const dataFile = 'data.mdb'

/** Virtual address space only; LMDB makes the map larger when the data outgrows it. */
const firstMapSize = 1 << 30

/** Makes the directory if need be, and refuses one with other people's files in it before anything is written there. */
export const prepareDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (existsSync(join(directory, dataFile))) checkMagic(directory)
    // The root of a mounted file system may have lost+found in it.
    else if (readdirSync(directory).some(name => !isLockFile(name) && name !== 'lost+found')) throw notOurs(directory)
  } catch (error) {
    throw unavailable(directory, 'use', error)
  }
}

/** LMDB crashes on a file that is not its own. Its mark is behind the header of the first page. */
const checkMagic = (directory: string): void => {
  const descriptor = openSync(join(directory, dataFile), 'r')
  const start = Buffer.alloc(32)
  try {
    const length = readSync(descriptor, start, 0, start.length, 0)
    // An empty one is what is left when a process ended at its very beginning.
    if (length > 0 && start.readUInt32LE(24) !== 0xbeefc0de) throw notOurs(directory)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Opens the LMDB environment. Sync is left as LMDB has it, that is two flushes for each transaction, of its pages and then of
 * the page that makes them current: what LMDB shows is durable, and a transaction that fails has not happened. lmdb's own
 * `overlappingSync` showed transactions before they were durable, for no less CPU.
 */
export const openRoot = (directory: string): Root => {
  const fresh = !existsSync(join(directory, dataFile))
  const root = open<Buffer, Buffer>({
    path: directory,
    noSubdir: false,
    overlappingSync: false,
    // Every transaction is an explicit one; lmdb need not wait for more writes of the same turn.
    eventTurnBatching: false,
    pageSize: 4096,
    mapSize: firstMapSize,
    permissionsMode: 0o600,
    ...tableOptions
  } as Parameters<typeof open>[0])
  if (fresh) for (const path of [directory, dirname(directory)]) syncDirectory(path)
  return root
}

/** Without it the names of new files may be lost with the power, and everything in them. */
const syncDirectory = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const notOurs = (directory: string): StoreUnavailableError =>
  new StoreUnavailableError(`${directory} is not a Binnacle data directory`)

/** What went wrong, in one line for people. */
export const unavailable = (directory: string, action: string, error: unknown): StoreUnavailableError => {
  if (error instanceof StoreUnavailableError) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (message.includes('MDB_INVALID') || message.includes('MDB_VERSION_MISMATCH')) return notOurs(directory)
  const reason = reasons.get(String(code)) ?? (isFull(directory) ? 'no space left on the disk' : message)
  return new StoreUnavailableError(`cannot ${action} ${directory}: ${reason}`, { cause: error })
}

const reasons = new Map([
  ['EACCES', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['EEXIST', 'it is not a directory'],
  ['ENOTDIR', 'a part of the path is not a directory']
])

/** LMDB calls a write that was cut short an input/output error. */
const isFull = (directory: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < 1 << 20
  } catch {
    return false
  }
}
