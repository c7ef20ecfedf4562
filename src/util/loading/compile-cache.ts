/**
 * Lets Node keep the code that V8 compiles, for the next start of this installation (module.enableCompileCache, since Node 22.8): compiling
 * three megabytes of source takes longer than everything else that a start does. Node 20 compiles at every start.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { userCache } from './user-cache.js'

type Environment = Readonly<Record<string, string | undefined>>

/** What Node has for it; the types are those of Node 20. */
interface CompileCache {
  enableCompileCache?(folder: string): unknown
  flushCompileCache?(): void
}

/** Milliseconds after which everything that a start needs has been compiled. */
const keptAfterMs = 3000
/** The file that names the installation to which a folder belongs. */
const ownerFile = 'installation'

/** The folder of an installation; undefined where the environment wants none, by the variable that Node itself knows. */
export const compileCacheFolder = (installation: string, env: Environment): string | undefined =>
  env.NODE_DISABLE_COMPILE_CACHE === undefined && env.NODE_V8_COVERAGE === undefined
    ? join(userCache(process.platform, env), 'binnacle', 'compiled', digest(installation))
    : undefined

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/**
 * From now on, Node takes the code of modules from the cache. They are added when a start has had its time, and when the process ends.
 * `underKeptFlags` calls a function under the flags of V8 that are in force now, because V8 refuses code that was kept under others.
 */
export function useCompileCache(
  installation: string,
  underKeptFlags: (run: () => void) => void,
  { enableCompileCache, flushCompileCache }: CompileCache = nodeModule as typeof nodeModule & CompileCache
): void {
  const folder = enableCompileCache && compileCacheFolder(installation, process.env)
  if (!folder || !prepare(folder, installation)) return
  enableCompileCache(folder)
  const keep = () => flushCompileCache && underKeptFlags(flushCompileCache)
  setTimeout(() => {
    keep()
    removeForsaken(dirname(folder))
  }, keptAfterMs).unref()
  process.on('exit', keep)
}

/** Makes the folder. Returns whether nobody else can write or replace what is in it, because that will be run. */
function prepare(folder: string, installation: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const isOwn = [folder, dirname(folder)].every(isPrivate)
    if (isOwn && !isNamed(folder, installation)) writeFileSync(join(folder, ownerFile), installation, { mode: 0o600 })
    return isOwn
  } catch {
    // each start compiles anew
    return false
  }
}

/** The folder of an image is made when the image is built, and cannot be written to later. */
const isNamed = (folder: string, installation: string): boolean => {
  const owner = join(folder, ownerFile)
  return existsSync(owner) && readFileSync(owner, 'utf8') === installation
}

/** With sudo, the folder may belong to another user. */
function isPrivate(folder: string): boolean {
  const status = lstatSync(folder)
  if (process.platform === 'win32') return status.isDirectory()
  return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & 0o077) === 0
}

/** Removes the folders of installations that are gone. */
function removeForsaken(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const owner = join(folder, name, ownerFile)
      if (existsSync(owner) && !existsSync(readFileSync(owner, 'utf8')))
        rmSync(join(folder, name), { recursive: true, force: true })
    }
  } catch {
    // another process removes them, too
  }
}
