import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CertificateReport } from '../../server/diagnosis/certificates.js'
import { flag } from '../../server/options/flag.js'
import { bool, duration, InvalidValue, type ValueType } from '../../server/options/value-types.js'
import { systemClock } from '../../util/clock.js'
import { UserError } from '../../util/user-error.js'
import { parseFlagsAndFile } from '../config-file.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'
import { acceptedFlags, serveFlags } from '../flags/serve-flags.js'
import { serverOptions } from '../serve-options.js'
import { commandHelp, dataDirFlag, helpFlag, inSection, section } from './data-flags.js'

const dayMs = 24 * 60 * 60 * 1000

/** A time before an end: `30d`, or a duration in Go's notation, which has no days. */
const timeLeft: ValueType<number> = {
  ...duration,
  read(text, before) {
    const days = /^(\d{1,5})d$/.exec(text)
    if (days) return Number(days[1]) * dayMs
    try {
      return duration.read(text, before)
    } catch {
      throw new InvalidValue('must be a time such as 30d or 12h')
    }
  }
}

const ownFlags = {
  within: flag({
    section,
    type: timeLeft,
    default: 30 * dayMs,
    defaultText: '30d',
    help: 'A certificate that expires within this time is a problem.'
  }),
  json: flag({ section, type: bool, default: false, help: 'Print JSON.' })
}

/** The flags of the server that name certificates. */
const shown = [
  'tls-',
  'client-ca',
  'proxy-client',
  'kubelet-c',
  'etcd-c',
  'etcd-k',
  'requestheader-client-ca',
  'peer-ca',
  'oidc-ca'
]
const isShown = (name: string) => shown.some(start => name.startsWith(start)) && /cert|key|ca-?file|authority/.test(name)

export const certificateFlags = {
  'data-dir': dataDirFlag,
  config: inSection(serveFlags.config),
  'cert-dir': inSection(serveFlags['cert-dir']),
  ...Object.fromEntries(Object.entries(serveFlags).flatMap(([name, value]) => (isShown(name) ? [[name, inSection(value)]] : []))),
  ...ownFlags,
  help: helpFlag
}

const help = (): string => `Checks certificates, or makes new ones.

Usage:
  binnacle certificate check [flags]     lists the certificates of a data folder and of the files that a server's flags name
  binnacle certificate rotate [flags]    makes new keys and certificates for the server and the administrator of a data folder
  binnacle certificate authority prepare|switch|finish [flags]
                                         puts a new authority in the place of that of a data folder, with an overlap

"check" ends with 1 when a certificate has expired or expires within --within, when it is not that of its key, or when its issuer has not signed
it. It takes all flags of "binnacle serve".

"rotate" has the authority of the data folder sign them, which stays as it is: clients that trust it notice nothing. Certificates from before stay
valid until they expire. It takes --data-dir alone.

"authority" takes three steps, each with --data-dir, and each followed by a new start of the server: "prepare" makes an authority that is trusted beside the
present one, "switch" lets it sign, "finish" forgets the one from before. Between them, give clients the new kubeconfig.

${flagsHelp(certificateFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

/** `binnacle certificate check|rotate` */
export async function certificateCommand([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'check') return check(args)
  if (action === 'rotate') return rotate(args)
  if (action === 'authority') return exchange(args)
  if (action === undefined || action === '--help' || action === '-h') return void process.stdout.write(help())
  throw new UserError(`unknown action ${JSON.stringify(action)}; there are check, rotate and authority`)
}

async function check(args: readonly string[]): Promise<void> {
  const { values } = parseFlagsAndFile(args, { ...acceptedFlags, ...ownFlags })
  if (values.help) return void process.stdout.write(help())
  const { certificateReports } = await import('../../server/diagnosis/certificates.js')
  const options = serverOptions(values)
  const reports = await certificateReports(options, { now: systemClock.now(), within: values.within })
  if (reports.length === 0)
    throw new UserError(
      `--data-dir ${options.dataDir}: has no certificates, and no flag names one; has a server been started there?`
    )
  process.stdout.write(values.json ? `${JSON.stringify(reports, undefined, 2)}\n` : reports.map(text).join('\n'))
  const bad = reports.filter(({ problems }) => problems.length > 0).length
  if (bad > 0) throw new UserError(`${bad === 1 ? 'one certificate has' : `${bad} certificates have`} a problem`)
}

function text({ source, certificate, problems }: CertificateReport): string {
  const lines: [string, string][] = []
  if (certificate) {
    const { subject, names, uses, issuer, notAfter, daysLeft } = certificate
    lines.push(['subject', subject])
    if (names.length > 0) lines.push(['names', names.join(', ')])
    lines.push(
      ['use', uses.join(', ') || 'any'],
      ['issuer', issuer],
      ['not after', `${notAfter} (${daysLeft} ${daysLeft === 1 ? 'day' : 'days'} left)`]
    )
  }
  for (const problem of problems) lines.push(['PROBLEM', problem])
  return `${source}\n${lines.map(([name, value]) => `  ${name.padEnd(10)}${value}\n`).join('')}`
}

export const rotateFlags = { 'data-dir': dataDirFlag, help: helpFlag }

async function rotate(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, rotateFlags)
  if (values.help) return void process.stdout.write(commandHelp('Makes new certificates.', 'certificate rotate', rotateFlags))
  const dataDir = values['data-dir'] ?? ''
  const [{ rotateLeaves }, { directoryFiles, writeFileAtomically }, { assertOwnFiles }, { lockOf }] = await Promise.all([
    import('../../transport/certificates/pki.js'),
    import('../../transport/certificates/pki-files.js'),
    import('../../util/file-owner.js'),
    import('../../storage/lmdb/lock.js')
  ])
  const folder = join(dataDir, 'pki')
  assertOwnFiles(folder, { what: `--data-dir ${dataDir}` })
  const rotated = await rotateLeaves(directoryFiles(folder), systemClock.now())
  for (const name of rotated) process.stdout.write(`${join(folder, `${name}.crt`)}\n`)
  const kubeconfig = join(dataDir, 'kubeconfig')
  if (existsSync(kubeconfig)) {
    const { withCredentials } = await import('./kubeconfig.js')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const credentials = { clientCertificate: read('admin.crt'), clientKey: read('admin.key') }
    await writeFileAtomically(kubeconfig, await withCredentials(kubeconfig, readFileSync(kubeconfig, 'utf8'), credentials), 0o600)
    process.stdout.write(`${kubeconfig}\n`)
  }
  const lock = await lockOf(join(dataDir, 'store'))
  if (lock?.lives) process.stdout.write(`The server, ${lock.who}, uses them after SIGHUP, or within a day.\n`)
}

/** What is to be done after each step. */
const afterwards = {
  prepare:
    'The next authority is there. Start the server again: it trusts both. Then give all clients the new kubeconfig, and switch.',
  switch:
    'The new authority signs from the next start of the server on. Start it again, give all clients the new kubeconfig, and finish when none uses what the old one has signed.',
  finish: 'The old authority counts for nothing from the next start of the server on.'
} as const

async function exchange([step = '', ...args]: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, rotateFlags)
  if (values.help || step === '--help' || step === '-h') return void process.stdout.write(help())
  if (!Object.hasOwn(afterwards, step))
    throw new UserError(`unknown step ${JSON.stringify(step)} of "certificate authority"; there are prepare, switch and finish`)
  const dataDir = values['data-dir'] ?? ''
  const [{ prepareAuthority, switchAuthority, finishAuthority }, { directoryFiles }, { assertOwnFiles }] = await Promise.all([
    import('../../transport/certificates/authority-exchange.js'),
    import('../../transport/certificates/pki-files.js'),
    import('../../util/file-owner.js')
  ])
  const folder = join(dataDir, 'pki')
  assertOwnFiles(folder, { what: `--data-dir ${dataDir}` })
  const files = { ...directoryFiles(folder), remove: (name: string) => rm(join(folder, name), { force: true }) }
  if (step === 'prepare') await prepareAuthority(files, systemClock.now())
  else if (step === 'switch') await switchAuthority(files)
  else await finishAuthority(files)
  process.stdout.write(`${afterwards[step as keyof typeof afterwards]}\n`)
}
