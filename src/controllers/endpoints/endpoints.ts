/** Keeps the Endpoints of Services that select Pods. */
import { isDeepStrictEqual } from 'node:util'
import type { Endpoints, Service } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { isNamespaceTerminating, messageOf } from '../workloads/pod-control.js'
import { followServicePods, hasOwnEndpoints, isHeadless } from './service-pods.js'
import { headlessLabel } from './slice-changes.js'
import { addressCount, areEqual, mostAddresses, subsetsOf, truncated } from './subsets.js'
import { TriggerTimes, triggerTime } from './trigger-times.js'

const managedBy = 'endpoints.kubernetes.io/managed-by'
const overCapacity = 'endpoints.kubernetes.io/over-capacity'
/** Endpoints that elect a leader have no Service. */
export const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'
/** The key that stands for all Endpoints there are at the start: those whose Service is gone are deleted. */
const leftovers = ''

export function endpointsController(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('endpoint-controller')
  const objects = client.of('v1', 'Endpoints')
  const events = context.recorder('endpoint-controller', client)
  const informer: Informer<Endpoints & KubeObject> = informers.of('v1', 'Endpoints')
  const times = new TriggerTimes()
  const queue = context.queue({ name: 'endpoint', workers: 5, reconcile })
  const { services, podsOf } = followServicePods(informers, key => queue.enqueue(key))
  informer.on('delete', object => queue.enqueue(keyOf(object)))
  queue.enqueue(leftovers)
  return queue

  async function reconcile(key: string): Promise<void> {
    if (key === leftovers) {
      for (const object of informer.list()) if (!object.metadata.annotations?.[leaderAnnotation]) queue.enqueue(keyOf(object))
      return
    }
    const service = services.get(namedBy(key))
    if (!service) return remove(key)
    if (!hasOwnEndpoints(service)) return
    const pods = podsOf(service)
    const time = times.take(service, pods)
    const subsets = subsetsOf(service, pods)
    const present = informer.get(namedBy(key))
    if (present && isAsWanted(present, service, subsets)) return
    const tooMany = addressCount(subsets) > mostAddresses
    const { [triggerTime]: _, [overCapacity]: __, ...annotations } = present?.metadata.annotations ?? {}
    if (time) annotations[triggerTime] = time
    if (tooMany) annotations[overCapacity] = 'truncated'
    const { [headlessLabel]: ___, ...labels } = service.metadata.labels ?? {}
    if (isHeadless(service)) labels[headlessLabel] = ''
    labels[managedBy] = 'endpoint-controller'
    const { name, namespace } = service.metadata
    const metadata = { ...(present?.metadata ?? { name, namespace }), labels, annotations }
    const next = { ...present, metadata, subsets: tooMany ? truncated(subsets) : subsets } as Endpoints & KubeObject
    try {
      informer.learn(await (present ? objects.update(next) : objects.create(next)))
    } catch (error) {
      if (!present && isNamespaceTerminating(error)) return
      const about = { ...next, apiVersion: 'v1', kind: 'Endpoints' }
      if (present) events.warning(about, 'FailedToUpdateEndpoint', `Failed to update endpoint ${key}: ${messageOf(error)}`)
      else events.warning(about, 'FailedToCreateEndpoint', `Failed to create endpoint for service ${key}: ${messageOf(error)}`)
      throw error
    }
  }

  async function remove(key: string): Promise<void> {
    times.forget(key)
    try {
      if (informer.get(namedBy(key))) await objects.delete(namedBy(key))
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error
    }
  }
}

function isAsWanted({ metadata, subsets = [] }: Endpoints, service: Service, wanted: Endpoints['subsets'] & object): boolean {
  const { [headlessLabel]: _, [managedBy]: manager, ...labels } = metadata.labels ?? {}
  return (
    manager === 'endpoint-controller' &&
    isDeepStrictEqual({ ...labels }, { ...service.metadata.labels }) &&
    addressCount(subsets) <= mostAddresses &&
    metadata.annotations?.[overCapacity] === undefined &&
    areEqual(subsets, wanted)
  )
}
