/** The flags that name a store, for the commands that work on data. */
import type { Flags } from '../flags/flag.js'
import { flag } from '../flags/flag.js'
import { flagsHelp } from '../flags/help.js'
import { storageFlags } from '../flags/storage-flags.js'
import { bool, string } from '../flags/value-types.js'
import { DEFAULT_DATA_DIR } from '../serve-options.js'

export const section = 'Data'

export const dataDirFlag = flag({ section, type: string, default: DEFAULT_DATA_DIR, description: 'Data folder of the server.' })

export const helpFlag = flag({ section, type: bool, default: false, shorthand: 'h', description: 'Shows this help.' })

export const inSection = <F extends { readonly section: string }>(original: F): F => ({ ...original, section })

export const etcdFlags = {
  'etcd-servers': inSection(storageFlags['etcd-servers']),
  'etcd-prefix': inSection(storageFlags['etcd-prefix']),
  'etcd-cafile': inSection(storageFlags['etcd-cafile']),
  'etcd-certfile': inSection(storageFlags['etcd-certfile']),
  'etcd-keyfile': inSection(storageFlags['etcd-keyfile'])
}

/** The help of a command: what it does, and its flags. */
export function commandHelp(what: string, name: string, flags: Flags): string {
  return `${what}

Usage:
  binnacle ${name} [flags]

${flagsHelp(flags, [section], Math.min(process.stdout.columns ?? 100, 120))}`
}
