import { collectDefaultMetrics, Gauge, Registry as PromRegistry } from 'prom-client'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import type { Registry } from '../registry/registry.js'
import type { RequestMetrics } from './request-metrics.js'

/** The metrics of one server. */
export function createMetrics(resources: Registry): PromRegistry {
  const registry = new PromRegistry()
  new Gauge({
    name: 'apiserver_resource_objects',
    help: 'Objects in the watch cache, by resource.',
    labelNames: ['group', 'resource'],
    registers: [registry],
    collect() {
      for (const r of resources.all()) if (r.cache.ready) this.set({ group: r.group, resource: r.resource }, r.cache.size)
    }
  })
  return registry
}

/** Metrics of the process, which several servers may share: collected only when somebody looks. */
export function addProcessMetrics(registry: PromRegistry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
}

export function metricsPaths(registry: PromRegistry, requests: RequestMetrics): PathHandler[] {
  return [
    {
      path: '/metrics',
      async handle() {
        return respondBytes(200, registry.contentType, Buffer.from((await requests.text()) + (await registry.metrics())))
      }
    }
  ]
}
