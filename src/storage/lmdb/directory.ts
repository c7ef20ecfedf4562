import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { StoreUnavailableError } from '../contract.js'
import { isLockFile } from './lock.js'

export type Root = RootDatabase<Buffer, Buffer>

export const tableOptions = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const

const dataFile = 'data.mdb'

/** What may be there before the database is: the server's certificates, and what the root of every mounted ext4 has in it. */
const neighbours = new Set(['pki', 'lost+found'])

/** Virtual address space only; LMDB makes the map larger when the data outgrows it. */
const firstMapSize = 1 << 30

/** Makes the directory if need be, and refuses one with other people's files in it before anything is written there. */
export const prepareDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (existsSync(join(directory, dataFile))) return
    if (readdirSync(directory).some(name => !isLockFile(name) && !neighbours.has(name))) throw notOurs(directory)
  } catch (error) {
    throw unavailable(directory, 'use', error)
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
    // Every transaction is an explicit batch; lmdb need not wait for more writes of the same turn.
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

export const notOurs = (directory: string): StoreUnavailableError => new StoreUnavailableError(`${directory} is not a Binnacle data directory`)

/** What went wrong, in one line for people. */
export const unavailable = (directory: string, action: string, error: unknown): StoreUnavailableError => {
  if (error instanceof StoreUnavailableError) return error
  const { message } = error as Error
  if (message.includes('MDB_INVALID') || message.includes('MDB_VERSION_MISMATCH')) return notOurs(directory)
  return new StoreUnavailableError(`cannot ${action} ${directory}: ${message}`, { cause: error })
}
