import { join, resolve } from 'node:path'
import { storageOptions } from '../../server/options/storage.js'
import { systemClock } from '../../util/clock.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { parseFlags } from '../flags/parse.js'
import { commandHelp, dataDirFlag, etcdFlags, helpFlag, inSection, progressFlag, shownProgress } from './data-flags.js'

export const checkFlags = {
  'data-dir': dataDirFlag,
  ...etcdFlags,
  'encryption-provider-config': inSection(storageOptions.encryptionProviderConfig),
  progress: progressFlag,
  help: helpFlag
}

const what = `Checks a store: that its index and its history agree, and that every value can be read. Changes nothing.

The server of a data folder must be stopped; check a backup instead while it runs. With --etcd-servers, the values in etcd are
checked. Encrypted values are read with --encryption-provider-config.`

/** `binnacle check`: fails when there is a problem. */
export async function checkCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, checkFlags)
  if (values.help) return void process.stdout.write(commandHelp(what, 'check', checkFlags))
  const { checkValues } = await import('../../server/maintenance/check-values.js')
  const problems: string[] = []
  const display = shownProgress(values.progress)
  let store: import('../../storage/contract.js').Store
  if (values['etcd-servers'].length > 0) {
    const { openConfiguredEtcd } = await import('../../storage/etcd/configured.js')
    store = await openConfiguredEtcd(etcdOptions(values), silentLogger)
  } else {
    const { assertStore } = await import('../../storage/lmdb/directory.js')
    const { checkStore } = await import('../../storage/lmdb/check.js')
    const { openLmdbStore } = await import('../../storage/lmdb/store.js')
    const directory = join(resolve(values['data-dir'] ?? ''), 'store')
    assertStore(directory)
    const found = await checkStore(directory, display.step('Checking index and history', 'keys')).finally(display.end)
    problems.push(...found.problems)
    process.stdout.write(`${found.keys} keys, ${found.writes} writes in the history, at revision ${found.revision}\n`)
    store = await openLmdbStore({ directory, compactionInterval: 0 })
  }
  const config = values['encryption-provider-config']
  const encryption = config === undefined ? undefined : await encryptionOf(config)
  try {
    if (encryption) store = await encryption.wrap(store)
    const {
      objects,
      others,
      encrypted,
      problems: unreadable
    } = await checkValues(store, display.step('Reading values', 'keys')).finally(display.end)
    problems.push(...unreadable)
    const notRead = encrypted > 0 ? `, ${encrypted} are encrypted and were not read` : ''
    process.stdout.write(`${objects} objects and ${others} other values were read${notRead}\n`)
  } finally {
    await encryption?.stop()
    await store.close()
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length > 0) throw new UserError(`${problems.length === 1 ? 'one problem' : `${problems.length} problems`} found`)
}

async function encryptionOf(encryptionProviderConfig: string) {
  const [{ openEncryption }, { Metrics }] = await Promise.all([
    import('../../server/open-encryption.js'),
    import('../../util/instruments/metrics.js')
  ])
  return openEncryption({ encryptionProviderConfig }, new Metrics(), systemClock, silentLogger)
}

export function etcdOptions(values: {
  readonly 'etcd-servers': readonly string[]
  readonly 'etcd-prefix': string | undefined
  readonly 'etcd-cafile': string | undefined
  readonly 'etcd-certfile': string | undefined
  readonly 'etcd-keyfile': string | undefined
}) {
  return {
    etcdServers: values['etcd-servers'],
    etcdPrefix: values['etcd-prefix'],
    etcdCAFile: values['etcd-cafile'],
    etcdCertFile: values['etcd-certfile'],
    etcdKeyFile: values['etcd-keyfile'],
    // the servers compact the history, not this command
    etcdCompactionInterval: 0
  }
}
