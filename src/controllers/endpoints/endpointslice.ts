/** Keeps the EndpointSlices of Services that select Pods. */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { namedBy } from '../workloads/owners.js'
import { messageOf } from '../workloads/pod-control.js'
import { followServicePods, hasOwnEndpoints } from './service-pods.js'
import { ManagedSlices, type Slice, type WantedSlice, writeSlices } from './slice-changes.js'
import { planSlices, sliceManager } from './slices.js'
import { TriggerTimes, triggerTime } from './trigger-times.js'

export function endpointSliceController(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('endpointslice-controller')
  const events = context.recorder('endpoint-slice-controller', client)
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const slices = new ManagedSlices(informers.of('discovery.k8s.io/v1', 'EndpointSlice') as Informer<Slice>, sliceManager)
  const times = new TriggerTimes()
  const queue = context.queue({ name: 'endpoint_slice', workers: 5, reconcile })
  const enqueue = (key: string) => queue.enqueue(key)
  const { services, podsOf } = followServicePods(informers, enqueue)
  slices.follow(enqueue)
  return queue

  async function reconcile(key: string): Promise<void> {
    const service = services.get(namedBy(key))
    if (!service) return times.forget(key)
    if (!hasOwnEndpoints(service)) return
    const pods = podsOf(service)
    const time = times.take(service, pods)
    const { errors, ...plan } = planSlices({ service, pods, nodeOf: name => nodes.get(name), slices: slices.of(key) })
    const timed = (slice: WantedSlice) => withTriggerTime(slice, time)
    const changes = { ...plan, create: plan.create.map(timed), update: plan.update.map(timed) }
    const of = `Service ${key}`
    try {
      const writing = { client: client.of('discovery.k8s.io/v1', 'EndpointSlice'), slices, of }
      await writeSlices(changes, { ...writing, mayCreate: !service.metadata.deletionTimestamp })
      if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`)
    } catch (error) {
      events.warning(service, 'FailedToUpdateEndpointSlices', `Error updating Endpoint Slices for ${of}: ${messageOf(error)}`)
      throw error
    }
  }
}

function withTriggerTime(slice: WantedSlice, time: string | undefined): WantedSlice {
  const { [triggerTime]: _, ...others } = slice.metadata?.annotations ?? {}
  const annotations = time ? { ...others, [triggerTime]: time } : others
  return { ...slice, metadata: { ...slice.metadata, annotations } }
}
