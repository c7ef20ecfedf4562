/** Computes the Endpoints of the Service `kubernetes` and their EndpointSlice: the addresses of the API servers. */
import type { EndpointAddress, EndpointSubset, Endpoints } from '../../apimachinery/api/generated/core-v1.js'
import type { EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Registry } from '../../registry/registry.js'
import { equalJson } from '../../util/json.js'

export const serviceName = 'kubernetes'
/** The controller that mirrors Endpoints to EndpointSlices leaves those with this label alone. */
export const skipMirror = 'endpointslice.kubernetes.io/skip-mirror'

/** Returns the addresses that the Endpoints of the Service `kubernetes` have now. */
export const presentAddresses = (registry: Registry): string[] =>
  (registry.of(refs.endpoints).read('default', serviceName)?.subsets?.[0]?.addresses ?? []).map(({ ip }) => ip)

export interface Wanted {
  /** The addresses of all servers. */
  readonly addresses: readonly string[]
  readonly port: number
  /** Whether another port is replaced as well. kube-apiserver does so only when it removes addresses. */
  readonly correctsPorts: boolean
}

/** Returns the subsets to write, or undefined when the present ones are as wanted. */
export function correctedSubsets(present: Endpoints, { addresses, port, correctsPorts }: Wanted): EndpointSubset[] | undefined {
  const ports = [{ name: 'https', port, protocol: 'TCP' }]
  const subsets = present.subsets ?? []
  const [only] = subsets
  const sorted = [...addresses].sort().map((ip): EndpointAddress => ({ ip }))
  if (subsets.length !== 1 || !only) return sorted.length === 0 && subsets.length === 0 ? undefined : subset(sorted, ports)
  const hasAddresses = equalJson(
    (only.addresses ?? []).map(({ ip }) => ip).sort(),
    sorted.map(({ ip }) => ip)
  )
  const hasPorts = !correctsPorts || equalJson(only.ports ?? [], ports)
  if (hasAddresses && hasPorts) return undefined
  return subset(hasAddresses ? (only.addresses ?? []) : sorted, hasPorts ? (only.ports ?? ports) : ports)
}

const subset = (addresses: EndpointAddress[], ports: EndpointSubset['ports']): EndpointSubset[] =>
  addresses.length === 0 ? [] : [{ addresses, ...(ports ? { ports } : {}) }]

type SliceContent = Pick<EndpointSlice, 'addressType' | 'endpoints' | 'ports'> & { readonly labels: Record<string, string> }

/** Returns what the EndpointSlice of the Endpoints holds. A slice has addresses of one family: IPv4 unless all are IPv6. */
export function sliceOf({ subsets = [] }: Endpoints): SliceContent {
  const addresses = (subsets[0]?.addresses ?? []).map(({ ip }) => ip)
  const isIPv6 = (address: string) => address.includes(':')
  const addressType = addresses.length > 0 && addresses.every(isIPv6) ? 'IPv6' : 'IPv4'
  return {
    labels: { 'kubernetes.io/service-name': serviceName },
    addressType,
    endpoints: addresses
      .filter(address => isIPv6(address) === (addressType === 'IPv6'))
      .map(address => ({ addresses: [address], conditions: { ready: true } })),
    ports: (subsets[0]?.ports ?? []).map(({ name = '', port, protocol = 'TCP' }) => ({ name, port, protocol }))
  }
}

export const hasContent = ({ metadata, endpoints, ports }: EndpointSlice, content: SliceContent): boolean =>
  equalJson([metadata.labels ?? {}, endpoints ?? [], ports ?? []], [content.labels, content.endpoints, content.ports])
