import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { flag } from '../../server/options/flag.js'
import { oneOf, positiveDuration } from '../../server/options/value-types.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { parseFlags } from '../flags/parse.js'
import { etcdOptions } from './check.js'
import { commandHelp, dataDirFlag, etcdFlags, helpFlag, progressFlag, section, shownProgress } from './data-flags.js'

export const migrateFlags = {
  to: flag<'etcd3' | 'lmdb' | undefined>({
    section,
    type: oneOf(['etcd3', 'lmdb'] as const),
    default: undefined,
    defaultText: '',
    help: '"etcd3": from the data folder to etcd. "lmdb": from etcd to the data folder.'
  }),
  'data-dir': dataDirFlag,
  ...etcdFlags,
  'event-ttl': flag({
    section,
    type: positiveDuration,
    default: 3_600_000,
    defaultText: '1h0m0s',
    help: 'How long Events are kept in etcd from now on.'
  }),
  progress: progressFlag,
  help: helpFlag
}

const what = `Moves all objects from the data folder to etcd, or back. All servers must be stopped.

The target must be empty; the source stays as it is. Values are copied as they are: encrypted ones stay encrypted. History and resource
versions are not kept: restart controllers and other clients that remember some.`

/** `binnacle migrate` */
export async function migrateCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, migrateFlags)
  if (values.help) return void process.stdout.write(commandHelp(what, 'migrate', migrateFlags))
  if (values.to === undefined) throw new UserError('--to is missing: etcd3 or lmdb')
  if (values['etcd-servers'].length === 0) throw new UserError('--etcd-servers is missing')
  const dataDir = resolve(values['data-dir'] ?? '')
  const directory = join(dataDir, 'store')
  const [{ migrate }, { openConfiguredEtcd }, { openLmdbStore }, { assertStore }, { raiseRevision }] = await Promise.all([
    import('../../server/maintenance/migrate.js'),
    import('../../storage/etcd/configured.js'),
    import('../../storage/lmdb/store.js'),
    import('../../storage/lmdb/directory.js'),
    import('../../server/maintenance/restore.js')
  ])
  const toEtcd = values.to === 'etcd3'
  if (toEtcd) assertStore(directory)
  else if (existsSync(directory)) throw new UserError(`--data-dir ${values['data-dir']}: has a store already`)
  else await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const etcd = await openConfiguredEtcd(etcdOptions(values), silentLogger)
  let copied: number
  let former: number
  try {
    const lmdb = await openLmdbStore({ directory, compactionInterval: 0 })
    try {
      const [from, to] = toEtcd ? [lmdb, etcd] : [etcd, lmdb]
      const display = shownProgress(values.progress)
      const progress = display.step('Copying keys', 'keys')
      const eventTtl = Math.max(1, Math.floor(values['event-ttl'] / 1000))
      copied = await migrate(from, to, { eventTtl, progress }).finally(display.end)
      former = from.seenRevision
    } finally {
      await lmdb.close()
    }
  } finally {
    await etcd.close()
  }
  // a resource version of etcd must not stand for another state here
  if (!toEtcd) await raiseRevision(directory, former)
  const target = toEtcd ? `etcd at ${values['etcd-servers'].join(',')}` : values['data-dir']
  process.stdout.write(`${target} has ${copied} keys\n`)
}
