import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import type { Registry } from '../registry/registry.js'
import { LazyMetrics } from './lazy-metrics.js'
import type { RequestMetrics } from './request-metrics.js'

/** Makes the metrics of one server. */
export function createMetrics(resources: Registry): LazyMetrics {
  const metrics = new LazyMetrics()
  metrics.add(
    ({ Gauge }, registry) =>
      new Gauge({
        name: 'apiserver_resource_objects',
        help: 'Objects in the watch cache, by resource.',
        labelNames: ['group', 'resource'],
        registers: [registry],
        collect() {
          for (const r of resources.all()) if (r.cache.ready) this.set({ group: r.group, resource: r.resource }, r.cache.size)
        }
      })
  )
  return metrics
}

/** Adds metrics of the process, which several servers may share. They are collected only when they are requested. */
export function addProcessMetrics(metrics: LazyMetrics): void {
  metrics.add(({ collectDefaultMetrics }, register) => collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20 }))
}

/** `more`: metrics that are not prom-client's, as text. */
export function metricsPaths(metrics: LazyMetrics, requests: RequestMetrics, more: { text(): string }): PathHandler[] {
  return [
    {
      path: '/metrics',
      async handle() {
        const { registry } = metrics
        return respondBytes(
          200,
          registry.contentType,
          Buffer.from((await requests.text()) + more.text() + (await registry.metrics()))
        )
      }
    }
  ]
}
