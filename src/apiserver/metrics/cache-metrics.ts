/** Metrics of watch caches and the objects in them, under kube-apiserver's names. They are read from the caches when asked for. */

import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { initializationSeconds, readWaitSeconds, storedListSeconds } from '../../storage/cache-counts.js'
import type { Metrics } from '../../util/instruments/metrics.js'

const labels = ['group', 'resource']

/** `estimatesSizes` says whether the feature gate SizeBasedListCostEstimate is on; without it, sizes are not estimated. */
export function addCacheMetrics(metrics: Metrics, registry: Registry, estimatesSizes: boolean): void {
  const cached = () => [...registry.all()].filter(({ kind, cache }) => !kind.virtual && cache.ready)
  /** A definition's versions are resources with a cache each. */
  const byResource = () => {
    const all = new Map<string, Resource[]>()
    for (const resource of cached()) {
      const key = `${resource.group}/${resource.resource}`
      const known = all.get(key)
      if (known) known.push(resource)
      else all.set(key, [resource])
    }
    return all.values()
  }
  /** Adds a metric with one value for each resource, made of that of its caches. */
  const each = (
    add: 'counter' | 'gauge',
    definition: { name: string; help: string; stage?: 'BETA' },
    read: (resource: Resource) => number
  ) => {
    const family = metrics[add]({
      stage: 'ALPHA',
      labels,
      ...definition,
      collect() {
        // resources come and go
        family.clear()
        for (const resources of byResource())
          family.of(resources[0]!.group, resources[0]!.resource).set(Math.max(...resources.map(read)))
      }
    })
  }
  const objects = metrics.gauge({
    name: 'apiserver_storage_objects',
    help: 'Objects that are stored, by resource. Use apiserver_resource_objects instead.',
    stage: 'STABLE',
    deprecatedSince: '1.34.0',
    labels: ['resource'],
    collect() {
      objects.clear()
      for (const { group, resource, cache } of cached())
        objects.of(group === '' ? resource : `${resource}.${group}`).set(cache.size)
    }
  })
  each('gauge', { name: 'apiserver_resource_objects', help: 'Objects that are stored, by resource.' }, r => r.cache.size)
  if (estimatesSizes)
    each(
      'gauge',
      { name: 'apiserver_resource_size_estimate_bytes', help: 'Bytes of the stored objects as JSON.' },
      r => r.cache.counts.bytes
    )
  each(
    'counter',
    { name: 'apiserver_storage_events_received_total', help: 'Events that came from the store.', stage: 'BETA' },
    r => r.cache.counts.received
  )
  each(
    'counter',
    { name: 'apiserver_watch_cache_events_received_total', help: 'Events that watch caches received.' },
    r => r.cache.counts.received
  )
  each(
    'counter',
    { name: 'apiserver_watch_cache_events_dispatched_total', help: 'Events that watch caches passed on to watches.' },
    r => r.cache.counts.dispatched
  )
  each(
    'counter',
    { name: 'apiserver_watch_cache_initializations_total', help: 'How often watch caches were read from the store.' },
    r => r.cache.counts.initializations
  )
  addTimes(metrics, cached)
  each(
    'gauge',
    { name: 'apiserver_watch_cache_resource_version', help: 'The resource version that watch caches show.' },
    r => r.cache.revision % 1e15
  )
  each('gauge', { name: 'watch_cache_capacity', help: 'Events that a watch cache keeps at most.' }, r => r.cache.capacity)
  each(
    'counter',
    { name: 'apiserver_init_events_total', help: 'Objects that watches were sent at their beginning.' },
    r => r.cache.counts.initial
  )
  each(
    'counter',
    { name: 'apiserver_storage_decode_errors_total', help: 'Objects in the store that cannot be read.' },
    r => r.cache.counts.unreadable
  )
  addLists(metrics, cached)
  addConsistentReads(metrics, cached)
}

/** Adds the metrics of how long it took to fill watch caches, and how often that failed. */
function addTimes(metrics: Metrics, cached: () => Resource[]): void {
  const failures = metrics.counter({
    name: 'apiserver_watch_cache_initialization_errors_total',
    help: 'How often watch caches could not be filled.',
    stage: 'ALPHA',
    labels,
    collect() {
      failures.clear()
      for (const { group, resource, cache } of cached()) {
        const { failedInitializations: count } = cache.counts
        if (count > 0) failures.of(group, resource).set(count)
      }
    }
  })
  const times = metrics.histogram({
    name: 'apiserver_watch_cache_initialization_duration_seconds',
    help: 'How long it took to fill watch caches.',
    stage: 'ALPHA',
    labels,
    buckets: initializationSeconds,
    collect() {
      times.clear()
      for (const { group, resource, cache } of cached()) times.put(cache.counts.initialization, group, resource)
    }
  })
  const listed = metrics.histogram({
    name: 'apiserver_storage_list_duration_seconds',
    help: 'How long lists from the store took, with the reading of their objects, by whether etcd sent them as a stream.',
    stage: 'ALPHA',
    labels: ['streamed', ...labels],
    buckets: storedListSeconds,
    collect() {
      listed.clear()
      for (const { group, resource, cache } of cached()) {
        const { storedSeconds, streamedSeconds } = cache.counts
        if (storedSeconds.count > 0) listed.put(storedSeconds, 'false', group, resource)
        if (streamedSeconds.count > 0) listed.put(streamedSeconds, 'true', group, resource)
      }
    }
  })
}

/** Adds the metrics of lists, by what served them: the watch cache, or the store when a watch cache is filled from it. */
function addLists(metrics: Metrics, cached: () => Resource[]): void {
  const counters = (name: string, own: readonly string[], deprecatedSince?: string) => {
    const definition = { stage: 'ALPHA', deprecatedSince, collect: () => lists.definition.collect?.() } as const
    const add = (part: string, help: string, labels: readonly string[]) =>
      metrics.counter({ ...definition, name: `${name}_${part}`, help, labels })
    return {
      fetched: add('fetched_objects_total', 'Objects that lists looked at.', ['group', 'resource', ...own, 'index']),
      returned: add('returned_objects_total', 'Objects that lists returned.', ['group', 'resource', ...own])
    }
  }
  const lists = metrics.counter({
    name: 'apiserver_storage_list_total',
    help: 'Lists by what served them.',
    stage: 'ALPHA',
    labels: ['group', 'resource', 'storage', 'index'],
    collect() {
      for (const family of [lists, evaluated, fetched, returned, former, formerFetched, formerReturned]) family.clear()
      for (const { group, resource, cache } of cached()) {
        const { stored } = cache.counts
        lists.of(group, resource, 'etcd', '').add(stored.lists)
        fetched.of(group, resource, 'etcd', '').add(stored.fetched)
        returned.of(group, resource, 'etcd').add(stored.returned)
        // the caches read all objects, and select none
        evaluated.of(group, resource, 'etcd').add(0)
        for (const [index, counts] of cache.counts.lists) {
          lists.of(group, resource, 'watchcache', index).add(counts.lists)
          fetched.of(group, resource, 'watchcache', index).add(counts.fetched)
          returned.of(group, resource, 'watchcache').add(counts.returned)
          evaluated.of(group, resource, 'watchcache').add(0)
          former.of(group, resource, index).add(counts.lists)
          formerFetched.of(group, resource, index).add(counts.fetched)
          formerReturned.of(group, resource).add(counts.returned)
        }
      }
    }
  })
  const { fetched, returned } = counters('apiserver_storage_list', ['storage'])
  const evaluated = metrics.counter({
    name: 'apiserver_storage_list_evaluated_objects_total',
    help: 'Objects of lists from the store that a selector was applied to.',
    stage: 'ALPHA',
    labels: ['group', 'resource', 'storage'],
    collect: () => lists.definition.collect?.()
  })
  const former = metrics.counter({
    name: 'apiserver_cache_list_total',
    help: 'Lists that were served from watch caches.',
    stage: 'ALPHA',
    deprecatedSince: '1.37.0',
    labels: ['group', 'resource', 'index'],
    collect: () => lists.definition.collect?.()
  })
  const { fetched: formerFetched, returned: formerReturned } = counters('apiserver_cache_list', [], '1.37.0')
}

/** Adds the metrics of consistent reads. An embedded store never makes a read wait, so these have no series then. */
function addConsistentReads(metrics: Metrics, cached: () => Resource[]): void {
  const reads = metrics.counter({
    name: 'apiserver_watch_cache_consistent_read_total',
    help: 'Reads that had to show all that was written before.',
    stage: 'ALPHA',
    labels: ['group', 'resource', 'success', 'fallback'],
    collect() {
      reads.clear()
      for (const { group, resource, cache } of cached()) {
        const { consistent, inconsistent } = cache.counts
        if (consistent > 0) reads.of(group, resource, 'true', 'false').set(consistent)
        if (inconsistent > 0) reads.of(group, resource, 'false', 'false').set(inconsistent)
      }
    }
  })
  const waits = metrics.histogram({
    name: 'apiserver_watch_cache_read_wait_seconds',
    help: 'How long reads waited until the watch cache showed the present.',
    stage: 'ALPHA',
    labels,
    buckets: readWaitSeconds,
    collect() {
      waits.clear()
      for (const { group, resource, cache } of cached())
        if (cache.counts.readWait.count > 0) waits.put(cache.counts.readWait, group, resource)
    }
  })
}
