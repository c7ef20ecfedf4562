/**
 * A log file that is renamed when it is full, as lumberjack does it for kube-apiserver: `audit.log` becomes
 * `audit-2026-01-02T15-04-05.000.log`, and in time `audit-2026-01-02T15-04-05.000.log.gz`. Writing is synchronous: when `write` returns,
 * the text is in the file, whatever becomes of the process.
 */
import fs from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Clock } from '../../util/clock.js'
import { fileError } from '../../util/user-error.js'

export interface RotatingFileOptions {
  readonly path: string
  /** Bytes of a full file; 0 for a file that is never full. */
  readonly maxBytes: number
  /** Milliseconds for which a full file is kept; 0 for ever. */
  readonly maxAge: number
  /** Full files that are kept; 0 for all. */
  readonly maxBackups: number
  /** Whether full files are compressed. */
  readonly compress: boolean
  readonly clock: Clock
  /** Is told what keeps old files from being removed or compressed. */
  failed(error: Error): void
}

const day = 24 * 60 * 60 * 1000
export const milliseconds = (days: number) => days * day

export class RotatingFile {
  readonly #options: RotatingFileOptions
  #fd: number | undefined
  #size = 0
  #tidying: Promise<void> | undefined
  #again = false

  /** Opens the file, or creates it so that only its owner can read it. Throws a UserError. */
  constructor(options: RotatingFileOptions) {
    this.#options = options
    try {
      fs.mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 })
      this.#open()
    } catch (error) {
      throw fileError(`--audit-log-path ${options.path}`, error)
    }
    if (options.maxBytes > 0) this.#tidy()
  }

  /** Appends whole lines. Throws when the disk fails, and for lines that no file may hold. */
  write(text: string): void {
    const bytes = Buffer.from(text)
    const { maxBytes } = this.#options
    if (maxBytes > 0) {
      if (bytes.length > maxBytes) throw new Error(`write length ${bytes.length} exceeds maximum file size ${maxBytes}`)
      if (this.#size + bytes.length > maxBytes) this.#rotate()
    }
    // a failed rotation leaves no file open: the next write tries again
    if (this.#fd === undefined) this.#open()
    for (let at = 0; at < bytes.length; ) {
      const written = fs.writeSync(this.#fd!, bytes, at)
      at += written
      this.#size += written
    }
  }

  /** Closes the file; resolves when old files have been removed and compressed. */
  async close(): Promise<void> {
    this.#close()
    await this.#tidying
  }

  #open(): void {
    this.#fd = fs.openSync(this.#options.path, 'a', 0o600)
    this.#size = fs.fstatSync(this.#fd).size
  }

  #close(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd)
    this.#fd = undefined
  }

  #rotate(): void {
    const { path, clock } = this.#options
    this.#close()
    const { prefix, extension, folder } = partsOf(path)
    // a name that is taken, because two files were full within a millisecond, is not taken again
    let time = clock.now()
    while (fs.existsSync(join(folder, `${prefix}${stamp(time)}${extension}`))) time++
    fs.renameSync(path, join(folder, `${prefix}${stamp(time)}${extension}`))
    this.#open()
    this.#tidy()
  }

  /** Removes and compresses old files, one run at a time. */
  #tidy(): void {
    this.#again = true
    this.#tidying ??= (async () => {
      while (this.#again) {
        this.#again = false
        await tidy(this.#options).catch(this.#options.failed)
      }
      this.#tidying = undefined
    })()
  }
}

const compressed = '.gz'

/** Splits the name into the parts around the time: `audit-` and `.log`. */
function partsOf(path: string) {
  const extension = extname(path)
  return { folder: dirname(path), extension, prefix: `${basename(path, extension)}-` }
}

const stamp = (time: number) => new Date(time).toISOString().slice(0, -1).replaceAll(':', '-')

interface Backup {
  readonly name: string
  readonly time: number
}

async function tidy({ path, maxAge, maxBackups, compress, clock }: RotatingFileOptions): Promise<void> {
  const { folder, prefix, extension } = partsOf(path)
  const backups: Backup[] = []
  for (const name of await readdir(folder)) {
    const bare = name.endsWith(compressed) ? name.slice(0, -compressed.length) : name
    const time =
      bare.startsWith(prefix) && bare.endsWith(extension)
        ? timeOf(bare.slice(prefix.length, bare.length - extension.length))
        : undefined
    if (time !== undefined) backups.push({ name, time })
  }
  backups.sort((a, b) => b.time - a.time)
  const times = [...new Set(backups.map(backup => backup.time))]
  const oldest = maxBackups > 0 && times.length > maxBackups ? times[maxBackups - 1]! : Number.NEGATIVE_INFINITY
  const cutoff = maxAge > 0 ? clock.now() - maxAge : Number.NEGATIVE_INFINITY
  for (const { name, time } of backups) {
    const file = join(folder, name)
    if (time < oldest || time < cutoff) await rm(file, { force: true })
    else if (compress && !name.endsWith(compressed)) await gzip(file)
  }
}

function timeOf(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text)
  const time = match ? Date.parse(`${match[1]}:${match[2]}:${match[3]}Z`) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** Compresses into a file beside it, so that a crash leaves no half of it under the final name. */
async function gzip(file: string): Promise<void> {
  const partial = `${file}${compressed}.tmp`
  const target = await open(partial, 'w', 0o600)
  try {
    await pipeline(fs.createReadStream(file), createGzip(), target.createWriteStream())
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await rename(partial, `${file}${compressed}`)
  await rm(file)
}
