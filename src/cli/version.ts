import { readFileSync } from 'node:fs'

/** Returns the version of this package. */
export const binnacleVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
