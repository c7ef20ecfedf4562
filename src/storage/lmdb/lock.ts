import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreUnavailableError } from '../contract.js'

export interface DirectoryLock {
  release(): void
}

interface Holder {
  readonly pid: number
  /** Distinguishes a process from a later one with the same id, on platforms where this is possible. */
  readonly start: string | undefined
}

const generationPattern = /^lock\.\d+$/
const draftPrefix = 'lock-'

export const isLockFile = (name: string): boolean => generationPattern.test(name) || name.startsWith(draftPrefix)

/**
 * Makes this process, and within it this caller, the only owner of the directory. Node has no flock, so the lock is the file
 * `lock.<n>` with the highest n, which names its holder and counts for as long as that process lives. A process that finds the
 * holder gone links `lock.<n+1>`, complete with content; the file system lets only one process succeed. A release empties the
 * highest file but never removes it, so a number is never used twice.
 */
export const lockDirectory = (directory: string): DirectoryLock => {
  const draft = join(directory, `${draftPrefix}${randomUUID()}`)
  const holder: Holder = { pid: process.pid, start: startOf(process.pid) }
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
  try {
    for (;;) {
      const found = generations(directory)
      const newest = found.at(-1) ?? 0
      const owner = holderOf(directory, newest)
      if (owner !== undefined && isAlive(owner)) throw new StoreUnavailableError(`${directory} is in use by process ${owner.pid}`)
      if (!link(draft, file(directory, newest + 1))) continue
      if (generations(directory).at(-1) !== newest + 1) {
        // Other processes were two steps ahead, and had already removed the number that this process tried.
        rmSync(file(directory, newest + 1), { force: true })
        continue
      }
      for (const older of found) rmSync(file(directory, older), { force: true })
      return { release: () => release(directory, newest + 1) }
    }
  } finally {
    rmSync(draft, { force: true })
  }
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
    const content: Partial<Holder> = JSON.parse(readFileSync(file(directory, generation), 'utf8'))
    return typeof content.pid === 'number' ? { pid: content.pid, start: content.start } : undefined
  } catch {
    return undefined
  }
}

const isAlive = ({ pid, start }: Holder): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const present = startOf(pid)
  return start === undefined || present === undefined || start === present
}

/**
 * On Linux, the boot id and the time of the process's start since then. On other platforms this is known for this process only.
 */
const startOf = (pid: number): string | undefined => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name, in parentheses, may contain any character; the start time is the 20th field after it.
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return pid === process.pid ? String(Math.round(performance.timeOrigin)) : undefined
  }
}
