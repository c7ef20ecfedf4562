/** The EndpointSlices of a Service: https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/ */
import { isDeepStrictEqual } from 'node:util'
import type { Node, Pod, Service } from '../../apimachinery/api/generated/core-v1.js'
import type { Endpoint, EndpointPort } from '../../apimachinery/api/generated/discovery-v1.js'
import { sortedJson } from '../../util/sorted-json.js'
import { controllerReference } from '../workloads/owners.js'
import { isReady } from '../workloads/pods.js'
import { sliceOrder } from './port-order.js'
import { hasEndpoint, isHeadless, isIPv6, isNamedByService, targetPortOf } from './service-pods.js'
import {
  headlessLabel,
  managedByLabel,
  recycled,
  type Slice,
  type SliceChanges,
  serviceNameLabel,
  slicePrefix,
  type WantedSlice
} from './slice-changes.js'

export const sliceManager = 'endpointslice-controller.k8s.io'
/** kube-controller-manager's --max-endpoints-per-slice. */
export const mostEndpoints = 100

export interface SlicesInput {
  readonly service: Service
  /** Those that the Service selects. */
  readonly pods: readonly Pod[]
  readonly nodeOf: (name: string) => Node | undefined
  /** The present slices of the Service that this controller manages. */
  readonly slices: readonly Slice[]
}

export interface SlicesPlan extends SliceChanges {
  /** What is wrong with Pods that were left out: they are looked at again. */
  readonly errors: readonly string[]
}

/** Slices that are being filled. Those without `from` are new. */
interface Filling {
  readonly from: Slice | undefined
  readonly endpoints: Endpoint[]
  isChanged: boolean
}

interface Group {
  readonly ports: EndpointPort[]
  /** By what tells them apart. */
  readonly endpoints: Map<string, Endpoint>
}

const isOwnedBy = ({ metadata }: Slice, service: Service): boolean =>
  !!metadata.ownerReferences?.some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1'
  )

const identityOf = ({ addresses, hostname = '', targetRef }: Endpoint): string =>
  JSON.stringify([[...(addresses ?? [])].sort(), hostname, targetRef?.namespace ?? '', targetRef?.name ?? ''])

/** What may change of an endpoint. */
const stateOf = ({ nodeName, zone, conditions: { ready, serving, terminating }, targetRef }: Endpoint) => {
  const { resourceVersion: _, ...reference } = targetRef ?? {}
  return [nodeName, zone, ready, serving, terminating, targetRef && { ...reference }]
}

/** Groups slices by their ports, in whatever order those are. */
const keyOfPorts = (ports: readonly EndpointPort[] | null | undefined): string =>
  (ports ?? [])
    .map(port => sortedJson(port))
    .sort()
    .join()

export function planSlices(input: SlicesInput): SlicesPlan {
  const { service, slices } = input
  const families = service.spec.ipFamilies ?? ['IPv4']
  const plans = families.map(family => planFamily(input, family))
  const changes = {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    remove: [...plans.flatMap(({ remove }) => remove), ...slices.filter(slice => !families.includes(slice.addressType))]
  }
  return { ...changes, errors: plans.flatMap(({ errors }) => errors) }
}

function planFamily({ service, pods, nodeOf, slices }: SlicesInput, family: string): SlicesPlan {
  const present = slices.filter(({ addressType }) => addressType === family)
  const own = present.filter(slice => isOwnedBy(slice, service))
  const errors: string[] = []
  const groups = new Map<string, Group>()
  for (const pod of pods) {
    if (!hasEndpoint(pod, true)) continue
    const ports = portsOf(service, pod)
    const key = keyOfPorts(ports)
    const group = groups.get(key) ?? { ports, endpoints: new Map() }
    groups.set(key, group)
    const { name, namespace } = pod.metadata
    const node = nodeOf(pod.spec.nodeName ?? '')
    if (!node && !service.spec.publishNotReadyAddresses) {
      const of = `Service ${namespace}/${service.metadata.name}`
      errors.push(`skipping Pod ${name} for ${of}: Node ${pod.spec.nodeName ?? ''} Not Found`)
      continue
    }
    const endpoint = endpointOf(pod, node, service, family)
    if (endpoint.addresses!.length > 0) group.endpoints.set(identityOf(endpoint), endpoint)
  }
  const labels = labelsOf(service)
  const create: WantedSlice[] = []
  const update: WantedSlice[] = []
  const unchanged: Slice[] = []
  const remove = present.filter(slice => !own.includes(slice) || !groups.has(keyOfPorts(slice.ports)))
  for (const [key, { ports, endpoints }] of groups) {
    const candidates = own.filter(slice => keyOfPorts(slice.ports) === key)
    for (const { from, endpoints: filled, isChanged } of fill(candidates, endpoints, labels)) {
      if (!from) create.push(newSlice(service, ports, family, filled))
      else if (filled.length === 0 && isChanged && from.endpoints?.length) remove.push(from)
      else if (isChanged) update.push({ ...from, metadata: { ...from.metadata, labels }, endpoints: filled })
      else unchanged.push(from)
    }
  }
  if (remove.length === present.length && create.length === 0) {
    // somebody who waits for slices of the Service sees that it has no endpoints
    const [only] = remove
    if (
      remove.length === 1 &&
      isDeepStrictEqual([only!.metadata.labels, only!.endpoints ?? [], only!.ports ?? []], [labels, [], []])
    )
      remove.pop()
    else create.push(newSlice(service, [], family, []))
  }
  const hinted = withHints(service, { create, update, remove }, unchanged)
  return { ...recycled(hinted, slice => isOwnedBy(slice, service)), errors }
}

/** Puts endpoints into slices, so that as few as possible of the present ones change. */
function fill(slices: readonly Slice[], wanted: Map<string, Endpoint>, labels: Readonly<Record<string, string>>): Filling[] {
  const left = new Map(wanted)
  const all: Filling[] = slices.map(from => {
    let isChanged = !hasLabels(from, labels)
    const endpoints = (from.endpoints ?? []).flatMap(endpoint => {
      const key = identityOf(endpoint)
      const found = left.get(key)
      left.delete(key)
      if (!found || !isDeepStrictEqual(stateOf(found), stateOf(endpoint))) isChanged = true
      return found ? [found] : []
    })
    return { from, endpoints, isChanged }
  })
  const put = (filling: Filling) => {
    for (const [key, endpoint] of left) {
      if (filling.endpoints.length >= mostEndpoints) return
      left.delete(key)
      filling.endpoints.push(endpoint)
      filling.isChanged = true
    }
  }
  const changing = all.filter(({ isChanged, endpoints, from }) => isChanged && (endpoints.length > 0 || !from?.endpoints?.length))
  for (const filling of changing.sort((a, b) => b.endpoints.length - a.endpoints.length)) put(filling)
  while (left.size > 0) {
    // the one that becomes the fullest
    const [filling = { from: undefined, endpoints: [], isChanged: true } as Filling] = all
      .filter(
        ({ isChanged, endpoints }) => !isChanged && left.size < mostEndpoints && endpoints.length + left.size <= mostEndpoints
      )
      .sort((a, b) => b.endpoints.length - a.endpoints.length)
    if (!filling.from) all.push(filling)
    put(filling)
  }
  return all
}

const reserved: ReadonlySet<string> = new Set([serviceNameLabel, managedByLabel, headlessLabel])

const unreserved = (labels: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !reserved.has(key)))

/** Whether the slice has the labels of its Service. That the Service has become headless is no reason to write it. */
const hasLabels = ({ metadata }: Slice, labels: Readonly<Record<string, string>>): boolean =>
  isDeepStrictEqual(unreserved(metadata.labels), unreserved(labels))

function labelsOf(service: Service): Record<string, string> {
  return {
    ...unreserved(service.metadata.labels),
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceNameLabel]: service.metadata.name!,
    [managedByLabel]: sliceManager
  }
}

function newSlice(service: Service, ports: EndpointPort[], family: string, endpoints: Endpoint[]): WantedSlice {
  const { name, namespace } = service.metadata
  const metadata = {
    generateName: slicePrefix(name!),
    namespace,
    labels: labelsOf(service),
    ownerReferences: [controllerReference({ ...service, apiVersion: 'v1', kind: 'Service' })]
  }
  return { metadata, endpoints, ports, addressType: family }
}

function portsOf(service: Service, pod: Pod): EndpointPort[] {
  const ports = (service.spec.ports ?? []).flatMap(port => {
    const number = targetPortOf(pod, port)
    if (number === undefined) return []
    const { name = '', protocol, appProtocol } = port
    return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }]
  })
  return sliceOrder(ports)
}

/** The endpoint that a Pod is. A Pod that terminates is not ready, but serves as long as its probes succeed. */
export function endpointOf(pod: Pod, node: Node | undefined, service: Service, family: string): Endpoint {
  const serving = isReady(pod)
  const terminating = !!pod.metadata.deletionTimestamp
  const { name, namespace, uid } = pod.metadata
  const endpoint: Endpoint = {
    addresses: (pod.status.podIPs ?? []).map(({ ip }) => ip!).filter(ip => isIPv6(ip) === (family === 'IPv6')),
    conditions: { ready: !!service.spec.publishNotReadyAddresses || (serving && !terminating), serving, terminating },
    targetRef: { kind: 'Pod', namespace, name, uid }
  }
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone']
  if (pod.spec.nodeName) endpoint.nodeName = pod.spec.nodeName
  if (zone) endpoint.zone = zone
  if (isNamedByService(pod, service)) endpoint.hostname = pod.spec.hostname
  return endpoint
}

/** https://kubernetes.io/docs/reference/networking/virtual-ips/#traffic-distribution */
function withHints({ spec, metadata }: Service, changes: SliceChanges, unchanged: readonly Slice[]): SliceChanges {
  const preferred = spec.trafficDistribution ?? ''
  const mode =
    metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] ??
    metadata.annotations?.['service.kubernetes.io/topology-mode']
  const isClose = ['PreferClose', 'PreferSameZone', 'PreferSameNode'].includes(preferred) && mode !== 'Auto' && mode !== 'auto'
  const hintsOf = ({ zone, nodeName }: Endpoint): Endpoint['hints'] => {
    const forZones = zone ? { forZones: [{ name: zone }] } : {}
    const forNodes = nodeName && preferred === 'PreferSameNode' ? { forNodes: [{ name: nodeName }] } : {}
    return zone || 'forNodes' in forNodes ? { ...forZones, ...forNodes } : undefined
  }
  const hinted = <T extends WantedSlice | Slice>(slice: T): T => ({
    ...slice,
    endpoints: (slice.endpoints ?? []).map(({ hints, ...endpoint }) => {
      const next = isClose ? (endpoint.conditions.ready ? hintsOf(endpoint) : hints) : undefined
      return next ? { ...endpoint, hints: next } : endpoint
    })
  })
  const stale = unchanged.map(hinted).filter((slice, i) => !isDeepStrictEqual(slice.endpoints, unchanged[i]!.endpoints ?? []))
  return { create: changes.create.map(hinted), update: [...changes.update, ...stale].map(hinted), remove: changes.remove }
}
