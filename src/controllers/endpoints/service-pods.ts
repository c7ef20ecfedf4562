/** Services and the Pods that they select: https://kubernetes.io/docs/concepts/services-networking/service/ */
import { isDeepStrictEqual } from 'node:util'
import type { Pod, Service, ServicePort } from '../../apimachinery/api/generated/core-v1.js'
import type { Informer, SharedInformers } from '../../client/stored-types.js'
import { keyOf } from '../workloads/owners.js'
import { hasEnded, isReady } from '../workloads/pods.js'

/** Whether a controller makes the endpoints of the Service. Those of others are made by whoever has made the Service. */
export const hasOwnEndpoints = ({ spec }: Service): boolean => spec.type !== 'ExternalName' && spec.selector != null

export const isHeadless = ({ spec }: Service): boolean => !spec.clusterIP || spec.clusterIP === 'None'

export interface ServicePods {
  readonly services: Informer<Service>
  podsOf(service: Service): Pod[]
}

/** Calls `changed` with the key of each Service whose endpoints may be others now, because it or one of its Pods has changed. */
export function followServicePods(informers: SharedInformers, changed: (key: string) => void): ServicePods {
  const services: Informer<Service> = informers.of('v1', 'Service')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const servicesIn = services.index(({ metadata }) => [metadata.namespace!])
  const podsIn = pods.index(({ metadata }) => [metadata.namespace!])
  for (const event of ['add', 'update', 'delete'] as const) services.on(event as 'add', service => changed(keyOf(service)))
  for (const event of ['add', 'delete'] as const)
    pods.on(event as 'add', pod => {
      for (const service of servicesOf(pod)) changed(service)
    })
  pods.on('update', (pod, old) => {
    for (const service of affected(pod, old)) changed(service)
  })

  function servicesOf(pod: Pod): string[] {
    const { namespace, labels = {} } = pod.metadata
    return servicesIn(namespace!)
      .filter(({ spec }) => selects(spec.selector, labels))
      .map(keyOf)
  }

  function affected(pod: Pod, old: Pod): Iterable<string> {
    const hasMoved = !isDeepStrictEqual(membershipOf(pod), membershipOf(old))
    if (hasChanged(pod, old)) return hasMoved ? new Set([...servicesOf(pod), ...servicesOf(old)]) : servicesOf(pod)
    if (!hasMoved) return []
    const [now, before] = [servicesOf(pod), servicesOf(old)]
    return [...now.filter(key => !before.includes(key)), ...before.filter(key => !now.includes(key))]
  }

  return {
    services,
    podsOf: ({ metadata, spec }) => podsIn(metadata.namespace!).filter(pod => selects(spec.selector, pod.metadata.labels ?? {}))
  }
}

function selects(selector: Record<string, string> | null | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (!selector) return false
  for (const key in selector) if (labels[key] !== selector[key]) return false
  return true
}

/** What decides to which Services a Pod belongs. */
const membershipOf = ({ metadata, spec }: Pod) => [metadata.labels, spec.hostname, spec.subdomain]

/** Whether the endpoints of a Pod may be others now. A change of its phase alone is none: with it comes one of its readiness. */
const hasChanged = (pod: Pod, old: Pod): boolean =>
  !!pod.metadata.deletionTimestamp ||
  isReady(pod) !== isReady(old) ||
  !isDeepStrictEqual(
    pod.status.podIPs?.map(({ ip }) => ip),
    old.status.podIPs?.map(({ ip }) => ip)
  )

/** Whether a Pod is among the endpoints at all. */
export const hasEndpoint = (pod: Pod, withTerminating: boolean): boolean =>
  !hasEnded(pod.status.phase) && !!pod.status.podIP && (withTerminating || !pod.metadata.deletionTimestamp)

export const isNamedByService = ({ spec, metadata: { namespace } }: Pod, { metadata }: Service): boolean =>
  !!spec.hostname && spec.subdomain === metadata.name && namespace === metadata.namespace

/** The port of a Pod to which the port of a Service leads; undefined when the Pod has none of the name. */
export function targetPortOf({ spec }: Pod, { targetPort, port, protocol }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort ?? port
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  for (const { ports } of [...(spec.containers ?? []), ...sidecars]) {
    const found = ports?.find(one => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)
    if (found) return found.containerPort
  }
  return undefined
}

export const isIPv6 = (address: string): boolean => address.includes(':')
