import { rbacGroup } from '../authorization/rbac/group.js'
import type { HealthCheck } from '../health/health.js'
import type { ServerOptions } from '../options.js'
import type { Registry } from '../registry/registry.js'
import type { Store } from '../storage/contract.js'

export interface HealthState {
  readonly store: Store
  readonly registry: Registry
  readonly stopping: AbortSignal
  /** Whether the default roles and bindings exist. */
  readonly hasDefaultRoles: () => boolean
}

/** Returns the checks of /healthz, /livez and /readyz, with kube-apiserver's names and in its order. */
export function healthChecks(
  { etcdHealthcheckTimeout, etcdReadycheckTimeout }: ServerOptions,
  { store, registry, stopping, hasDefaultRoles }: HealthState
): Record<'livez' | 'readyz' | 'healthz', HealthCheck[]> {
  const ping: HealthCheck = { name: 'ping', check() {} }
  const etcd: HealthCheck = { name: 'etcd', check: () => store.health(etcdHealthcheckTimeout) }
  const etcdReady: HealthCheck = { name: 'etcd', check: () => store.health(etcdReadycheckTimeout) }
  const informers: HealthCheck = {
    name: 'informer-sync',
    check() {
      const waiting = [...registry.all()].filter(r => !r.kind.virtual && !r.cache.ready).map(r => r.resource)
      if (waiting.length > 0) throw new Error(`not read yet: ${waiting.join(', ')}`)
    }
  }
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check() {
      if (stopping.aborted) throw new Error('the server is stopping')
    }
  }
  const roles: HealthCheck = {
    name: 'poststarthook/rbac/bootstrap-roles',
    check() {
      if (!hasDefaultRoles()) throw new Error('not finished')
    }
  }
  const hooks = registry.has(rbacGroup, 'roles') ? [roles] : []
  return {
    healthz: [ping, etcd, ...hooks],
    livez: [ping, etcd, ...hooks],
    readyz: [ping, etcdReady, informers, ...hooks, shutdown]
  }
}
