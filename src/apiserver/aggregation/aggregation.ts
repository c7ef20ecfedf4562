/** Serves the APIServices of extension API servers: proxy, availability, discovery (docs/aggregation.md). */
import type { RemoteContent, RemoteGarbage } from '../../controllers/remote-content.js'
import type { Startup } from '../../controllers/startup.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Connect } from '../../transport/egress/egress-selector.js'
import type { ResolveService } from '../../transport/webhooks/service-overrides.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import type { Backend } from '../endpoints/backend.js'
import { ApiServiceTable } from './api-service-table.js'
import { availabilityController } from './availability-controller.js'
import { AvailabilityMetrics } from './availability-metrics.js'
import { namespaceContent } from './namespace-content.js'
import { forward, proxyToApiServices } from './proxy-to-api-services.js'
import { remoteBackend } from './remote-backend.js'
import { type FrontProxyCertificate, RemoteConnections } from './remote-connections.js'
import { RemoteDiscovery } from './remote-discovery.js'
import { remoteGarbage } from './remote-garbage.js'
import { RemoteOpenApi } from './remote-openapi.js'

export interface AggregationOptions {
  readonly services: Services
  readonly client: Client
  readonly resolve: ResolveService
  /** Whether the operator gave the address of a Service. */
  readonly isOverridden: (namespace: string, name: string, port: number) => boolean
  /** The certificate with which this server identifies itself to extension API servers. */
  readonly certificate: FrontProxyCertificate | undefined
  readonly rejectsRedirects: boolean
  /** Opens the connections into the cluster that an egress selection redirects. */
  readonly egress: Connect | undefined
  readonly metrics: Metrics
  readonly startup: Startup
  readonly log: Logger
}

export interface Aggregation {
  readonly backend: Backend
  readonly table: ApiServiceTable
  readonly connections: RemoteConnections
  /** The content of namespaces on extension API servers. */
  readonly content: RemoteContent
  /** Owners and dependents on extension API servers. */
  readonly garbage: RemoteGarbage
  /** Parts that must have started before requests come. */
  readonly before: readonly Part[]
  /** Parts that follow the extension API servers. */
  readonly controllers: readonly Part[]
  /** Parts that read from extension API servers what each process needs for itself. */
  readonly readers: readonly Part[]
}

export function aggregationOf(options: AggregationOptions): Aggregation {
  const { services, client, resolve, isOverridden, rejectsRedirects, startup, log } = options
  const table = new ApiServiceTable(services.registry)
  const connections = new RemoteConnections(resolve, options.certificate, options.egress, services.connections.simulatedServices)
  const discovery = new RemoteDiscovery({ services, table, connections, log })
  const metrics = new AvailabilityMetrics(options.metrics)
  const availability = availabilityController({ services, client, table, connections, isOverridden, metrics, log })
  const proxy = { table, connections, rejectsRedirects, namesUids: services.features.enabled('RemoteRequestHeaderUID') }
  const answer = proxyToApiServices(proxy)
  const openApi = new RemoteOpenApi({
    services,
    table,
    connections,
    log,
    forward: (context, remote) => forward(context, remote, proxy)
  })
  return {
    backend: remoteBackend({ table, discovery, openApi, answer }),
    table,
    connections,
    content: namespaceContent(table, discovery, connections),
    garbage: remoteGarbage({ table, discovery, connections, clock: services.clock }),
    before: [{ name: 'connections to extension API servers', stop: () => connections.close() }, table],
    controllers: [
      startup.during(
        availability,
        'apiservice-status-local-available-controller',
        'apiservice-status-remote-available-controller'
      )
    ],
    readers: [
      startup.during(discovery.controller, 'apiservice-discovery-controller'),
      startup.during(openApi.controller, 'apiservice-openapi-controller', 'apiservice-openapiv3-controller')
    ]
  }
}
