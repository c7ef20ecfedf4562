/** Makes the handlers of the paths outside the resources. */
import { flagzPath } from '../apiserver/debug/flagz.js'
import { statuszPath } from '../apiserver/debug/statusz.js'
import type { PriorityOf } from '../apiserver/discovery/api-groups.js'
import { DiscoveryMetrics } from '../apiserver/discovery/discovery-metrics.js'
import { discoveryPaths, type PeerDocuments } from '../apiserver/discovery/paths.js'
import { issuerPaths } from '../apiserver/discovery/service-account-issuer.js'
import type { Backend } from '../apiserver/endpoints/backend.js'
import type { PathHandler } from '../apiserver/endpoints/dispatch.js'
import { type HealthCheck, type HealthKind, healthPaths } from '../apiserver/health/health.js'
import { HealthMetrics } from '../apiserver/health/health-metrics.js'
import { type MetricsPaths, metricsPaths } from '../apiserver/metrics/paths.js'
import { openApiPaths } from '../apiserver/openapi/paths.js'
import { kubernetesVersion } from '../util/kubernetes-version.js'
import { serverAddressOf } from './address.js'
import { debugPaths } from './debug-access.js'
import { issuersOf } from './defaults.js'
import type { ServerFlowControl } from './flow-control.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'
import { rootPath } from './root-path.js'
import { versionPath } from './version.js'

interface Needs extends Pick<Foundation, 'features' | 'version' | 'tokens' | 'metrics' | 'clock' | 'log'> {
  readonly measured: Omit<MetricsPaths, 'more' | 'joined'>
  readonly joinedMetrics: MetricsPaths['joined']
  readonly flow: ServerFlowControl
  readonly more: readonly PathHandler[] | undefined
  readonly checks: Readonly<Record<HealthKind, readonly HealthCheck[]>>
  readonly backends: readonly Backend[]
  /** Finds the priority that a version has in discovery through its APIService, if any. */
  readonly priorityOf: PriorityOf
  /** What the other API servers over the same store serve; undefined for a server that does not ask them. */
  readonly peers: PeerDocuments | undefined
  readonly servesCbor: boolean
  /** The port on which the server listens; known once it listens. */
  readonly port: () => number
}

export function serverPaths(options: ServerOptions, needs: Needs): PathHandler[] {
  const {
    features,
    version,
    tokens,
    metrics,
    clock,
    log,
    measured,
    joinedMetrics,
    flow,
    checks,
    backends,
    priorityOf,
    peers,
    servesCbor,
    port
  } = needs
  const serverAddress = () => serverAddressOf(options, port())
  const paths: PathHandler[] = [
    versionPath(version),
    ...discoveryPaths({
      backends,
      serverAddress,
      priorityOf,
      cbor: servesCbor,
      peers,
      metrics: new DiscoveryMetrics(metrics)
    }),
    ...issuerPaths({
      issuer: issuersOf(options)[0]!,
      keys: tokens.keys,
      jwksUri: options.serviceAccountJwksUri,
      serverAddress
    }),
    ...healthPaths({ checks, metrics: new HealthMetrics(measured.slis), log }),
    ...openApiPaths(backends, clock, `1.${version.emulated}`),
    ...metricsPaths({ ...measured, more: flow.metrics, joined: joinedMetrics }),
    ...flow.paths,
    ...(needs.more ?? [])
  ]
  // last, because it lists all paths, including its own
  const root = rootPath(paths, backends)
  paths.push(
    root,
    ...(features.enabled('ComponentStatusz')
      ? [
          statuszPath({
            cbor: servesCbor,
            clock,
            version,
            binaryVersion: kubernetesVersion.slice(1),
            paths: () => root.list()
          })
        ]
      : []),
    ...(features.enabled('ComponentFlagz') ? [flagzPath(options.flags ?? {}, servesCbor)] : []),
    ...(options.profiling === false ? [] : debugPaths(log))
  )
  return paths
}
