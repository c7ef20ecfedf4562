/**
 * Loads the bundled modules with the machine code's forerunner that V8 made at an earlier start: parsing and compiling three megabytes of
 * source takes longer than everything else that a start does. The cache is in the user's cache folder, and belongs to one build of Binnacle,
 * and one V8 with its flags.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { userCache } from './user-cache.js'

/** Milliseconds after which everything that a start needs has been compiled, so that the code can be kept. */
const keptAfter = 3000

type Require = (id: string) => unknown
type UnderFlags = <T>(run: () => T) => T

/**
 * The modules of a CommonJS bundle, loaded with the code that V8 compiled for an earlier process. They must not contain `import()`,
 * which code that was kept cannot use in Node 20; scripts/build/bundle.mjs makes `require` of it.
 */
export class CachedBundle {
  readonly #directory: string
  readonly #modules = new Map<string, { exports: unknown }>()
  readonly #scripts = new Map<string, Script>()
  readonly #cache: Map<string, Buffer>
  readonly #cacheFile: string | undefined
  readonly #underKeptFlags: UnderFlags
  #isWaiting = false
  #isKept = false

  /**
   * `directory` holds the bundle. Without `cacheFolder`, nothing is kept. `underKeptFlags` calls a function under the flags of V8 that are
   * in force now, for programs that change them later.
   */
  constructor(directory: string, cacheFolder: string | undefined, underKeptFlags: UnderFlags = run => run()) {
    this.#directory = directory
    this.#underKeptFlags = underKeptFlags
    this.#cacheFile = cacheFolder && cacheFileOf(directory, cacheFolder)
    this.#cache = this.#cacheFile === undefined ? new Map() : readCache(this.#cacheFile)
  }

  /** Runs a module, and returns what it exports. */
  load(name: string): unknown {
    const path = resolve(this.#directory, name)
    const loaded = this.#modules.get(path)
    if (loaded) return loaded.exports
    const module = { exports: {} as unknown }
    this.#modules.set(path, module)
    const require = createRequire(path)
    const own: Require = id => (id.startsWith('.') ? this.load(resolve(dirname(path), id)) : require(id))
    const script = this.#underKeptFlags(() => this.#script(path))
    const run = script.runInThisContext() as (...given: unknown[]) => void
    run.call(module.exports, module.exports, Object.assign(own, require), module, path, dirname(path))
    return module.exports
  }

  /** Reads the script as Latin-1, which V8 need not decode: the bundle consists of ASCII characters. */
  #script(path: string): Script {
    const cachedData = this.#cache.get(relative(this.#directory, path))
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'latin1')}\n})`,
      { filename: path, cachedData }
    )
    if (!this.#isKept && (cachedData === undefined || script.cachedDataRejected)) this.#scripts.set(path, script)
    return script
  }

  /**
   * Keeps the compiled code once, when a start has had its time or the process ends before that. The code of modules that are loaded later
   * is not kept, and that of the others takes no memory twice any more.
   */
  keepLater(): void {
    if (this.#cacheFile === undefined || this.#isWaiting) return
    this.#isWaiting = true
    const keep = () => {
      clearTimeout(timer)
      process.off('exit', keep)
      this.keep()
      this.#cache.clear()
      this.#isKept = true
    }
    const timer = setTimeout(keep, keptAfter)
    timer.unref()
    process.on('exit', keep)
  }

  /** Writes the code that this process had to compile. If the folder cannot be written, the next start compiles it again. */
  keep(): void {
    if (this.#cacheFile === undefined || this.#scripts.size === 0) return
    this.#underKeptFlags(() => {
      for (const [path, script] of this.#scripts) this.#cache.set(relative(this.#directory, path), script.createCachedData())
    })
    this.#scripts.clear()
    writeCache(this.#cacheFile, this.#cache)
  }
}

/** The folder for compiled code; undefined when the environment disables it, as for Node's own cache. */
export const codeCacheFolder = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.NODE_DISABLE_COMPILE_CACHE === undefined && env.NODE_V8_COVERAGE === undefined
    ? join(userCache(process.platform, env), 'binnacle', 'code')
    : undefined

/** The file in a bundle that says which build it is, because V8 itself compares no more than the length of a source. */
export const identityFile = 'identity.txt'

/** Returns undefined for a bundle that does not say which build it is. */
function cacheFileOf(directory: string, folder: string): string | undefined {
  try {
    const identity = readFileSync(join(directory, identityFile), 'latin1')
    // kept code names its files, which stack traces show: those of another installation would mislead
    const place = createHash('sha256').update(directory).digest('hex').slice(0, 8)
    return join(folder, `${identity}-${place}-${cachedDataVersionTag().toString(16)}.bin`)
  } catch {
    return undefined
  }
}

/** The layout of the file: the length of the JSON table of names and lengths (four bytes), the table, and the code of each module in its order. */
function readCache(file: string): Map<string, Buffer> {
  try {
    if (!isOwn(file)) return new Map()
    const bytes = readFileSync(file)
    const start = 4 + bytes.readUInt32LE(0)
    const table = JSON.parse(bytes.toString('utf8', 4, start)) as [string, number][]
    let at = start
    return new Map(table.map(([path, length]) => [path, bytes.subarray(at, (at += length))]))
  } catch {
    return new Map()
  }
}

/**
 * Whether nobody else can have written the file, because its content will be run. With sudo, the folder may belong to another
 * user.
 */
function isOwn(file: string): boolean {
  const { uid, mode } = statSync(file)
  return process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0)
}

function writeCache(file: string, cache: ReadonlyMap<string, Buffer>): void {
  const table = Buffer.from(JSON.stringify([...cache].map(([path, { length }]) => [path, length])))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(table.length)
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    removeOld(dirname(file))
    writeFileSync(temporary, Buffer.concat([size, table, ...cache.values()]), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    // The next start compiles again.
  }
}

/** How many files the folder may have: one for each build, version of V8 and set of flags in use. */
const mostFiles = 8

function removeOld(folder: string): void {
  const files = readdirSync(folder).map(name => join(folder, name))
  const byAge = files.map(file => ({ file, age: statSync(file).mtimeMs })).sort((a, b) => b.age - a.age)
  for (const { file } of byAge.slice(mostFiles - 1)) rmSync(file, { force: true })
}
