import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { assertOwn, assertOwnFiles } from '../util/file-owner.js'
import { fileError, UserError } from '../util/user-error.js'

/** Where a restore into a data folder grows. */
export const restoreFolder = '.restore.partial'

/** The files that a server writes there itself, and lost+found, which the root of a mounted file system may contain. */
const ownNames: ReadonlySet<string> = new Set(['store', 'pki', 'kubeconfig', '.gitignore', 'lost+found'])

/**
 * Throws a UserError, before the server writes anything, for a folder with foreign files (such as `/etc`, given by mistake) and for a
 * folder that others may write to. A folder with a store in it may contain other files too. `mayHave`: the name of one more file that
 * may be there.
 */
export const checkDataDirectory = (directory: string, mayHave?: string): void => {
  const what = `--data-dir ${directory}`
  const hasStore = existsSync(join(directory, 'store', 'data.mdb'))
  const foreign = hasStore ? undefined : namesIn(directory).find(name => !ownNames.has(name) && name !== mayHave)
  if (foreign === restoreFolder)
    throw new UserError(`${what}: a restore into it has not come to its end; run it again, or remove ${join(directory, foreign)}`)
  if (foreign !== undefined)
    throw new UserError(`${what}: not a Binnacle data directory, it holds other files, such as ${foreign}`)
  assertOwn(directory, { what, byGroup: true })
  for (const name of ['store', 'pki']) assertOwnFiles(join(directory, name), { what })
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
