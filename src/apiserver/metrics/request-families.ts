/** The metrics of requests, under kube-apiserver's names. */
import type { Metrics } from '../../util/instruments/metrics.js'
import { exponentialBuckets } from '../../util/instruments/metrics.js'

const seconds = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]
const filterSeconds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30]
const route = ['group', 'version', 'resource', 'subresource', 'scope', 'component'] as const

export type RequestFamilies = ReturnType<typeof requestFamilies>

export function requestFamilies(metrics: Metrics) {
  const withoutWaits = {
    help: 'How long requests took, without the time of webhooks and of waiting in a queue.',
    labels: ['verb', ...route],
    buckets: seconds
  }
  return {
    total: metrics.counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and answer.',
      stage: 'STABLE',
      labels: ['verb', 'dry_run', ...route, 'code']
    }),
    duration: metrics.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'How long requests took.',
      stage: 'STABLE',
      labels: ['verb', 'dry_run', ...route],
      buckets: [0.005, 0.025, ...seconds]
    }),
    sli: metrics.histogram({ name: 'apiserver_request_sli_duration_seconds', stage: 'ALPHA', ...withoutWaits }),
    fieldValidation: metrics.histogram({
      name: 'field_validation_request_duration_seconds',
      help: 'How long requests took, by how unknown fields are to be handled.',
      stage: 'ALPHA',
      labels: ['field_validation'],
      buckets: seconds
    }),
    sizes: metrics.histogram({
      name: 'apiserver_response_sizes',
      help: 'Bytes of the answers to reads.',
      stage: 'STABLE',
      labels: ['verb', ...route],
      buckets: exponentialBuckets(1000, 10, 7)
    }),
    longRunning: metrics.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Watches and connections that are open.',
      stage: 'STABLE',
      labels: ['verb', ...route]
    }),
    terminations: metrics.counter({
      name: 'apiserver_request_terminations_total',
      help: 'Requests that the server ended to protect itself: there were too many (429), they took too long (504), or an extension API server is not available (503).',
      stage: 'ALPHA',
      labels: ['verb', ...route, 'code']
    }),
    aborts: metrics.counter({
      name: 'apiserver_request_aborts_total',
      help: 'Answers that the server has cut off, because their time was over or the rest could not be made.',
      stage: 'ALPHA',
      labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope']
    }),
    postTimeout: metrics.counter({
      name: 'apiserver_request_post_timeout_total',
      help: 'What became of the work for requests that had been answered with a timeout.',
      stage: 'ALPHA',
      labels: ['source', 'status']
    }),
    self: metrics.counter({
      name: 'apiserver_selfrequest_total',
      help: 'Requests of the server to itself.',
      stage: 'ALPHA',
      labels: ['verb', 'group', 'resource', 'subresource']
    }),
    deprecated: metrics.gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Deprecated versions that have been asked for, with the release that will not have them.',
      stage: 'STABLE',
      labels: ['group', 'version', 'resource', 'subresource', 'removed_release']
    }),
    filters: metrics.histogram({
      name: 'apiserver_request_filter_duration_seconds',
      help: 'How long requests took in a stage of the chain.',
      stage: 'ALPHA',
      labels: ['filter'],
      buckets: filterSeconds
    }),
    bodySizes: metrics.histogram({
      name: 'apiserver_request_body_size_bytes',
      help: 'Bytes of the bodies of writes.',
      stage: 'ALPHA',
      labels: ['resource', 'group', 'verb'],
      buckets: Array.from({ length: 31 }, (_, i) => 50_000 + i * 100_000)
    })
  }
}
