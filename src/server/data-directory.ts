import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileError, UserError } from '../util/user-error.js'

/** The files that a server writes there itself, and lost+found, which the root of a mounted file system may contain. */
const ownNames: ReadonlySet<string> = new Set(['store', 'pki', 'kubeconfig', '.gitignore', 'lost+found'])

/**
 * Throws a UserError for a folder with foreign files, such as `/etc` given by mistake, before the server writes anything
 * there. A folder with a store in it may contain other files too.
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
