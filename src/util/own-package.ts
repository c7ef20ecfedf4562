/** The package that this code is part of. */
import { readFileSync } from 'node:fs'

/** The package's folder. This file lies two folders below it, and so does the bundle in which it is published. */
export const packageFolder = new URL('../../', import.meta.url)

/** Returns the version of this package. */
export const binnacleVersion = (): string =>
  (JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as { version: string }).version
