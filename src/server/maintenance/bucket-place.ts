/** Scheduled backups in a bucket: --backup-bucket. */
import { join } from 'node:path'
import type { Progress } from '../../util/progress.js'
import { type BackupOptions, backup } from './backup.js'
import { isBackupName } from './backup-names.js'
import type { BackupPlace } from './backup-place.js'
import { BackupBucket, type BucketAddress, loadClient, withTemporary } from './bucket.js'

const dayMs = 24 * 60 * 60 * 1000

/** Makes a backup in the temporary folder, and uploads it. `uploaded` is told bytes. */
export const backupTo = (
  bucket: BackupBucket,
  dataDir: string,
  name: string,
  { uploaded, ...options }: BackupOptions & { readonly uploaded?: Progress | undefined }
): Promise<void> =>
  withTemporary(async folder => {
    const copy = join(folder, name)
    await backup(dataDir, copy, options)
    await bucket.upload(copy, name, uploaded)
  })

export class BucketPlace implements BackupPlace {
  readonly #dataDir: string
  readonly #address: BucketAddress
  readonly #ending = new AbortController()
  #opened: Promise<BackupBucket> | undefined

  constructor(dataDir: string, address: BucketAddress) {
    this.#dataDir = dataDir
    this.#address = address
  }

  get #bucket(): Promise<BackupBucket> {
    return (this.#opened ??= BackupBucket.open(this.#address, this.#ending.signal))
  }

  async check(): Promise<void> {
    await loadClient()
  }

  async present(): Promise<string[]> {
    return (await (await this.#bucket).present()).filter(isBackupName)
  }

  async make(name: string): Promise<string> {
    await backupTo(await this.#bucket, this.#dataDir, name, { flag: '--backup-bucket' })
    return `${this.#address.text.replace(/\/+$/, '')}/${name}`
  }

  async remove(name: string): Promise<void> {
    await (await this.#bucket).remove(name)
  }

  /** A server beside this one may be uploading what is younger than a day. */
  async tidy(): Promise<void> {
    await (await this.#bucket).removePartial(Date.now() - dayMs)
  }

  stop(): void {
    this.#ending.abort()
  }
}
