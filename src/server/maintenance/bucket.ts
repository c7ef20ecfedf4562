/**
 * Backups in a bucket of S3, or of a service that speaks its protocol: the files of a backup are objects below its name, and one more,
 * written last, lists them with their digests. Without that one, there is no backup. AWS's own client finds region, endpoint and
 * credentials as its documentation says (https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html).
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Progress } from '../../util/progress.js'
import { UserError } from '../../util/user-error.js'
import { isBackupName } from './backup-names.js'

/** Where backups are in S3: `s3://bucket/folder`. */
export interface BucketAddress {
  readonly bucket: string
  /** "" or a path that ends with a slash. */
  readonly prefix: string
  /** As it was written. */
  readonly text: string
}

interface ListedFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

interface Listing {
  readonly files: readonly ListedFile[]
}

/** The object that makes a backup complete. */
const listingName = 'backup.json'
/** Of a listing; a backup has some twenty files. */
const mostListingBytes = 1024 * 1024
/** What files of a backup are called: nothing that leads out of its folder. */
const filePattern = /^(?:store|pki)\/[\w.-]+$/
/** S3 takes at most 10,000 parts of an object, each of at least 5 MiB. */
const mostParts = 9000
const leastPartBytes = 8 * 1024 * 1024
/** Milliseconds for a connection, and for one on which nothing comes or goes. */
const connectMs = 10_000
const silentMs = 60_000

/** The address of one backup in a bucket. */
export interface BackupAddress {
  readonly folder: BucketAddress
  readonly name: string
}

/** Also for one with a mistake: no folder is called so. */
export const isBucketAddress = (text: string): boolean => text.startsWith('s3:')

/** Throws a UserError for a text that is no address. */
export function bucketAddress(text: string, flag: string): BucketAddress {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  if (bucket === undefined)
    throw new UserError(`${flag} ${JSON.stringify(text)}: must be like "s3://bucket" or "s3://bucket/folder"`)
  const parts = path.split('/').filter(Boolean)
  return { bucket, prefix: parts.map(part => `${part}/`).join(''), text }
}

/** Throws a UserError for a text that names no backup. */
export function backupAddress(text: string, flag: string): BackupAddress {
  const [, folder, name] = /^(.*[^/]|s3:\/\/)\/+([\w.-]+)\/*$/.exec(text) ?? []
  if (!folder?.startsWith('s3://'))
    throw new UserError(`${flag} ${JSON.stringify(text)}: must be like "s3://bucket/NAME" or "s3://bucket/folder/NAME"`)
  return { folder: bucketAddress(folder, flag), name: name! }
}

/** Loads AWS's client only when it is needed: it need not be installed. */
export async function loadClient() {
  try {
    const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
    return { ...s3, Upload }
  } catch (error) {
    // the bundle has a require for each import
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((error as { code?: string }).code ?? '')) throw error
    throw new UserError('backups in S3 need packages that are not installed: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage')
  }
}

export class BackupBucket {
  readonly #address: BucketAddress
  readonly #aws: Awaited<ReturnType<typeof loadClient>>
  readonly #client: S3Client
  readonly #signal: AbortSignal

  /** Rejects with a UserError when AWS's client is not installed. */
  static async open(address: BucketAddress, signal: AbortSignal = new AbortController().signal): Promise<BackupBucket> {
    return new BackupBucket(address, await loadClient(), signal)
  }

  private constructor(address: BucketAddress, aws: Awaited<ReturnType<typeof loadClient>>, signal: AbortSignal) {
    this.#address = address
    this.#aws = aws
    this.#signal = signal
    const isOther = Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL)
    const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? (isOther ? 'us-east-1' : undefined)
    this.#client = new aws.S3Client({
      ...(region !== undefined && { region }),
      // other services have no name of its own for each bucket, and may not know newer checksums
      forcePathStyle: isOther,
      requestHandler: { connectionTimeout: connectMs, socketTimeout: silentMs },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED'
    })
  }

  /** Returns the names of the backups that are complete, the oldest first. */
  async present(): Promise<string[]> {
    const names: string[] = []
    for await (const { path } of this.#keys('')) {
      const [name, file, ...more] = path.split('/', 3)
      if (file === listingName && more.length === 0) names.push(name!)
    }
    return names.sort()
  }

  /** Uploads a folder as the backup of a name. `progress` is told bytes. */
  async upload(folder: string, name: string, progress?: Progress): Promise<void> {
    const paths: string[] = []
    for (const part of ['store', 'pki'])
      for (const file of await readdir(join(folder, part)).catch(() => [])) paths.push(`${part}/${file}`)
    const sizes = await Promise.all(paths.map(async path => (await stat(join(folder, path))).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    const files: ListedFile[] = []
    let done = 0
    for (const [i, path] of paths.entries()) {
      const bytes = sizes[i]!
      const digest = createHash('sha256')
      const stream = createReadStream(join(folder, path))
      const read = async function* () {
        for await (const chunk of stream) {
          digest.update(chunk)
          yield chunk
          progress?.((done += chunk.length), total)
        }
      }
      const upload = new this.#aws.Upload({
        client: this.#client,
        params: { Bucket: this.#address.bucket, Key: this.#key(`${name}/${path}`), Body: Readable.from(read()) },
        partSize: Math.max(leastPartBytes, Math.ceil(bytes / mostParts)),
        queueSize: 2
      })
      const abort = () => void upload.abort()
      this.#signal.addEventListener('abort', abort)
      await this.#told(upload.done()).finally(() => {
        this.#signal.removeEventListener('abort', abort)
        stream.destroy()
      })
      files.push({ path, bytes, sha256: digest.digest('hex') })
    }
    const listing: Listing = { files }
    await this.#put(`${name}/${listingName}`, `${JSON.stringify(listing, undefined, 2)}\n`)
  }

  /** Downloads a backup into a folder that it makes. Rejects with a UserError when there is none, or when it is damaged. */
  async download(name: string, folder: string, progress?: Progress): Promise<void> {
    const { files } = await this.#listing(name)
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    let done = 0
    for (const { path, bytes, sha256 } of files) {
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const digest = createHash('sha256')
      let length = 0
      const read = async function* (body: AsyncIterable<Buffer>) {
        for await (const chunk of body) {
          digest.update(chunk)
          length += chunk.length
          // the disk gets no more than was promised
          if (length > bytes) return
          yield chunk
          progress?.((done += chunk.length), total)
        }
      }
      const body = await this.#get(`${name}/${path}`)
      const file = createWriteStream(target, { flags: 'wx', mode: 0o600 })
      await this.#told(pipeline(body, read, file, { signal: this.#signal }))
      if (length !== bytes || digest.digest('hex') !== sha256)
        throw new UserError(`${this.#shown(`${name}/${path}`)} is damaged: it is not what ${listingName} says`)
    }
  }

  async remove(name: string): Promise<void> {
    // first what makes it complete
    await this.#delete(`${name}/${listingName}`)
    const paths: string[] = []
    for await (const { path } of this.#keys(`${name}/`)) paths.push(path)
    for (const path of paths) await this.#delete(path)
  }

  /** Removes what is part of no complete backup and was written before a time. */
  async removePartial(before: number): Promise<void> {
    const complete = new Set(await this.present())
    const partial: string[] = []
    for await (const { path, time } of this.#keys('')) {
      const [name] = path.split('/', 1)
      if (isBackupName(name!) && !complete.has(name!) && time < before) partial.push(path)
    }
    for (const path of partial) await this.#delete(path)
  }

  async #listing(name: string): Promise<Listing> {
    let text = ''
    try {
      for await (const chunk of await this.#get(`${name}/${listingName}`)) {
        text += chunk
        if (text.length > mostListingBytes) throw new UserError(`${this.#shown(`${name}/${listingName}`)} is too long`)
      }
    } catch (error) {
      if (!(error instanceof this.#aws.NoSuchKey)) throw error
      const names = await this.present()
      throw new UserError(
        `${this.#shown(name)} is no backup; there ${names.length === 0 ? 'are none' : `are ${names.slice(-10).join(', ')}`}`
      )
    }
    const listing = parsed(text)
    if (!listing) throw new UserError(`${this.#shown(`${name}/${listingName}`)} is damaged`)
    return listing
  }

  #key(path: string): string {
    return this.#address.prefix + path
  }

  #shown(path: string): string {
    return `s3://${this.#address.bucket}/${this.#key(path)}`
  }

  /** The objects of a path, whose names begin behind the prefix. A bucket may have any number of others. */
  async *#keys(path: string): AsyncIterable<{ readonly path: string; readonly time: number }> {
    const Prefix = this.#key(path)
    for (let token: string | undefined; ; ) {
      const command = new this.#aws.ListObjectsV2Command({ Bucket: this.#address.bucket, Prefix, ContinuationToken: token })
      const { Contents = [], NextContinuationToken } = await this.#told(this.#send(command))
      for (const { Key, LastModified } of Contents)
        yield { path: Key!.slice(this.#address.prefix.length), time: LastModified?.getTime() ?? 0 }
      token = NextContinuationToken
      if (token === undefined) return
    }
  }

  async #get(path: string): Promise<Readable> {
    const command = new this.#aws.GetObjectCommand({ Bucket: this.#address.bucket, Key: this.#key(path) })
    const { Body } = await this.#told(this.#send(command))
    return Body as Readable
  }

  async #put(path: string, Body: string): Promise<void> {
    const command = new this.#aws.PutObjectCommand({ Bucket: this.#address.bucket, Key: this.#key(path), Body })
    await this.#told(this.#send(command))
  }

  async #delete(path: string): Promise<void> {
    const command = new this.#aws.DeleteObjectCommand({ Bucket: this.#address.bucket, Key: this.#key(path) })
    await this.#told(this.#send(command))
  }

  #send: S3Client['send'] = (command: any) => this.#client.send(command, { abortSignal: this.#signal }) as any

  /** Names the bucket in the errors of AWS's client, which are often a word. */
  async #told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error instanceof this.#aws.NoSuchKey || error instanceof UserError) throw error
      const { name, message } = error as Error
      throw new UserError(`${this.#address.text}: ${message && message !== name ? message : name}`, { cause: error })
    }
  }

  close(): void {
    this.#client.destroy()
  }
}

function parsed(text: string): Listing | undefined {
  try {
    const { files } = JSON.parse(text)
    const isFile = ({ path, bytes, sha256 }: ListedFile) =>
      filePattern.test(path) && Number.isSafeInteger(bytes) && bytes >= 0 && /^[0-9a-f]{64}$/.test(sha256)
    return Array.isArray(files) && files.every(isFile) ? { files } : undefined
  } catch {
    return undefined
  }
}

/** Gives `use` a folder that is removed afterwards and that nobody else can read. */
export async function withTemporary<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-backup-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
