/** Finds an address for a service that a webhook names. No nodes route cluster IPs here, so it uses endpoints. */

import type { Service } from '../../apimachinery/api/generated/core-v1.js'
import type { EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Address, ResolveService } from '../../transport/webhooks/service-overrides.js'
import type { Registry } from '../registry.js'

/**
 * `overrides` take precedence: they map "namespace/name:port" or "namespace/name" to an address, for webhooks that run beside the
 * server instead of in a cluster. Otherwise the ready endpoints of the service are used in turn.
 */
export function serviceResolver(registry: Registry, overrides: ReadonlyMap<string, Address>): ResolveService {
  let turn = 0
  return (namespace, name, port) => {
    const override = overrides.get(`${namespace}/${name}:${port}`) ?? overrides.get(`${namespace}/${name}`)
    if (override) return override
    const services = registry.of(refs.services)
    const found = services.get(namespace, name)
    if (!found) throw new Error(`service ${JSON.stringify(name)} not found`)
    const { spec }: Service = services.parse(found)
    if (spec.type === 'ExternalName') return { host: spec.externalName!, port }
    const declared = spec.ports?.find(p => p.port === port)
    if (!declared) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`)
    const slices = inSlices(registry, namespace, name, declared.name ?? '')
    const addresses = slices.length > 0 ? slices : inEndpoints(registry, namespace, name, declared.name ?? '')
    if (addresses.length === 0) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`)
    return addresses[turn++ % addresses.length]!
  }
}

function inSlices(registry: Registry, namespace: string, name: string, portName: string): Address[] {
  const resource = registry.of(refs.endpointSlices)
  const slices = resource.cache.by('labels', 'kubernetes.io/service-name', name, `${namespace}/`)
  return slices.flatMap(cached => {
    const slice: EndpointSlice = resource.parse(cached)
    const port = slice.ports?.find(p => (p.name ?? '') === portName)?.port
    if (port === undefined) return []
    const ready = (slice.endpoints ?? []).filter(endpoint => endpoint.conditions?.ready !== false)
    return ready.flatMap(endpoint => (endpoint.addresses ?? []).map(host => ({ host, port })))
  })
}

/** Finds addresses in hand-written Endpoints, for which no controller creates EndpointSlices. */
function inEndpoints(registry: Registry, namespace: string, name: string, portName: string): Address[] {
  const resource = registry.of(refs.endpoints)
  return (resource.read(namespace, name)?.subsets ?? []).flatMap(({ addresses, ports }) => {
    const port = ports?.find(p => (p.name ?? '') === portName)?.port
    return port === undefined ? [] : (addresses ?? []).map(({ ip }) => ({ host: ip, port }))
  })
}
