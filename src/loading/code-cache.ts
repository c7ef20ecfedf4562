/**
 * Loads the bundled modules with the machine code's forerunner that V8 made at an earlier start: parsing and compiling three megabytes of
 * source takes longer than everything else that a start does. The cache is in the user's cache folder, and belongs to one build of Binnacle,
 * one Node and one set of V8's flags.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { constants, Script } from 'node:vm'
import { userCache } from './user-cache.js'

/** Milliseconds after which the code that a start needs has been compiled, and can be kept. */
const keptAfter = 3000

type Require = (id: string) => unknown

/** The modules of a bundle in CommonJS. */
export class CachedBundle {
  readonly #directory: string
  readonly #modules = new Map<string, { exports: unknown }>()
  readonly #scripts = new Map<string, Script>()
  readonly #cache: Map<string, Buffer>
  readonly #cacheFile: string | undefined
  #isWaiting = false

  /**
   * `directory` holds the bundle. Without `cacheFolder`, nothing is kept. `program`: what it is loaded for, because programs may set flags
   * of V8 while they run.
   */
  constructor(directory: string, cacheFolder: string | undefined, program: string) {
    this.#directory = directory
    this.#cacheFile = cacheFolder && join(cacheFolder, `${keyOf(directory, program)}.bin`)
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
    const run = this.#script(path).runInThisContext() as (...given: unknown[]) => void
    run.call(module.exports, module.exports, Object.assign(own, require), module, path, dirname(path))
    return module.exports
  }

  /** The bundle has ASCII characters alone, so that V8 takes a byte for each, and need not decode them. */
  #script(path: string): Script {
    const cachedData = this.#cache.get(path)
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'latin1')}\n})`,
      {
        filename: path,
        cachedData,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
      }
    )
    if (cachedData === undefined || script.cachedDataRejected) this.#scripts.set(path, script)
    return script
  }

  /**
   * Keeps the compiled code once, when a start has had its time or the process ends before that. Calls `done` then: until that, V8's flags
   * must stay as they were, because V8 takes code only under the flags under which it was kept.
   */
  keepLater(done: () => unknown = () => {}): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const keep = () => {
      clearTimeout(timer)
      process.off('exit', keep)
      this.keep()
      done()
    }
    const timer = setTimeout(keep, keptAfter)
    timer.unref()
    process.on('exit', keep)
  }

  /** Writes what was compiled for lack of a cache. A folder that cannot be written costs only the time of the next start. */
  keep(): void {
    if (this.#cacheFile === undefined || this.#scripts.size === 0) return
    for (const [path, script] of this.#scripts) this.#cache.set(path, script.createCachedData())
    this.#scripts.clear()
    writeCache(this.#cacheFile, this.#cache)
  }
}

/** The folder for compiled code; undefined where the environment says that there shall be none (as for Node's own cache). */
export const codeCacheFolder = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.NODE_DISABLE_COMPILE_CACHE === undefined && env.NODE_V8_COVERAGE === undefined
    ? join(userCache(process.platform, env), 'binnacle', 'code')
    : undefined

/** Says which build and which Node a cache belongs to: V8 itself checks its version and flags, but of the source only the length. */
function keyOf(directory: string, program: string): string {
  const given = `${process.version} ${process.arch} ${process.execArgv.join(' ')} ${directory} ${program}`
  const hash = createHash('sha256').update(given)
  for (const name of readdirSync(directory).sort()) {
    if (!name.endsWith('.cjs')) continue
    const { size, mtimeMs } = statSync(join(directory, name))
    hash.update(` ${name} ${size} ${mtimeMs}`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** The layout of the file: the length of the JSON table of paths and lengths (four bytes), the table, and the code of each path in its order. */
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

/** Whether nobody else can have written the file: what is in it will run. With sudo, the folder may be that of another user. */
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

/** Most files in the folder: one for each installation, Node and set of flags in use. */
const mostFiles = 8

function removeOld(folder: string): void {
  const files = readdirSync(folder).map(name => join(folder, name))
  const byAge = files.map(file => ({ file, age: statSync(file).mtimeMs })).sort((a, b) => b.age - a.age)
  for (const { file } of byAge.slice(mostFiles - 1)) rmSync(file, { force: true })
}
