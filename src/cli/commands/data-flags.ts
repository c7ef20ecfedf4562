/** The flags that name a store, for the commands that work on data. */
import type { Flags } from '../../server/options/flag.js'
import { flag } from '../../server/options/flag.js'
import { storageOptions } from '../../server/options/storage.js'
import { bool, string } from '../../server/options/value-types.js'
import { flagsHelp } from '../flags/help.js'
import { type ProgressDisplay, progressDisplay } from '../progress.js'
import { DEFAULT_DATA_DIR } from '../serve-options.js'

export const section = 'Data'

export const dataDirFlag = flag({ section, type: string, default: DEFAULT_DATA_DIR, help: 'Data folder of the server.' })

export const helpFlag = flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })

export const progressFlag = flag<boolean | undefined>({
  section,
  type: bool,
  default: undefined,
  defaultText: 'on a terminal',
  help: 'Show on standard error how far the work has come and how long the rest will take.'
})

/** Where a command shows its progress. */
export const shownProgress = (isWanted: boolean | undefined): ProgressDisplay =>
  progressDisplay({ output: process.stderr, isWanted, now: () => performance.now() })

export const inSection = <F extends { readonly section: string }>(original: F): F => ({ ...original, section })

export const etcdFlags = {
  'etcd-servers': inSection(storageOptions.etcdServers),
  'etcd-prefix': inSection(storageOptions.etcdPrefix),
  'etcd-cafile': inSection(storageOptions.etcdCAFile),
  'etcd-certfile': inSection(storageOptions.etcdCertFile),
  'etcd-keyfile': inSection(storageOptions.etcdKeyFile)
}

/** The help of a command: what it does, and its flags. */
export function commandHelp(what: string, name: string, flags: Flags): string {
  return `${what}

Usage:
  binnacle ${name} [flags]

${flagsHelp(flags, [section], Math.min(process.stdout.columns ?? 100, 120))}`
}
