/** `binnacle snapshot`: takes the state of a cluster, from which servers start. */
import type { ClusterClient } from '../../client/cluster-client.js'
import type { SnapshotList } from '../../client/take-snapshot.js'
import { serviceRangeOf } from '../../server/defaults.js'
import { flag } from '../../server/options/flag.js'
import { bool, string, stringArray } from '../../server/options/value-types.js'
import { UserError } from '../../util/user-error.js'
import { clusterFlags } from '../flags/cluster-flags.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'

const section = 'Snapshot'
export const snapshotFlags = {
  out: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'o',
    help: 'File to write. Required. With the ending .json, it has the objects as a List, for kubectl and server.apply.'
  }),
  namespace: flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    shorthand: 'n',
    help: 'Namespace whose objects are taken. Repeat it for several. Default: all namespaces.'
  }),
  kind: flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    help: 'Resource whose objects are taken, such as deployments.apps. Repeat it for several. Default: all but those that make themselves again.'
  }),
  secrets: flag({ section, type: bool, default: false, help: 'Takes Secrets, too, except tokens.' }),
  ...clusterFlags(section),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help =
  (): string => `Takes the objects of a cluster, and saves a snapshot from which servers start: binnacle serve --snapshot=FILE.

The cluster is only read. Objects keep their status; they get new uids, in owner references, too. What a server refuses is named and left
out, as are Secrets (--secrets), Events, Leases, endpoints, configurations of webhooks and APIServices.

Usage:
  binnacle snapshot --out FILE [flags]

${flagsHelp(snapshotFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

const mostWarnings = 20

/** Shows the first warnings, and returns how many there were. */
function warnings(): { warn(text: string): void; count(): number } {
  let count = 0
  return {
    warn: text => void (count++ < mostWarnings && process.stderr.write(`Warning: ${text}\n`)),
    count: () => count
  }
}

export async function snapshotCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, snapshotFlags)
  if (values.help) return void process.stdout.write(help())
  const { out, kubeconfig, context, secrets, namespace, kind } = values
  if (out === undefined) throw new UserError('--out is missing: the file to write')
  const [{ connect }, { takeSnapshot }] = await Promise.all([
    import('../../client/connect/connect.js'),
    import('../../client/take-snapshot.js')
  ])
  const client = await connect({ kubeconfig, context, fieldManager: 'binnacle-snapshot' })
  const { warn, count: warned } = warnings()
  const chosen = {
    namespaces: namespace.length > 0 ? namespace : undefined,
    kinds: kind.length > 0 ? kind : undefined,
    secrets,
    onWarning: warn
  }
  try {
    const list = await takeSnapshot(client, chosen)
    const count = out.endsWith('.json') ? await saveList(list, out) : await saveServer(list, await rangeOf(client), out, warn)
    if (warned() > mostWarnings) process.stderr.write(`Warning: ${warned() - mostWarnings} more warnings\n`)
    process.stdout.write(`${out} has ${count} objects of ${client.url}\n`)
  } catch (error) {
    throw error instanceof UserError ? error : new UserError((error as Error).message, { cause: error })
  } finally {
    await client.close()
  }
}

async function saveList(list: SnapshotList, out: string): Promise<number> {
  const [{ writeFileAtomically }, { fileError }] = await Promise.all([
    import('../../transport/certificates/pki-files.js'),
    import('../../util/user-error.js')
  ])
  await writeFileAtomically(out, `${JSON.stringify(list)}\n`, 0o600).catch(error => {
    throw fileError(out, error)
  })
  return list.items.length
}

/** Starts a server with the objects, and saves its snapshot. */
async function saveServer(
  list: SnapshotList,
  serviceClusterIPRange: string | undefined,
  out: string,
  warn: (text: string) => void
): Promise<number> {
  const { createServer } = await import('../../index.js')
  const log = { error: warn, warn() {}, info() {} }
  // no other controller acts on the objects, so that they stay as they were in the cluster
  const controllers = ['serviceaccount-controller']
  const server = createServer({ listen: false, storageBackend: 'memory', controllers, serviceClusterIPRange, log })
  await server.start()
  try {
    const applied = await server.apply(list, {
      fieldManager: 'binnacle-snapshot',
      onWarning() {},
      onError: error => warn(error.message)
    })
    await (await server.snapshot()).save(out)
    return applied.length
  } finally {
    await server.stop()
  }
}

/** The range of the cluster's Services. Undefined where the cluster does not tell it, or has the range that servers have by default. */
async function rangeOf(client: ClusterClient): Promise<string | undefined> {
  try {
    const { spec } = await client.of('networking.k8s.io/v1', 'ServiceCIDR').get('kubernetes')
    const range = spec?.cidrs?.join(',')
    return range === serviceRangeOf({}) ? undefined : range
  } catch {
    return undefined
  }
}
