/** Makes the authorizers of a server, and the roles that limit what users may grant. */
import { RbacPolicy } from '../authorization/rbac/policy.js'
import { ServerAuthorizer } from '../authorization/server-authorizer.js'
import type { ServerFaults } from '../faults/faults.js'
import { PrometheusAuthorizationMetrics } from '../metrics/authorization-metrics.js'
import { ConfigReloadMetrics } from '../metrics/config-reload-metrics.js'
import type { ServerOptions } from '../options.js'
import type { Randomness } from '../util/randomness.js'
import type { Foundation } from './foundation.js'

interface Needs extends Pick<Foundation, 'features' | 'authorization' | 'registry' | 'clock' | 'log' | 'metrics' | 'egress'> {
  readonly random: Randomness
  readonly faults: ServerFaults
}

export function authorization(
  options: ServerOptions,
  { features, authorization: loaded, registry, clock, log, metrics, egress, random, faults }: Needs
): { readonly rbac: RbacPolicy; readonly authorizer: ServerAuthorizer } {
  const rbac = new RbacPolicy(registry)
  const authorizer = new ServerAuthorizer({
    features,
    loaded,
    rbac,
    registry,
    others: options.authorizers ?? [],
    clock,
    random,
    log,
    metrics: new PrometheusAuthorizationMetrics(metrics),
    reloads: new ConfigReloadMetrics(metrics, clock, 'authorization'),
    egress: egress.controlplane,
    faults
  })
  return { rbac, authorizer }
}
