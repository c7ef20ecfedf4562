/** Metrics of the store: its size and, when it is etcd, the requests to it. */

import type { Registry } from '../../registry/registry.js'
import type { Store } from '../../storage/contract.js'
import type { StoreObserver } from '../../storage/measured-store.js'
import type { Metrics } from '../../util/instruments/metrics.js'

export interface StorageCluster {
  readonly store: Store
  /** `etcd-0`, as in kube-apiserver, or `lmdb-0`. */
  readonly name: string
}

/** Adds the size of the store; stores in memory have none. */
export function addStorageSize(metrics: Metrics, clusters: readonly StorageCluster[]): void {
  const sized = clusters.filter(({ store }) => store.size)
  if (sized.length === 0) return
  const size = metrics.gauge({
    name: 'apiserver_storage_size_bytes',
    help: 'Bytes that the store has on its disk; -1 when it does not answer.',
    stage: 'STABLE',
    labels: ['storage_cluster_id'],
    async collect() {
      await Promise.all(sized.map(async ({ store, name }) => size.of(name).set(await store.size!().catch(() => -1))))
    }
  })
}

/** Returns what to call with the number of keys for which a lease of etcd was used. */
export function leaseObserver(metrics: Metrics): (keys: number) => void {
  const counts = metrics
    .histogram({
      name: 'etcd_lease_object_counts',
      help: 'Number of objects that one lease of etcd was used for.',
      stage: 'ALPHA',
      buckets: [10, 50, 100, 500, 1000, 2500, 5000]
    })
    .of()
  return keys => counts.observe(keys)
}

const labels = ['operation', 'group', 'resource']

/** Returns what to call for every request to etcd. `registry` is a function, because the caches are read before there is one. */
export function etcdObserver(metrics: Metrics, root: () => string, registry: () => Registry | undefined): StoreObserver {
  const seconds = metrics.histogram({
    name: 'etcd_request_duration_seconds',
    help: 'How long requests to etcd took.',
    stage: 'ALPHA',
    labels,
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]
  })
  const requests = metrics.counter({
    name: 'etcd_requests_total',
    help: 'Requests to etcd.',
    stage: 'ALPHA',
    labels
  })
  const errors = metrics.counter({
    name: 'etcd_request_errors_total',
    help: 'Requests to etcd that failed.',
    stage: 'ALPHA',
    labels
  })
  const find = finder(root, registry)
  return (operation, key, duration, failed) => {
    const { group, resource } = find(key)
    seconds.of(operation, group, resource).observe(duration)
    requests.of(operation, group, resource).add()
    if (failed) errors.of(operation, group, resource).add()
  }
}

interface Names {
  readonly group: string
  readonly resource: string
}

const unknown: Names = { group: '', resource: '' }

/** Returns a function that finds the resource whose objects lie under a key. */
function finder(root: () => string, registry: () => Registry | undefined): (key: string) => Names {
  let byPrefix = new Map<string, Names>()
  let generation = -1
  return key => {
    const all = registry()
    if (!all) return unknown
    if (generation !== all.generation) {
      byPrefix = new Map([...all.all()].map(({ prefix, group, resource }) => [prefix, { group, resource }]))
      generation = all.generation
    }
    const first = key.indexOf('/', root().length + 1) + 1
    const second = key.indexOf('/', first) + 1
    return (second > 0 && byPrefix.get(key.slice(0, second))) || byPrefix.get(key.slice(0, first)) || unknown
  }
}
