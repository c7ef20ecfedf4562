/**
 * Finds the servers behind Services, for webhooks and aggregation: by the addresses that the operator gave, or by the cluster's.
 */

import { serviceResolver } from '../registry/network/service-resolver.js'
import type { Registry } from '../registry/registry.js'
import type { ResolveService } from '../transport/webhooks/service-overrides.js'
import { serviceOverrides } from '../transport/webhooks/service-overrides.js'
import type { ServerOptions } from './options.js'

export interface ServiceAddresses {
  readonly resolve: ResolveService
  /** Whether the operator gives the address of a Service. */
  isOverridden(namespace: string, name: string, port: number): boolean
}

/** Throws a UserError for an address that is not valid. */
export function serviceAddresses({ resolveService = {} }: ServerOptions, registry: Registry): ServiceAddresses {
  const overrides = serviceOverrides(resolveService)
  return {
    resolve: serviceResolver(registry, overrides),
    isOverridden: (namespace, name, port) =>
      overrides.has(`${namespace}/${name}`) || overrides.has(`${namespace}/${name}:${port}`)
  }
}
