/** Mirrors Endpoints that somebody keeps for a Service without selector to EndpointSlices, which is what proxies read. */
import { isDeepStrictEqual } from 'node:util'
import type { EndpointAddress, Endpoints, Service } from '../../apimachinery/api/generated/core-v1.js'
import type { Endpoint, EndpointPort } from '../../apimachinery/api/generated/discovery-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { sortedJson } from '../../util/sorted-json.js'
import { skipMirror } from '../kubernetes-service/endpoints.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { controllerReference, keyOf, namedBy } from '../workloads/owners.js'
import { leaderAnnotation } from './endpoints.js'
import { isIPv6 } from './service-pods.js'
import {
  ManagedSlices,
  managedByLabel,
  recycled,
  type Slice,
  type SliceChanges,
  serviceNameLabel,
  slicePrefix,
  type WantedSlice,
  writeSlices
} from './slice-changes.js'
import { repacked } from './subsets.js'
import { triggerTime } from './trigger-times.js'

export const mirroringManager = 'endpointslicemirroring-controller.k8s.io'
/** kube-controller-manager's --mirroring-max-endpoints-per-subset. */
export const mostMirrored = 1000
const families = ['IPv4', 'IPv6'] as const

export function endpointSliceMirroringController(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('endpointslicemirroring-controller')
  const events = context.recorder('endpoint-slice-mirroring-controller', client)
  const services: Informer<Service> = informers.of('v1', 'Service')
  const all: Informer<Endpoints & KubeObject> = informers.of('v1', 'Endpoints')
  const slices = new ManagedSlices(informers.of('discovery.k8s.io/v1', 'EndpointSlice') as Informer<Slice>, mirroringManager)
  const queue = context.queue({ name: 'endpoint_slice_mirroring', workers: 5, reconcile })
  slices.follow(key => queue.enqueue(key))
  for (const event of ['add', 'delete'] as const) {
    all.on(event as 'add', endpoints => isMirrored(endpoints) && queue.enqueue(keyOf(endpoints)))
    services.on(event as 'add', service => service.spec.selector ?? queue.enqueue(keyOf(service)))
  }
  all.on('update', (endpoints, old) => {
    if (isMirrored(endpoints) || isMirrored(old)) queue.enqueue(keyOf(endpoints))
  })
  services.on('update', (service, old) => {
    if ((service.spec.selector == null) !== (old.spec.selector == null)) queue.enqueue(keyOf(service))
  })
  return queue

  async function reconcile(key: string): Promise<void> {
    const endpoints = all.get(namedBy(key))
    const service = services.get(namedBy(key))
    const present = slices.of(key)
    const resource = client.of('discovery.k8s.io/v1', 'EndpointSlice')
    if (!endpoints || !isMirrored(endpoints) || !service || service.spec.selector != null) {
      for (const slice of present) await slices.remove(slice, resource)
      return
    }
    const { skipped, ...changes } = mirror(endpoints, present)
    if (skipped > 0) {
      const message = `A max of ${mostMirrored} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`
      events.warning(endpoints, 'TooManyAddressesToMirror', message)
    }
    const mayCreate = !endpoints.metadata.deletionTimestamp
    await writeSlices(changes, { client: resource, slices, of: `Endpoints ${key}`, mayCreate })
  }
}

const isMirrored = ({ metadata: { labels, annotations } }: Endpoints): boolean =>
  labels?.[skipMirror] !== 'true' && annotations?.[leaderAnnotation] === undefined

interface Mirroring extends SliceChanges {
  /** How many addresses are too many. */
  readonly skipped: number
}

/** One slice for each subset and family of addresses. */
export function mirror(endpoints: Endpoints & KubeObject, slices: readonly Slice[]): Mirroring {
  const create: WantedSlice[] = []
  const update: WantedSlice[] = []
  const kept = new Set<Slice>()
  let skipped = 0
  for (const { addresses = [], notReadyAddresses = [], ports: subsetPorts = [] } of repacked(endpoints.subsets ?? [])) {
    const ports = subsetPorts.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
      name,
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol })
    }))
    const found = [...addresses.map(one => endpointOf(one, true)), ...notReadyAddresses.map(one => endpointOf(one, false))]
    skipped += Math.max(0, found.length - mostMirrored)
    for (const family of families) {
      const wanted = found.slice(0, mostMirrored).filter(({ addresses: [ip] }) => isIPv6(ip) === (family === 'IPv6'))
      if (wanted.length === 0) continue
      const slice = sliceOf(endpoints, wanted, ports, family)
      const present = slices.find(one => one.addressType === family && keyOfPorts(one.ports) === keyOfPorts(ports))
      if (present) kept.add(present)
      if (!present)
        create.push({ ...slice, metadata: { ...slice.metadata, generateName: slicePrefix(endpoints.metadata.name!) } })
      else if (!isSame(present, slice, endpoints))
        update.push({ ...slice, metadata: { ...slice.metadata, name: present.metadata.name } })
    }
  }
  return { ...recycled({ create, update, remove: slices.filter(slice => !kept.has(slice)) }, () => true), skipped }
}

const keyOfPorts = (ports: readonly EndpointPort[] | null): string =>
  (ports ?? [])
    .map(port => sortedJson(port))
    .sort()
    .join()

type Mirrored = Endpoint & { addresses: [string] }

const endpointOf = ({ ip, nodeName, hostname, targetRef }: EndpointAddress, ready: boolean): Mirrored => ({
  addresses: [ip],
  conditions: { ready },
  ...(targetRef ? { targetRef } : {}),
  ...(nodeName ? { nodeName } : {}),
  ...(hostname ? { hostname } : {})
})

function sliceOf(owner: Endpoints & KubeObject, endpoints: Endpoint[], ports: EndpointPort[], addressType: string): WantedSlice {
  const { name, namespace, labels } = owner.metadata
  const metadata = {
    namespace,
    labels: { ...labels, [serviceNameLabel]: name!, [managedByLabel]: mirroringManager },
    annotations: copied(owner.metadata.annotations),
    ownerReferences: [controllerReference({ ...owner, apiVersion: 'v1', kind: 'Endpoints' })]
  }
  return { metadata, addressType, endpoints, ports }
}

/** The annotations that slices have too. */
function copied(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [triggerTime]: _, 'kubectl.kubernetes.io/last-applied-configuration': __, ...others } = annotations
  return { ...others }
}

function isSame(present: Slice, wanted: WantedSlice, { metadata }: Endpoints): boolean {
  const texts = (list: readonly Endpoint[] | null) => (list ?? []).map(endpoint => sortedJson(endpoint)).sort()
  return (
    isDeepStrictEqual({ ...present.metadata.labels }, { ...wanted.metadata?.labels }) &&
    isDeepStrictEqual({ ...present.metadata.annotations }, { ...wanted.metadata?.annotations }) &&
    isDeepStrictEqual(texts(present.endpoints), texts(wanted.endpoints as Endpoint[])) &&
    !present.metadata.ownerReferences?.some(
      ({ kind, name, uid }) => kind === 'Endpoints' && name === metadata.name && uid !== metadata.uid
    )
  )
}
