/** Finds the front end, which is a package of its own: those who embed the library need not install it. */
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../util/own-package.js'

const inRepository = fileURLToPath(new URL('console/dist', packageFolder))

/** What to do where the front end is missing. */
export const howToInstall = 'npm install binnacle-console'

/** Returns the folder of the built front end: that of the repository, else that of the installed package; undefined when there is none. */
export async function consoleFolder(): Promise<string | undefined> {
  for (const folder of [inRepository, installed()]) {
    if (folder === undefined) continue
    try {
      await access(join(folder, 'index.html'))
      return folder
    } catch {}
  }
  return undefined
}

function installed(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('binnacle-console/package.json')), 'dist')
  } catch {
    return undefined
  }
}
