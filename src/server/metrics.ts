/**
 * Makes the metrics of requests, and those that no other part counts: of the build, the feature gates, the caches and the
 * process.
 */

import type { RequestRoute } from '../apimachinery/request/record.js'
import type { RequestInfo } from '../apimachinery/request/request-info.js'
import { addCacheMetrics } from '../apiserver/metrics/cache-metrics.js'
import { addFeatureMetrics } from '../apiserver/metrics/feature-metrics.js'
import { LazyMetrics } from '../apiserver/metrics/lazy-metrics.js'
import { addBuildMetrics, addProcessMetrics } from '../apiserver/metrics/process-metrics.js'
import { requestFamilies } from '../apiserver/metrics/request-families.js'
import { RequestMetrics } from '../apiserver/metrics/request-metrics.js'
import type { Registry } from '../registry/registry.js'
import { Metrics } from '../util/instruments/metrics.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'
import { versionInfo } from './version.js'

type Measured = Pick<Foundation, 'metrics' | 'metricOptions' | 'features' | 'version' | 'registry'>

export function serverMetrics(options: ServerOptions, { metrics, metricOptions, features, version, registry }: Measured) {
  const library = new LazyMetrics(metricOptions.disabled)
  addFeatureMetrics(metrics, features)
  addBuildMetrics(metrics, versionInfo(version))
  addCacheMetrics(metrics, registry, features.enabled('SizeBasedListCostEstimate'))
  if (options.processMetrics) addProcessMetrics(metrics, library)
  const families = requestFamilies(metrics)
  const requests = new RequestMetrics({
    families,
    now: () => performance.now(),
    routeOf: info => servedRoute(registry, info)
  })
  return {
    metrics,
    /** Metrics that the library prom-client keeps. */
    library,
    /** The metrics of /metrics/slis: health checks only. */
    slis: new Metrics(metricOptions, false),
    hasNative: features.enabled('NativeHistograms'),
    families,
    /** The stage that counts and times requests. */
    stage: requests.stage
  }
}

export type ServerMetrics = ReturnType<typeof serverMetrics>

/**
 * The resource and subresource that a request is counted under; undefined when the resource is not served, without a subresource
 * that does not exist.
 */
function servedRoute(registry: Registry, { group, version, resource, subresource }: RequestInfo): RequestRoute | undefined {
  const kind = registry.find(group, version, resource)?.kind
  if (!kind) return undefined
  const { status, scale, others } = kind.subresources ?? {}
  const exists =
    (subresource === 'status' && status) || (subresource === 'scale' && scale) || Object.hasOwn(others ?? {}, subresource)
  return { group, version, resource, subresource: exists ? subresource : '' }
}
