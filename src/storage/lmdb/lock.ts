import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreUnavailableError } from '../contract.js'
import { describe, type Holder, isAlive, listenAt, parseHolder, thisProcess, touch, usualTimes } from './holder.js'

export interface DirectoryLock {
  release(): void
}

const generationPattern = /^lock\.\d+$/
/** Drafts and sockets. */
const draftPrefix = 'lock-'

export const isLockFile = (name: string): boolean => generationPattern.test(name) || name.startsWith(draftPrefix)

/**
 * Makes this process, and within it this caller, the only owner of the directory. Node has no flock, so the lock is the file `lock.<n>`
 * with the highest n. It names its holder, and counts as long as that process lives (holder.ts). A process that finds the holder gone
 * links `lock.<n+1>`, complete with content. The file system lets only one process succeed. A release empties the highest file but never
 * removes it, so no number is used twice. Rejects with StoreUnavailableError.
 */
export const lockDirectory = async (directory: string, times = usualTimes): Promise<DirectoryLock> => {
  const name = `${draftPrefix}${randomUUID()}`
  const draft = join(directory, name)
  const socket = `${name}.sock`
  // it listens before anybody can see the lock
  const close = await listenAt(directory, socket)
  try {
    writeFileSync(draft, JSON.stringify({ ...thisProcess(), ...(close && { socket }) } satisfies Holder), { mode: 0o600 })
    const generation = await takeLock(directory, draft, times)
    const stopTouching = touch(file(directory, generation), times)
    return {
      release() {
        stopTouching()
        release(directory, generation)
        close?.()
      }
    }
  } catch (error) {
    close?.()
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Resolves with the number of the lock file that the draft has become. */
const takeLock = async (directory: string, draft: string, times: typeof usualTimes): Promise<number> => {
  for (;;) {
    const found = generations(directory)
    const newest = found.at(-1) ?? 0
    const owner = holderOf(directory, newest)
    if (owner !== undefined && (await isAlive(directory, file(directory, newest), owner, times)))
      throw new StoreUnavailableError(`${directory} is in use by ${describe(owner)}: stop it first, or use another folder`)
    if (!link(draft, file(directory, newest + 1))) continue
    if (generations(directory).at(-1) !== newest + 1) {
      // Other processes were two steps ahead, and had already removed the number that this process tried.
      rmSync(file(directory, newest + 1), { force: true })
      continue
    }
    for (const older of found) rmSync(file(directory, older), { force: true })
    if (owner?.socket?.startsWith(draftPrefix) && !owner.socket.includes('/'))
      rmSync(join(directory, owner.socket), { force: true })
    return newest + 1
  }
}

/** Who has locked a folder, and whether that process lives; undefined where the lock was released or never taken. */
export async function lockOf(directory: string, times = usualTimes): Promise<{ who: string; lives: boolean } | undefined> {
  const newest = existsSync(directory) ? (generations(directory).at(-1) ?? 0) : 0
  const owner = holderOf(directory, newest)
  if (owner === undefined) return undefined
  return { who: describe(owner), lives: await isAlive(directory, file(directory, newest), owner, times) }
}

const file = (directory: string, generation: number): string => join(directory, `lock.${generation}`)

const generations = (directory: string): number[] =>
  readdirSync(directory)
    .filter(name => generationPattern.test(name))
    .map(name => Number(name.slice('lock.'.length)))
    .sort((a, b) => a - b)

const release = (directory: string, generation: number): void => {
  try {
    truncateSync(file(directory, generation))
  } catch {
    // The directory is gone or read-only: the end of the process releases the lock.
  }
}

const link = (draft: string, target: string): boolean => {
  try {
    linkSync(draft, target)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Returns undefined when there is no such lock, when it was released, or when it was being written as the machine stopped. */
const holderOf = (directory: string, generation: number): Holder | undefined => {
  try {
    return parseHolder(readFileSync(file(directory, generation), 'utf8'))
  } catch {
    return undefined
  }
}
