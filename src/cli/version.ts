import { readFileSync } from 'node:fs'

/** The Kubernetes release whose API is served. */
export const KUBERNETES_VERSION = 'v1.36.2'

/** The version of this package. */
export const binnacleVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
