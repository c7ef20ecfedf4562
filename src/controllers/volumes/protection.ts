/** Keeps claims that Pods use, and volumes that claims use: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer, ResourceClient } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { timestamp } from '../../util/time.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { hasEnded } from '../workloads/pods.js'
import { claimCondition, claimKeysOf, claimNameOf, notMadeFor } from './claims.js'

type Claim = PersistentVolumeClaim & KubeObject

const claimFinalizer = 'kubernetes.io/pvc-protection'
const volumeFinalizer = 'kubernetes.io/pv-protection'

export function claimProtectionController(context: ClusterContext): Part {
  const { informers, clock } = context
  const describesUse = context.features.enabled('PersistentVolumeClaimUnusedSinceTime')
  const client = context.clientOf('pvc-protection-controller').of('v1', 'PersistentVolumeClaim')
  const claims: Informer<Claim> = informers.of('v1', 'PersistentVolumeClaim')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const podsOf = pods.index(claimKeysOf)

  const queue = context.queue({ name: 'pvcprotection', workers: 4, reconcile })
  const claimChanged = (claim: Claim) => queue.enqueue(keyOf(claim))
  const podChanged = (pod: Pod) => {
    for (const key of claimKeysOf(pod)) queue.enqueue(key)
  }
  claims.on('add', claimChanged)
  claims.on('update', claimChanged)
  pods.on('add', podChanged)
  pods.on('delete', podChanged)
  pods.on('update', (pod, old) => {
    // whether a Pod uses its claims depends on nothing else
    const isSame = pod.spec.nodeName === old.spec.nodeName && hasEnded(pod.status.phase) === hasEnded(old.status.phase)
    if (!isSame || pod.metadata.deletionTimestamp) podChanged(pod)
  })
  return queue

  async function reconcile(key: string): Promise<void> {
    const claim = claims.get(namedBy(key))
    if (!claim) return
    if (describesUse && !claim.metadata.deletionTimestamp && claim.status.phase === 'Bound') {
      const described = await describeUse(claim)
      // the next event goes on with what was written
      if (described) return
    }
    const isUsed = () => podsOf(key).some(pod => keepsClaim(pod, claim))
    const written = await protect(client, claim, claimFinalizer, isUsed)
    if (written) claims.learn(written)
  }

  async function describeUse(claim: Claim): Promise<boolean> {
    const isUsed = podsOf(keyOf(claim)).some(pod => usesClaim(pod, claim))
    const status = isUsed ? 'False' : 'True'
    if (claimCondition(claim, 'Unused')?.status === status) return false
    const condition = {
      type: 'Unused',
      status,
      lastProbeTime: null,
      lastTransitionTime: timestamp(clock.now()),
      reason: isUsed ? 'PodUsingPVC' : 'NoPodsUsingPVC',
      message: isUsed ? 'A pod is currently referencing this PVC' : 'No pods are currently referencing this PVC'
    }
    const present = claim.status.conditions ?? []
    const conditions = present.some(({ type }) => type === 'Unused')
      ? present.map(one => (one.type === 'Unused' ? condition : one))
      : [...present, condition]
    const next = { ...claim, status: { ...claim.status, conditions } }
    claims.learn(await client.subresource('status').update(claim, next as Draft<Claim>))
    return true
  }
}

const named = (pod: Pod, { metadata }: Claim) => (pod.spec.volumes ?? []).filter(one => claimNameOf(pod, one) === metadata.name)

/** Whether a claim has to stay as long as the Pod: those without a Node have never used it. */
function keepsClaim(pod: Pod, claim: Claim): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
  const isShutDown = !!deletionTimestamp && deletionGracePeriodSeconds === 0
  if (!pod.spec.nodeName) return false
  return named(pod, claim).some(({ ephemeral }) => !ephemeral || (!isShutDown && !notMadeFor(pod, claim)))
}

const usesClaim = (pod: Pod, claim: Claim) =>
  !hasEnded(pod.status.phase) && named(pod, claim).some(({ ephemeral }) => !ephemeral || !notMadeFor(pod, claim))

export function volumeProtectionController(context: ClusterContext): Part {
  const client = context.clientOf('pv-protection-controller').of('v1', 'PersistentVolume')
  const volumes: Informer<PersistentVolume & KubeObject> = context.informers.of('v1', 'PersistentVolume')
  const queue = context.queue({ name: 'pvprotection', workers: 1, reconcile })
  const changed = ({ metadata }: PersistentVolume) => queue.enqueue(metadata.name!)
  volumes.on('add', changed)
  volumes.on('update', changed)
  return queue

  async function reconcile(name: string): Promise<void> {
    const volume = volumes.get(name)
    const written = volume && (await protect(client, volume, volumeFinalizer, () => volume.status.phase === 'Bound'))
    if (written) volumes.learn(written)
  }
}

/** Adds the finalizer to what exists, and takes it away from what is being deleted and not used. Returns what it has written. */
async function protect<T extends KubeObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  isUsed: () => boolean
): Promise<T | undefined> {
  const { finalizers = [], deletionTimestamp } = object.metadata
  const isProtected = finalizers.includes(finalizer)
  if (deletionTimestamp ? !isProtected || isUsed() : isProtected) return undefined
  const next = deletionTimestamp ? finalizers.filter(one => one !== finalizer) : [...finalizers, finalizer]
  const written = await client.update({ ...object, metadata: { ...object.metadata, finalizers: next } } as Draft<T>)
  // without its last finalizer it is gone
  return deletionTimestamp ? undefined : written
}
