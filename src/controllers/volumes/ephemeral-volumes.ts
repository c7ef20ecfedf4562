/** Creates the claims of Pods' ephemeral volumes: https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/#generic-ephemeral-volumes */
import type { PersistentVolumeClaim, Pod, Volume } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { controllerReference, keyOf, namedBy } from '../workloads/owners.js'
import { messageOf } from '../workloads/pod-control.js'
import { claimKeysOf, claimNameOf, notMadeFor } from './claims.js'

type Claim = PersistentVolumeClaim & KubeObject

export function ephemeralVolumeController(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('ephemeral-volume-controller')
  const claims: Informer<Claim> = informers.of('v1', 'PersistentVolumeClaim')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const podsOf = pods.index(claimKeysOf)
  const events = context.recorder('ephemeral_volume', client)
  const queue = context.queue({ name: 'ephemeral_volume', workers: 4, reconcile })
  const changed = (pod: Pod) => {
    if (!pod.metadata.deletionTimestamp && pod.spec.volumes?.some(({ ephemeral }) => ephemeral)) queue.enqueue(keyOf(pod))
  }
  pods.on('add', changed)
  claims.on('delete', claim => podsOf(keyOf(claim)).forEach(changed))
  return queue

  async function reconcile(key: string): Promise<void> {
    const pod = pods.get(namedBy(key))
    if (!pod || pod.metadata.deletionTimestamp) return
    for (const volume of pod.spec.volumes ?? []) {
      if (!volume.ephemeral) continue
      try {
        await ensureClaim(pod, volume)
      } catch (error) {
        events.warning(pod, 'FailedBinding', `ephemeral volume ${volume.name}: ${messageOf(error)}`)
        throw error
      }
    }
  }

  async function ensureClaim(pod: Pod, volume: Volume): Promise<void> {
    const { namespace } = pod.metadata
    const name = claimNameOf(pod, volume)!
    const present = claims.get({ metadata: { name, namespace } })
    const conflict = present && notMadeFor(pod, present)
    if (conflict) throw new Error(conflict)
    if (present) return
    const { metadata, spec } = volume.ephemeral!.volumeClaimTemplate!
    const { annotations, labels } = metadata ?? {}
    const claim = { metadata: { name, namespace, annotations, labels, ownerReferences: [controllerReference(pod)] }, spec }
    try {
      claims.learn(await client.of('v1', 'PersistentVolumeClaim').create(claim as Draft<Claim>))
    } catch (error) {
      throw new Error(`create PVC ${name}: ${messageOf(error)}`)
    }
  }
}
