/**
 * The files of the front end. They are listed once, and requests are looked up in that list: no path of a request reaches the file
 * system.
 */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Response } from '../../apimachinery/request/message.js'
import { type Coding, chosenCoding, codings } from './codings.js'
import { consolePath } from './console-path.js'

/** Names of files here have a hash of what they hold. */
const assetsPath = `${consolePath}assets/`

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm'
}

interface KnownFile {
  readonly path: string
  /** Its compressed forms, by their codings. */
  readonly compressed: ReadonlyMap<Coding, string>
}

interface ReadFile {
  readonly bytes: Buffer
  readonly etag: string
}

export class ConsoleFiles {
  readonly #folder: () => Promise<string | undefined>
  #known: Promise<ReadonlyMap<string, KnownFile> | undefined> | undefined
  /** What has been read, by the paths of files: never more than the package has. */
  readonly #read = new Map<string, Promise<ReadFile>>()

  /** `folder` finds the folder of the built front end. It is asked again as long as there is none. */
  constructor(folder: () => Promise<string | undefined>) {
    this.#folder = folder
  }

  async isThere(): Promise<boolean> {
    return (await this.#all()) !== undefined
  }

  /** Answers with the file of a path, or with the page; undefined when there is no such file, or no front end at all. */
  async answer(path: string, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Response | undefined> {
    const all = await this.#all()
    if (!all) return undefined
    const own = path === consolePath ? undefined : all.get(path)
    const served = own ? path : isOfPage(path, headers) ? `${consolePath}index.html` : undefined
    const file = served === undefined ? undefined : all.get(served)
    return file && this.#respond(served!, file, headers)
  }

  async #respond(
    served: string,
    { path, compressed }: KnownFile,
    { 'accept-encoding': accepted, 'if-none-match': known }: Readonly<Record<string, string | string[] | undefined>>
  ): Promise<Response> {
    const headers: Record<string, string> = {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      'cache-control': served.startsWith(assetsPath) ? 'public, max-age=31536000, immutable' : 'no-cache',
      // the same for all codings, of which each shows the same
      etag: (await this.#file(path)).etag
    }
    if (compressed.size > 0) headers.vary = 'Accept-Encoding'
    if (
      known !== undefined &&
      String(known)
        .split(',')
        .some(tag => tag.trim() === headers.etag || tag.trim() === '*')
    )
      return { status: 304, headers }
    const coding = chosenCoding(accepted === undefined ? undefined : String(accepted), compressed)
    if (coding !== undefined) headers['content-encoding'] = coding
    return { status: 200, headers, body: (await this.#file(coding === undefined ? path : compressed.get(coding)!)).bytes }
  }

  #file(path: string): Promise<ReadFile> {
    const before = this.#read.get(path)
    if (before) return before
    const file = readFile(path).then(bytes => ({ bytes, etag: `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` }))
    this.#read.set(path, file)
    file.catch(() => this.#read.delete(path))
    return file
  }

  async #all(): Promise<ReadonlyMap<string, KnownFile> | undefined> {
    const listed = (this.#known ??= this.#list())
    const known = await listed.catch(() => undefined)
    if (!known && this.#known === listed) this.#known = undefined
    return known
  }

  async #list(): Promise<ReadonlyMap<string, KnownFile> | undefined> {
    const folder = await this.#folder()
    if (folder === undefined) return undefined
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    // a symbolic link is no file: it could lead anywhere
    const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const all = new Set(paths)
    const known = new Map<string, KnownFile>()
    for (const path of paths) {
      if (codings.some(({ ending }) => path.endsWith(ending) && all.has(path.slice(0, -ending.length)))) continue
      const found = codings.filter(({ ending }) => all.has(path + ending))
      const compressed = new Map(found.map(({ coding, ending }) => [coding, path + ending] as const))
      known.set(consolePath + relative(folder, path).split(sep).join('/'), { path, compressed })
    }
    return known.has(`${consolePath}index.html`) ? known : undefined
  }
}

/**
 * Whether a path is one of the page's own, by which it finds its way itself. Names of objects may have dots: a browser that goes there wants
 * a page, and not a file.
 */
function isOfPage(path: string, headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  if (path.startsWith(assetsPath)) return false
  if (!path.slice(path.lastIndexOf('/')).includes('.')) return true
  return headers['sec-fetch-mode'] === 'navigate' || /(?:^|,)\s*text\/html\b/i.test(String(headers.accept ?? ''))
}
