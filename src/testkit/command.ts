/** What tests start as processes. `npm test` names the folder of the published modules, which load in half the time. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { BINNACLE_DIST: dist } = process.env
const built = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The module of the command `binnacle`. */
export const main = dist ? join(dist, 'cli/main.js') : built('../cli/main.js')
/** The module `binnacle/testing`. */
export const testing = dist ? join(dist, 'testing.js') : built('index.js')
