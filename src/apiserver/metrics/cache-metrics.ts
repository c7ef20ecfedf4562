/** Metrics of watch caches and the objects in them, under kube-apiserver's names. They are read from the caches when asked for. */

import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { readWaitSeconds } from '../../storage/cache-counts.js'
import type { Family } from '../../util/instruments/family.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Count } from '../../util/instruments/series.js'

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
  const storage = 'apiserver_storage_list'
  each('counter', { name: `${storage}_total`, help: 'Lists that were read from the store.' }, r => r.cache.counts.stored.lists)
  each(
    'counter',
    { name: `${storage}_fetched_objects_total`, help: 'Objects that lists read from the store.' },
    r => r.cache.counts.stored.fetched
  )
  each(
    'counter',
    { name: `${storage}_evaluated_objects_total`, help: 'Objects of lists from the store that a selector was applied to.' },
    // the caches read all objects, and select none
    () => 0
  )
  each(
    'counter',
    { name: `${storage}_returned_objects_total`, help: 'Objects that lists from the store returned.' },
    r => r.cache.counts.stored.returned
  )
  each(
    'counter',
    { name: 'apiserver_storage_decode_errors_total', help: 'Objects in the store that cannot be read.' },
    r => r.cache.counts.unreadable
  )
  addLists(metrics, cached)
  addConsistentReads(metrics, cached)
}

function addLists(metrics: Metrics, cached: () => Resource[]): void {
  const name = 'apiserver_cache_list'
  const lists = metrics.counter({
    name: `${name}_total`,
    help: 'Lists that were served from watch caches.',
    stage: 'ALPHA',
    labels: ['group', 'resource', 'index'],
    collect() {
      restart(lists, fetched, returned)
      for (const { group, resource, cache } of cached())
        for (const [index, counts] of cache.counts.lists) {
          lists.of(group, resource, index).add(counts.lists)
          fetched.of(group, resource, index).add(counts.fetched)
          returned.of(group, resource).add(counts.returned)
        }
    }
  })
  const fetched = metrics.counter({
    name: `${name}_fetched_objects_total`,
    help: 'Objects that lists looked at.',
    stage: 'ALPHA',
    labels: ['group', 'resource', 'index'],
    collect: () => lists.definition.collect?.()
  })
  const returned = metrics.counter({
    name: `${name}_returned_objects_total`,
    help: 'Objects that lists returned.',
    stage: 'ALPHA',
    labels,
    collect: () => lists.definition.collect?.()
  })
}

const restart = (...families: readonly Family<Count>[]) => {
  for (const family of families) family.clear()
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
