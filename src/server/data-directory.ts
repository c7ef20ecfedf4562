import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileError, UserError } from '../util/user-error.js'

/** What a server writes there itself; the root of a mounted file system may have lost+found in it. */
const ownNames: ReadonlySet<string> = new Set(['store', 'pki', 'kubeconfig', '.gitignore', 'lost+found'])

/**
 * Refuses a folder that is full of other people's files, such as `/etc` by a slip of the hand, before anything is written
 * there. Files that were added to a folder with a store in it are no reason to refuse it.
 */
export const checkDataDirectory = (directory: string): void => {
  if (existsSync(join(directory, 'store', 'data.mdb'))) return
  const foreign = namesIn(directory).find(name => !ownNames.has(name))
  if (foreign === undefined) return
  throw new UserError(`--data-dir ${directory}: not a Binnacle data directory, it holds other files, such as ${foreign}`)
}

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw new UserError(`--data-dir ${directory}: not a directory`)
    throw fileError(`--data-dir ${directory}`, error)
  }
}
