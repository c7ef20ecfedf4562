import type { Finding, Level } from '../../server/diagnosis/doctor.js'
import { flag } from '../../server/options/flag.js'
import { bool } from '../../server/options/value-types.js'
import { UserError } from '../../util/user-error.js'
import { parseFlagsAndFile } from '../config-file.js'
import { acceptedFlags, serveFlags } from '../flags/serve-flags.js'
import { serverOptions } from '../serve-options.js'
import { commandHelp, dataDirFlag, etcdFlags, helpFlag, inSection, section } from './data-flags.js'

const ownFlags = {
  json: flag({ section, type: bool, default: false, help: 'Print JSON: a list of check, level, message and advice.' })
}

export const doctorFlags = {
  'data-dir': dataDirFlag,
  config: inSection(serveFlags.config),
  ...etcdFlags,
  'bind-address': inSection(serveFlags['bind-address']),
  'secure-port': inSection(serveFlags['secure-port']),
  ...ownFlags,
  help: helpFlag
}

const what = `Looks at the data folder of a server, its certificates, the clock, the port, limits of the system, Node and its packages, and at etcd. Says in a
line for each what is in order (ok), what may become a problem (warn) and what is one (error), and what to do.

Nothing is changed. It takes all flags of "binnacle serve", also in the file of --config. Run it as the user of the server and with its limits. It
ends with 1 when there is an error.`

/** `binnacle doctor` */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlagsAndFile(args, { ...acceptedFlags, ...ownFlags })
  if (values.help) return void process.stdout.write(commandHelp(what, 'doctor', doctorFlags))
  const { diagnose } = await import('../../server/diagnosis/doctor.js')
  const found = await diagnose(serverOptions(values))
  process.stdout.write(values.json ? `${JSON.stringify(found, undefined, 2)}\n` : found.map(line).join(''))
  const errors = found.filter(({ level }) => level === 'error').length
  if (errors > 0) throw new UserError(errors === 1 ? 'one error found' : `${errors} errors found`)
}

const signs: Readonly<Record<Level, string>> = { ok: 'ok   ', warn: 'warn ', error: 'error' }

const line = ({ check, level, message, advice }: Finding) =>
  `${signs[level]}  ${check.padEnd(12)}  ${message}${advice === undefined ? '' : `: ${advice}`}\n`
