/** Makes the authorizers of a server, and the roles that limit what users may grant. */

import type { ServerFaults } from '../apiserver/faults/faults.js'
import { ConfigReloadMetrics } from '../apiserver/metrics/config-reload-metrics.js'
import { PrometheusAuthorizationMetrics } from '../auth/authorization/authorization-metrics.js'
import { RbacPolicy } from '../auth/authorization/rbac/policy.js'
import { ServerAuthorizer } from '../auth/authorization/server-authorizer.js'
import type { Randomness } from '../util/randomness.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

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
