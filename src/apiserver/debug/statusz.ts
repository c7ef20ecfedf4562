import type { EffectiveVersion } from '../../apimachinery/features/effective-version.js'
import type { Clock } from '../../util/clock.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { debugPage } from './page.js'

export interface ServerStatus {
  /** Whether the object may be CBOR. */
  readonly cbor?: boolean
  readonly clock: Clock
  readonly version: EffectiveVersion
  /** The version: `1.37.2`. */
  readonly binaryVersion: string
  /** All paths that `/` lists. */
  paths(): readonly string[]
}

/** Paths of the API itself, which are no help for debugging. */
const api = /^\/(?:apis?|openid|openapi|\.well-known)(?:\/|$)/

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The path /statusz: since when the server runs, as what, and which paths show more. */
export function statuszPath(status: ServerStatus): PathHandler {
  const started = status.clock.now()
  const seconds = () => Math.max(0, Math.floor((status.clock.now() - started) / 1000))
  // of paths below another, the other is enough
  const paths = () =>
    [...new Set(status.paths().map(path => `/${path.split('/')[1]}`))].filter(path => path !== '/' && !api.test(path))
  const emulated = `1.${status.version.emulated}`
  return debugPage(
    {
      name: 'statusz',
      kind: 'Statusz',
      text: () => `
Started: ${unixDate(new Date(started))}
Up: ${upTime(seconds())}
Go version: node ${process.version}
Binary version: ${status.binaryVersion}
Emulation version: ${emulated}
Paths: ${paths().join(' ')}
`,
      fields: () => ({
        startTime: new Date(started).toISOString().replace(/\.\d+Z$/, 'Z'),
        uptimeSeconds: seconds(),
        goVersion: `node ${process.version}`,
        binaryVersion: status.binaryVersion,
        emulationVersion: emulated,
        paths: paths()
      })
    },
    status.cbor ?? false
  )
}

const two = (number: number) => String(number).padStart(2, '0')

/** Go's time.UnixDate: Sun Nov 22 02:05:23 UTC 2026. */
function unixDate(time: Date): string {
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`
  const day = `${days[time.getUTCDay()]} ${months[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`
  return `${day} ${clock} UTC ${time.getUTCFullYear()}`
}

/** 0 hr 00 min 07 sec */
const upTime = (seconds: number) =>
  `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`
