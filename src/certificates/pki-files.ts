import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from '../util/user-error.js'

/** Where the server keeps what it made for itself, by file name. */
export interface PkiFiles {
  /** What messages call the place of a file. */
  path(name: string): string
  read(name: string): Promise<string | undefined>
  /** Appears as a whole or not at all. Only the owner may read a secret one. */
  write(name: string, text: string, secret: boolean): Promise<void>
}

export const memoryFiles = (): PkiFiles => {
  const files = new Map<string, string>()
  return {
    path: name => name,
    read: async name => files.get(name),
    write: async (name, text) => {
      files.set(name, text)
    }
  }
}

export const directoryFiles = (directory: string): PkiFiles => {
  const path = (name: string): string => join(directory, name)
  return {
    path,
    async read(name) {
      try {
        return await readFile(path(name), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw fileError(path(name), error)
      }
    },
    async write(name, text, secret) {
      try {
        await makePrivateDirectory(directory)
        await writeFileAtomically(path(name), text, secret ? 0o600 : 0o644)
      } catch (error) {
        throw fileError(path(name), error)
      }
    }
  }
}

/** Makes the folder, for its owner only; one that is there stays as it is. */
export const makePrivateDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
}

/** A reader sees the old file or the new one, also after a power failure. */
export const writeFileAtomically = async (path: string, text: string, mode: number): Promise<void> => {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // The mode given to open() is cut by the umask, which must not widen nor narrow ours.
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
