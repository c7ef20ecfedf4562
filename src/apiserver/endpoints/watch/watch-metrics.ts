/** The metrics of watches, under kube-apiserver's names. */
import { exponentialBuckets, type Metrics } from '../../../util/instruments/metrics.js'
import type { Count, Distribution } from '../../../util/instruments/series.js'

/** What is counted of all watches of one resource in one version. */
export interface WatchCounts {
  readonly events: Count
  readonly sizes: Distribution
}

export type WatchMetrics = ReturnType<typeof watchMetrics>

const version = ['group', 'version', 'resource'] as const

export function watchMetrics(metrics: Metrics) {
  const events = metrics.counter({
    name: 'apiserver_watch_events_total',
    help: 'Events that watches have sent.',
    stage: 'BETA',
    labels: version
  })
  const sizes = metrics.histogram({
    name: 'apiserver_watch_events_sizes',
    help: 'Bytes of the events that watches have sent.',
    stage: 'BETA',
    labels: version,
    buckets: exponentialBuckets(1024, 2, 8)
  })
  const initialSeconds = metrics.histogram({
    name: 'apiserver_watch_list_duration_seconds',
    help: 'How long watches took to send their initial events, where these replace a list.',
    stage: 'BETA',
    labels: [...version, 'scope'],
    buckets: [...[0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60], ...[90, 120, 180, 300]]
  })
  return {
    countsOf: (group: string, version: string, resource: string): WatchCounts => ({
      events: events.of(group, version, resource),
      sizes: sizes.of(group, version, resource)
    }),
    initialSeconds
  }
}
