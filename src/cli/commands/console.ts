/** `binnacle console`: shows a cluster in the browser. */

import { flag } from '../../server/options/flag.js'
import { ranges } from '../../server/options/number-ranges.js'
import { bool, integer, string, stringArray } from '../../server/options/value-types.js'
import { docsPage } from '../../util/docs-page.js'
import { UserError } from '../../util/user-error.js'
import { opener, openPrivately } from '../console/open-browser.js'
import { clusterFlags } from '../flags/cluster-flags.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'

const section = 'Console'
export const consoleFlags = {
  ...clusterFlags(section),
  as: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'User to act as. Default: the user of the kubeconfig.'
  }),
  'as-group': flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    help: 'Group of the user of --as. Repeat it for several.'
  }),
  port: flag({
    section,
    type: integer('int', ranges.port),
    default: 0,
    help: 'Port on 127.0.0.1. 0 takes any free one.'
  }),
  'no-open': flag({ section, type: bool, default: false, help: 'Opens no browser.' }),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help =
  (): string => `Shows a cluster in the browser (${docsPage('console')}): the one of the kubeconfig, with its credentials.

Usage:
  binnacle console [flags]

${flagsHelp(consoleFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

/** Runs until a signal ends it. */
export async function consoleCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, consoleFlags)
  if (values.help) return void process.stdout.write(help())
  const { kubeconfig, context, as, port } = values
  const groups = values['as-group']
  if (as === undefined && groups.length > 0) throw new UserError('--as-group needs --as')
  const [{ startConsole }, { clusterAccess }, { impersonationHeaders }] = await Promise.all([
    import('../console/start.js'),
    import('../../client/connect/connect.js'),
    import('../../transport/kubeconfig/kubeconfig-file.js')
  ])
  const access = await clusterAccess({ kubeconfig, context })
  const headers = as === undefined ? access.headers : impersonationHeaders({ as, 'as-groups': groups })
  const console = await startConsole({ access: { ...access, headers }, port })
  let closed: (() => void) | undefined
  const end = () => {
    console.close()
    closed?.()
    process.exit(0)
  }
  // before the link is shown: who reads it may end the console at once
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  const link = console.link()
  process.stdout.write(`The console shows ${console.cluster.name} (${console.cluster.url}). This link signs in once, within 10 minutes:

  ${link}

`)
  const isTerminal = process.stdout.isTTY === true
  const program = isTerminal && !values['no-open'] ? opener(process.platform, process.env) : undefined
  closed = program && openPrivately(link, program)
  if (process.stdin.isTTY) {
    process.stdout.write('Enter makes another link, Ctrl-C ends the console.\n')
    process.stdin.on('data', () => process.stdout.write(`  ${console.link()}\n`)).on('error', () => {})
  }
}
