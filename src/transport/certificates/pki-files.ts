import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from '../../util/user-error.js'

/** Stores the keys and certificates that the server creates for itself, by file name. */
export interface PkiFiles {
  /** The path of a file, for messages. */
  path(name: string): string
  read(name: string): Promise<string | undefined>
  /** Writes a file atomically. Only the owner may read a secret one. */
  write(name: string, text: string, secret: boolean): Promise<void>
}

/** Keeps files in memory. Those of `below` are there as well, until they are written, and do not change. */
export const memoryFiles = (below?: PkiFiles): PkiFiles => {
  const files = new Map<string, string>()
  return {
    path: name => name,
    read: async name => files.get(name) ?? below?.read(name),
    write: async (name, text) => {
      files.set(name, text)
    }
  }
}

/** `files`, in which every file of `saved` that is missing is written when it is asked for. */
export const withSaved = (files: PkiFiles, saved: ReadonlyMap<string, string>): PkiFiles => ({
  ...files,
  async read(name) {
    const own = await files.read(name)
    const text = own ?? saved.get(name)
    if (own === undefined && text !== undefined) await files.write(name, text, name.endsWith('.key'))
    return text
  }
})

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

/** Creates the folder, for its owner only. An existing folder is not changed. */
export const makePrivateDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
}

/** Writes a file so that readers see either the old or the new one, even after a power failure. */
export const writeFileAtomically = async (path: string, text: string | Uint8Array, mode: number): Promise<void> => {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // open() masks its mode by the umask, so the mode is set explicitly.
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
