/** Makes the backends of a server, in the order in which requests try them. */
import type { Backend } from '../apiserver/endpoints/backend.js'
import { ResourceBackend } from '../apiserver/endpoints/resource-backend.js'
import { builtinRules, customRules } from '../apiserver/endpoints/route-rules.js'
import { WatchFrames } from '../apiserver/endpoints/watch/frames.js'
import { WatchBudget } from '../apiserver/endpoints/watch/watch-budget.js'
import { watchMetrics } from '../apiserver/endpoints/watch/watch-metrics.js'
import { describe } from '../apiserver/openapi/describe.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

interface Needs extends Pick<Foundation, 'registry' | 'metrics'> {
  readonly services: Services
  readonly admission: Admission
  /** The extension API servers; undefined without aggregation. */
  readonly remote: Backend | undefined
  readonly servesCbor: boolean
  /** Aborts when the server stops, which ends watches. */
  readonly stopping: AbortSignal
}

const isCustom = (resource: Resource) => resource.kind.custom !== undefined

export function serverBackends(options: ServerOptions, needs: Needs): Backend[] {
  const { registry, metrics, services, admission, remote, servesCbor, stopping } = needs
  const { features } = services
  const server = {
    services,
    admission,
    frames: new WatchFrames(),
    watchMetrics: watchMetrics(metrics),
    watchBudget: new WatchBudget(metrics),
    stopping,
    minWatchMs: options.minRequestTimeout ?? 30 * 60_000
  }
  return [
    ...(remote ? [remote] : []),
    new ResourceBackend({
      registry,
      server,
      name: 'built-in kinds',
      serves: resource => !isCustom(resource),
      rules: builtinRules,
      describe: served => describe(served, { hasRoutes: true, cbor: servesCbor, features })
    }),
    new ResourceBackend({
      registry,
      server,
      name: 'custom resources',
      serves: isCustom,
      rules: customRules,
      describe: served => describe(served, { hasRoutes: false, features })
    })
  ]
}
