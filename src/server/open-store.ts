import type { Store } from '../storage/contract.js'
import { openMemoryStore } from '../storage/memory/store.js'
import type { Connect } from '../transport/egress/egress-selector.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import { UserError } from '../util/user-error.js'
import { storageBackendOf } from './defaults.js'
import type { ServerOptions } from './options.js'
import type { Origin } from './origin.js'

export const storeDirectory = (dataDir: string) => `${dataDir}/store`

/**
 * Opens the store that the options select, with the content of `origin`, if there is one. Loads only the engine that it uses.
 * `leaseUsed` is told how many keys a lease of etcd had; `streams`: whether etcd may send lists as streams.
 */
export async function openStore(
  options: ServerOptions,
  clock: Clock,
  log: Logger,
  leaseUsed: (keys: number) => void,
  egress: Connect | undefined,
  streams: boolean,
  origin: Origin | undefined
): Promise<Store> {
  // the window of the history decides instead
  const compactionInterval = options.history ? 0 : undefined
  if (origin?.store)
    return origin.store.open({ clock, compactionInterval, directory: options.dataDir && storeDirectory(options.dataDir) })
  if (options.store) return options.store
  const backend = storageBackendOf(options)
  if (backend === 'etcd3') {
    const { openConfiguredEtcd } = await import('../storage/etcd/configured.js')
    return openConfiguredEtcd(options, log, leaseUsed, egress, streams)
  }
  if (options.etcdServers?.length) throw new UserError(`--etcd-servers is for --storage-backend=etcd3, not ${backend}`)
  if (backend === 'memory') return openMemoryStore({ clock, compactionInterval })
  if (options.dataDir === undefined) throw new UserError('storageBackend lmdb needs a dataDir')
  const { openLmdbStore } = await import('../storage/lmdb/store.js')
  return openLmdbStore({ directory: storeDirectory(options.dataDir), clock, compactionInterval })
}
