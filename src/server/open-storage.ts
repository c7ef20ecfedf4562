/** Opens the stores of a server: the engine, its metrics, and encryption at rest around it. */

import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { addStorageSize, etcdObserver, leaseObserver } from '../apiserver/metrics/storage-metrics.js'
import type { Registry } from '../registry/registry.js'
import type { Store } from '../storage/contract.js'
import type { Encryption } from '../storage/encryption/encryption.js'
import { isEncrypted } from '../storage/encryption/transformer.js'
import type { HistoryStore } from '../storage/history-store.js'
import { MeasuredStore } from '../storage/measured-store.js'
import type { Connect } from '../transport/egress/egress-selector.js'
import type { Clock } from '../util/clock.js'
import type { Metrics } from '../util/instruments/metrics.js'
import type { Logger } from '../util/logger.js'
import type { RunningParts } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import { storageBackendOf } from './defaults.js'
import { etcdOverrides } from './etcd-overrides.js'
import { openEncryption } from './open-encryption.js'
import { openStore } from './open-store.js'
import type { ServerOptions } from './options.js'
import type { Origin } from './origin.js'

const defaultHistorySize = 1024 ** 3

export interface Storage {
  readonly store: Store
  /** The engine that stores the values, encrypted or not. */
  readonly engine: Store
  /** The engine again, if it keeps history. */
  readonly history: HistoryStore | undefined
  /** The stores of --etcd-servers-overrides. */
  readonly others: readonly Store[]
  /** Finds the store of a resource by the beginning of its keys: `events`. */
  storeOf(path: string): Store
  /** Undefined when nothing is stored encrypted. */
  readonly encryption: Encryption | undefined
}

export interface StorageServices {
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
  /** Returns the registry, which does not exist yet while the caches are read. */
  readonly registry: () => Registry | undefined
  /** Opens the connections to etcd that an egress selection redirects. */
  readonly egress?: Connect | undefined
  readonly features: Pick<FeatureGates, 'enabled'>
  /** What the store takes over from another server. */
  readonly origin?: Origin | undefined
}

/** Starts what it opens as parts of `running`. Rejects with a UserError for problems that the user can fix. */
export async function openStorage(options: ServerOptions, running: RunningParts, services: StorageServices): Promise<Storage> {
  const { metrics, clock, log, registry, egress, origin } = services
  const isEtcd = storageBackendOf(options) === 'etcd3'
  const overrides = etcdOverrides(options.etcdServersOverrides ?? [])
  if (overrides.length > 0 && !isEtcd) throw new UserError('--etcd-servers-overrides is for --storage-backend=etcd3')
  if (overrides.length > 0 && options.history) throw new UserError('--history cannot be used with --etcd-servers-overrides')
  const leaseUsed = leaseObserver(metrics)
  const observe = isEtcd
    ? etcdObserver(
        metrics,
        () => root,
        () => registry()
      )
    : undefined
  let root = ''
  let history: HistoryStore | undefined
  const open = async (settings: ServerOptions): Promise<Store> => {
    const opened = await openStore(settings, clock, log, leaseUsed, egress, services.features.enabled('EtcdRangeStream'), origin)
    root = opened.root
    const measured = observe ? new MeasuredStore(opened, observe) : opened
    const store = options.history ? (history = await withHistory(measured, options, clock)) : measured
    await running.start([{ name: 'store', stop: () => store.close() }])
    return store
  }
  const stores = [await open(options)]
  for (const { servers } of overrides) stores.push(await open({ ...options, etcdServers: servers }))
  const clusters = stores.map((store, i) => ({ store, name: `${isEtcd ? 'etcd' : 'lmdb'}-${i}` }))
  addStorageSize(metrics, clusters)
  const encryption = await openEncryption(options, metrics, clock, log)
  if (encryption) await running.start([encryption])
  const [store, ...others] = await Promise.all(stores.map(inner => (encryption ? encryption.wrap(inner) : inner)))
  const byPath = new Map(overrides.flatMap(({ paths }, i) => [...paths].map(path => [path, others[i]!] as const)))
  return { store: store!, engine: stores[0]!, history, others, storeOf: path => byPath.get(path) ?? store!, encryption }
}

async function withHistory(engine: Store, options: ServerOptions, clock: Clock): Promise<HistoryStore> {
  if (options.store) throw new UserError('--history is for the storage backends lmdb, memory and etcd3')
  if (engine.singleWrites) {
    await engine.close()
    throw new UserError(
      '--history needs a store that takes several keys in one transaction, because who wrote what is written together with it, and what is at --etcd-servers takes one key only, as kine does: use etcd, or --storage-backend=lmdb'
    )
  }
  const { HistoryStore } = await import('../storage/history-store.js')
  const window = { age: options.history!, bytes: options.historySize ?? defaultHistorySize }
  const forgetsItself = storageBackendOf(options) === 'etcd3'
  const confidential = { prefix: `${engine.root}/secrets/`, isEncrypted }
  return HistoryStore.open(engine, { window, clock, forgetsItself, confidential })
}
