/** Backups in a folder: --backup-folder. */
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backup } from './backup.js'
import { isBackupName } from './backup-names.js'
import type { BackupPlace } from './backup-place.js'

const dayMs = 24 * 60 * 60 * 1000

/** What a backup is called while it grows, and while it is removed. */
const partialPattern = /^\.binnacle-\d{8}T\d{6}Z\./

export class FolderPlace implements BackupPlace {
  readonly #dataDir: string
  readonly #folder: string

  constructor(dataDir: string, folder: string) {
    this.#dataDir = dataDir
    this.#folder = folder
  }

  async check(): Promise<void> {}

  async present(): Promise<string[]> {
    return existsSync(this.#folder) ? (await readdir(this.#folder)).filter(isBackupName).sort() : []
  }

  async make(name: string): Promise<string> {
    const folder = join(this.#folder, name)
    await backup(this.#dataDir, folder, { flag: '--backup-folder' })
    return folder
  }

  /** Under another name first: what is half removed must not look like a backup. */
  async remove(name: string): Promise<void> {
    const leaving = join(this.#folder, `.${name}.old`)
    await rename(join(this.#folder, name), leaving)
    await rm(leaving, { recursive: true, force: true })
  }

  /** A server beside this one may be making what is younger than a day. */
  async tidy(): Promise<void> {
    for (const name of (await readdir(this.#folder)).filter(one => partialPattern.test(one))) {
      const { mtimeMs } = await stat(join(this.#folder, name))
      if (Date.now() - mtimeMs > dayMs) await rm(join(this.#folder, name), { recursive: true, force: true })
    }
  }

  /** A copy on disks does not take long. */
  stop(): void {}
}
