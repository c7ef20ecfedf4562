/** The subsets of Endpoints. */
import { isDeepStrictEqual } from 'node:util'
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from '../../apimachinery/api/generated/core-v1.js'
import { sortedJson } from '../../util/sorted-json.js'
import { isReady } from '../workloads/pods.js'
import { endpointsOrder } from './port-order.js'
import { hasEndpoint, isIPv6, isNamedByService, targetPortOf } from './service-pods.js'

/** So many addresses are kept. */
export const mostAddresses = 1000

/** Undefined for a Pod that has no address of the Service's first family. */
function addressOf(pod: Pod, service: Service): EndpointAddress | undefined {
  const { ipFamilies = [], clusterIP } = service.spec
  const family = ipFamilies[0] ?? (isIPv6(clusterIP ?? pod.status.podIP ?? '') ? 'IPv6' : 'IPv4')
  const ip = pod.status.podIPs?.find(one => isIPv6(one.ip!) === (family === 'IPv6'))?.ip
  if (!ip) return undefined
  const { name, namespace, uid } = pod.metadata
  const address = { ip, nodeName: pod.spec.nodeName, targetRef: { kind: 'Pod', namespace, name, uid } }
  return isNamedByService(pod, service) ? { ...address, hostname: pod.spec.hostname } : address
}

/** The subsets that the Pods of a Service make. */
export function subsetsOf(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const { ports: servicePorts = [], clusterIP, publishNotReadyAddresses = false } = service.spec
  const subsets = pods.flatMap((pod): EndpointSubset[] => {
    const address = hasEndpoint(pod, publishNotReadyAddresses) ? addressOf(pod, service) : undefined
    if (!address) return []
    const state = publishNotReadyAddresses || isReady(pod) ? { addresses: [address] } : { notReadyAddresses: [address] }
    if (servicePorts.length === 0) return clusterIP === 'None' ? [state] : []
    return servicePorts.flatMap(port => {
      const number = targetPortOf(pod, port)
      if (number === undefined) return []
      const { name, protocol, appProtocol } = port
      return [{ ...state, ports: [{ name, port: number, protocol, appProtocol }] }]
    })
  })
  return repacked(subsets)
}

interface PortUse {
  readonly port: EndpointPort | undefined
  /** By address and object: whether it is ready for this port. */
  readonly ready: Map<string, boolean>
}

/** The same ports and addresses in as few subsets as can be, in their order. An address that is not ready somewhere is not ready for the port. */
export function repacked(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const addresses = new Map<string, EndpointAddress>()
  const uses = new Map<string, PortUse>()
  for (const { addresses: ready = [], notReadyAddresses = [], ports } of subsets)
    for (const port of ports?.length ? ports : [undefined]) {
      const portKey = port ? sortedJson(withoutUndefined(port)) : ''
      const use: PortUse = uses.get(portKey) ?? { port, ready: new Map() }
      uses.set(portKey, use)
      for (const [list, isReadyHere] of [
        [ready, true],
        [notReadyAddresses, false]
      ] as const)
        for (const address of list) {
          const key = `${address.ip} ${address.targetRef?.uid ?? ''}`
          if (!addresses.has(key)) addresses.set(key, address)
          use.ready.set(key, (use.ready.get(key) ?? true) && isReadyHere)
        }
    }
  const groups = new Map<string, { ready: ReadonlyMap<string, boolean>; ports: EndpointPort[] }>()
  for (const { port, ready } of uses.values()) {
    const key = JSON.stringify([...ready].sort(([a], [b]) => (a < b ? -1 : 1)))
    const group = groups.get(key) ?? { ready, ports: [] }
    groups.set(key, group)
    if (port) group.ports.push(port)
  }
  const packed = [...groups.values()].map(({ ready, ports }): EndpointSubset => {
    const those = (isReadyHere: boolean) =>
      [...ready]
        .filter(([, value]) => value === isReadyHere)
        .map(([key]) => addresses.get(key)!)
        .sort(inOrder)
    const [up, down] = [those(true), those(false)]
    return {
      ...(up.length > 0 ? { addresses: up } : {}),
      ...(down.length > 0 ? { notReadyAddresses: down } : {}),
      ...(ports.length > 0 ? { ports: endpointsOrder(ports) } : {})
    }
  })
  return packed.length < 2 ? packed : packed.sort((a, b) => (sortedJson(a) < sortedJson(b) ? -1 : 1))
}

function inOrder(a: EndpointAddress, b: EndpointAddress): number {
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1
  if (!a.targetRef || !b.targetRef) return Number(!!b.targetRef) - Number(!!a.targetRef)
  return (a.targetRef.uid ?? '') < (b.targetRef.uid ?? '') ? -1 : 1
}

const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

const comparable = (subsets: readonly EndpointSubset[]): unknown =>
  JSON.parse(JSON.stringify(subsets, (key, value) => (key === 'resourceVersion' ? undefined : value)))

export function areEqual(present: readonly EndpointSubset[], wanted: readonly EndpointSubset[]): boolean {
  const next = comparable(wanted)
  return isDeepStrictEqual(comparable(present), next) || isDeepStrictEqual(comparable(repacked(present)), next)
}

const countOf = (subsets: readonly EndpointSubset[], field: 'addresses' | 'notReadyAddresses'): number =>
  subsets.reduce((count, subset) => count + (subset[field]?.length ?? 0), 0)

export const addressCount = (subsets: readonly EndpointSubset[]): number =>
  countOf(subsets, 'addresses') + countOf(subsets, 'notReadyAddresses')

/** Keeps `mostAddresses`, in each subset its part of them: those that are ready first. */
export function truncated(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const ready = countOf(subsets, 'addresses')
  const [field, total, most] =
    ready > mostAddresses
      ? (['addresses', ready, mostAddresses] as const)
      : (['notReadyAddresses', countOf(subsets, 'notReadyAddresses'), mostAddresses - ready] as const)
  let left: number = most
  return subsets.map(subset => {
    const list = subset[field] ?? []
    const kept = list.slice(0, Math.min(left, Math.ceil((list.length / total) * most)))
    left -= kept.length
    const { notReadyAddresses: _, ...others } = subset
    return field === 'addresses' ? { ...others, addresses: kept } : { ...subset, notReadyAddresses: kept }
  })
}
