/** Binds claims and volumes to each other: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#lifecycle-of-a-volume-and-claim */
import { isDeepStrictEqual } from 'node:util'
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { StorageClass } from '../../apimachinery/api/generated/storage-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer, ResourceClient } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { hasEnded } from '../workloads/pods.js'
import {
  annotations,
  claimKeyOf,
  claimKeysOf,
  classOf,
  defaultClassOf,
  hasAnnotation,
  isReservedFor,
  namesClass
} from './claims.js'
import { haveSameMode, mismatchOf, volumeFor } from './matching.js'
import { deletionOf } from './reclaiming.js'

type Claim = PersistentVolumeClaim & KubeObject
type PVolume = PersistentVolume & KubeObject

export function volumeBinder(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('persistent-volume-binder')
  const claims: Informer<Claim> = informers.of('v1', 'PersistentVolumeClaim')
  const volumes: Informer<PVolume> = informers.of('v1', 'PersistentVolume')
  const classes: Informer<StorageClass> = informers.of('storage.k8s.io/v1', 'StorageClass')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const claimClient: ResourceClient<Claim> = client.of('v1', 'PersistentVolumeClaim')
  const volumeClient: ResourceClient<PVolume> = client.of('v1', 'PersistentVolume')
  const events = context.recorder('persistentvolume-controller', client)
  const podsOf = pods.index(claimKeysOf)
  /** Claims without a volume, by their class. */
  const waiting = claims.index(claim => (hasAnnotation(claim, annotations.bindCompleted) ? [] : [classOf(claim)]))
  const naming = claims.index(({ spec }) => (spec.volumeName ? [spec.volumeName] : []))

  // one worker: two claims would take the same volume
  const queue = context.queue({ name: 'persistentvolumes', workers: 1, reconcile })
  const claimChanged = (claim: Claim) => queue.enqueue(`claim ${keyOf(claim)}`)
  const volumeChanged = ({ metadata }: PVolume) => queue.enqueue(`volume ${metadata.name}`)
  const offered = (volume: PVolume) => {
    const claim = claimKeyOf(volume)
    if (claim) queue.enqueue(`claim ${claim}`)
    for (const one of naming(volume.metadata.name!)) claimChanged(one)
    if (volume.status.phase === 'Available' && !claim) for (const one of waiting(classOf(volume))) claimChanged(one)
  }
  claims.on('add', claimChanged)
  claims.on('update', claimChanged)
  claims.on('delete', ({ spec }) => spec.volumeName && queue.enqueue(`volume ${spec.volumeName}`))
  volumes.on('add', volume => {
    volumeChanged(volume)
    offered(volume)
  })
  volumes.on('update', (volume, old) => {
    volumeChanged(volume)
    const { labels } = volume.metadata
    const isSame = isDeepStrictEqual(
      [volume.spec, volume.status.phase, labels],
      [old.spec, old.status.phase, old.metadata.labels]
    )
    if (!isSame) offered(volume)
  })
  volumes.on('delete', offered)
  classes.on('add', classChanged)
  classes.on('update', classChanged)
  // a volume is recycled when its last Pod has gone
  pods.on('delete', pod => {
    for (const volume of volumes.list())
      if (volume.spec.persistentVolumeReclaimPolicy === 'Recycle' && claimKeysOf(pod).includes(claimKeyOf(volume) ?? ''))
        volumeChanged(volume)
  })
  return queue

  function classChanged({ metadata }: StorageClass): void {
    for (const claim of [...waiting(metadata.name!), ...waiting('')]) claimChanged(claim)
  }

  async function reconcile(key: string): Promise<void> {
    const [kind, name] = key.split(' ') as [string, string]
    if (kind === 'claim') {
      const claim = claims.get(namedBy(name))
      if (!claim) return
      if (hasAnnotation(claim, annotations.bindCompleted)) await keepBound(claim)
      else await findVolume(claim)
    } else {
      const volume = volumes.get(name)
      if (volume) await keepVolume(volume)
    }
  }

  async function findVolume(claim: Claim): Promise<void> {
    if (claim.spec.volumeName) return bindToNamed(claim, claim.spec.volumeName)
    const waits = classes.get(classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer'
    const volume = volumeFor(claim, volumes.list(), waits)
    if (volume) return bind(volume as PVolume, claim)
    const usual = namesClass(claim) ? undefined : defaultClassOf(classes.list())
    if (usual) {
      const spec = { ...claim.spec, storageClassName: usual.metadata.name }
      claims.learn(await claimClient.update({ ...claim, spec } as Draft<Claim>))
      return
    }
    if (waits && !hasAnnotation(claim, annotations.selectedNode)) sayWhatItWaitsFor(claim)
    else if (classOf(claim) !== '') return provision(claim)
    else {
      const message = 'no persistent volumes available for this claim and no storage class is set'
      events.normal(claim, 'FailedBinding', message)
    }
    await writeClaimPhase(claim, 'Pending')
  }

  async function bindToNamed(claim: Claim, name: string): Promise<void> {
    const volume = volumes.get(name)
    if (!volume) return void (await writeClaimPhase(claim, 'Pending'))
    if (volume.spec.claimRef && isReservedFor(volume, claim)) return bind(volume, claim)
    const mismatch = volume.spec.claimRef ? undefined : mismatchOf(volume, claim)
    if (!volume.spec.claimRef && !mismatch) return bind(volume, claim)
    if (mismatch) events.warning(claim, 'VolumeMismatch', `Cannot bind to requested volume "${name}": ${mismatch}`)
    else {
      events.warning(claim, 'FailedBinding', `volume "${name}" already bound to a different claim.`)
      // the binder itself has chosen it, and another was first
      if (hasAnnotation(claim, annotations.boundByController)) return
    }
    await writeClaimPhase(claim, 'Pending')
  }

  async function keepBound(claim: Claim): Promise<void> {
    const { volumeName } = claim.spec
    const volume = volumeName ? volumes.get(volumeName) : undefined
    if (!volumeName)
      return lose(claim, 'ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!')
    if (!volume) return lose(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!')
    const { claimRef } = volume.spec
    if (!claimRef || claimRef.uid === claim.metadata.uid) return bind(volume, claim)
    return lose(claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly')
  }

  async function lose(claim: Claim, reason: string, message: string): Promise<void> {
    if (claim.status.phase === 'Lost') return
    events.warning(await writeClaimPhase(claim, 'Lost'), reason, message)
  }

  function sayWhatItWaitsFor(claim: Claim): void {
    const names = podsOf(keyOf(claim))
      .filter(({ spec, status }) => !spec.nodeName && !hasEnded(status.phase))
      .map(({ metadata }) => metadata.name!)
    if (names.length === 0)
      return events.normal(claim, 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
    const message = `waiting for pod${names.length > 1 ? 's' : ''} ${names.join(',')} to be scheduled`
    events.normal(claim, 'WaitForPodScheduled', message)
  }

  /** Leaves the claim to the provisioner of its class. */
  async function provision(claim: Claim): Promise<void> {
    const name = classOf(claim)
    const provisioner = classes.get(name)?.provisioner
    if (provisioner === undefined) {
      events.warning(claim, 'ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`)
      return
    }
    // those of Kubernetes itself are gone
    if (provisioner.startsWith('kubernetes.io/')) {
      events.warning(claim, 'ProvisioningFailed', `no volume plugin matched name: ${provisioner}`)
      return
    }
    let asked = claim
    if (claim.metadata.annotations?.[annotations.provisioner] !== provisioner) {
      const marks = { [annotations.betaProvisioner]: provisioner, [annotations.provisioner]: provisioner }
      asked = await annotate(claim, marks)
    }
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
    events.normal(asked, 'ExternalProvisioning', message)
  }

  async function annotate(claim: Claim, marks: Record<string, string>, spec = claim.spec): Promise<Claim> {
    const metadata = { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...marks } }
    const written = await claimClient.update({ ...claim, metadata, spec } as Draft<Claim>)
    claims.learn(written)
    return written
  }

  /** Each step may be the last, if something fails; the next try goes on from there. */
  async function bind(volume: PVolume, claim: Claim): Promise<void> {
    const reserved = await reserve(volume, claim)
    const bound = await writeVolumePhase(reserved, 'Bound')
    const name = volume.metadata.name!
    const isNamed = claim.spec.volumeName === name
    const isComplete = hasAnnotation(claim, annotations.bindCompleted)
    const marks = { ...(isNamed ? {} : { [annotations.boundByController]: 'yes' }), [annotations.bindCompleted]: 'yes' }
    const completed = isNamed && isComplete ? claim : await annotate(claim, marks, { ...claim.spec, volumeName: name })
    await writeClaimPhase(completed, 'Bound', bound)
  }

  async function reserve(volume: PVolume, claim: Claim): Promise<PVolume> {
    const { name, namespace, uid, resourceVersion } = claim.metadata
    const { claimRef } = volume.spec
    if (isReservedFor(volume, claim) && claimRef?.uid === uid) return volume
    const mark = isReservedFor(volume, claim) ? {} : { [annotations.boundByController]: 'yes' }
    const written = await volumeClient.update({
      ...volume,
      metadata: { ...volume.metadata, annotations: { ...volume.metadata.annotations, ...mark } },
      spec: {
        ...volume.spec,
        claimRef: { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion }
      }
    } as Draft<PVolume>)
    volumes.learn(written)
    return written
  }

  async function keepVolume(volume: PVolume): Promise<void> {
    const { claimRef } = volume.spec
    if (!claimRef?.uid) return void (await writeVolumePhase(volume, 'Available'))
    const key = claimKeyOf(volume)!
    let claim: Claim | undefined = claims.get(namedBy(key))
    const isFinal = volume.status.phase === 'Released' || volume.status.phase === 'Failed'
    if (claim ? claim.metadata.uid !== claimRef.uid : !isFinal) claim = await claimClient.find(namedBy(key))
    if (claim?.metadata.uid !== claimRef.uid) claim = undefined
    if (!claim) return reclaim(volume)
    if (claim.spec.volumeName === volume.metadata.name) return void (await writeVolumePhase(volume, 'Bound'))
    if (claim.spec.volumeName) {
      const isProvisioned = hasAnnotation(volume, annotations.provisionedBy)
      if (isProvisioned && volume.spec.persistentVolumeReclaimPolicy === 'Delete') return reclaim(volume)
      return unbind(volume)
    }
    if (haveSameMode(volume, claim)) return queue.enqueue(`claim ${key}`)
    const because = 'due to incompatible volumeMode.'
    const { name } = volume.metadata
    const claimName = claim.metadata.name
    const forVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claimName}" ${because}`
    events.warning(volume, 'VolumeMismatch', forVolume)
    events.warning(
      claim,
      'VolumeMismatch',
      `Cannot bind PersistentVolume "${name}" to requested PersistentVolumeClaim ${because}`
    )
  }

  /** Does with a volume whose claim has gone what its policy says. */
  async function reclaim(given: PVolume): Promise<void> {
    const isFinal = given.status.phase === 'Released' || given.status.phase === 'Failed'
    const volume = isFinal ? given : await writeVolumePhase(given, 'Released')
    const policy = volume.spec.persistentVolumeReclaimPolicy
    if (policy === 'Recycle') await recycle(volume)
    if (policy !== 'Delete') return
    const deletion = deletionOf(volume)
    if (deletion === 'others') return
    if (deletion === 'possible') return volumeClient.delete(volume)
    await fail(volume, 'VolumeFailedDelete', deletion.error)
  }

  async function recycle(volume: PVolume): Promise<void> {
    const users = podsOf(claimKeyOf(volume)!).filter(({ status }) => !hasEnded(status.phase))
    if (users.length > 0) {
      events.normal(volume, 'VolumeFailedRecycle', `Volume is used by pods: ${users.map(keyOf).sort().join(',')}`)
      return
    }
    if (!volume.spec.hostPath && !volume.spec.nfs)
      return fail(volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!')
    events.normal(volume, 'VolumeRecycled', 'Volume recycled')
    await unbind(volume)
  }

  async function fail(volume: PVolume, reason: string, message: string): Promise<void> {
    if (volume.status.phase !== 'Failed') events.warning(await writeVolumePhase(volume, 'Failed', message), reason, message)
  }

  async function unbind(volume: PVolume): Promise<void> {
    const { [annotations.boundByController]: byController, ...marks } = volume.metadata.annotations ?? {}
    const { uid: _, ...claimRef } = volume.spec.claimRef!
    const spec = { ...volume.spec, claimRef: byController === undefined ? claimRef : undefined }
    const written = await volumeClient.update({
      ...volume,
      metadata: { ...volume.metadata, annotations: marks },
      spec
    } as Draft<PVolume>)
    volumes.learn(written)
    await writeVolumePhase(written, 'Available')
  }

  async function writeClaimPhase(claim: Claim, phase: string, volume?: PVolume): Promise<Claim> {
    const status = claimStatus(claim, phase, volume)
    if (isDeepStrictEqual(status, claim.status)) return claim
    const written = await claimClient.subresource('status').update(claim, { ...claim, status } as Draft<Claim>)
    claims.learn(written)
    return written
  }

  async function writeVolumePhase(volume: PVolume, phase: string, message?: string): Promise<PVolume> {
    if (volume.status.phase === phase) return volume
    const { message: _, ...status } = volume.status
    const next = { ...volume, status: { ...status, phase, ...(message ? { message } : {}) } }
    const written = await volumeClient.subresource('status').update(volume, next as Draft<PVolume>)
    volumes.learn(written)
    return written
  }
}

function claimStatus({ status }: Claim, phase: string, volume: PVolume | undefined): Claim['status'] {
  if (!volume) {
    const { accessModes: _, capacity: __, currentVolumeAttributesClassName: ___, ...rest } = status
    return { ...rest, phase }
  }
  const next: Claim['status'] = { ...status, phase, accessModes: volume.spec.accessModes }
  // what the claim has later is the business of those who expand it
  if (status.phase !== phase) next.capacity = volume.spec.capacity
  const attributes = volume.spec.volumeAttributesClassName
  if (status.phase === 'Pending' && phase === 'Bound' && attributes !== undefined)
    next.currentVolumeAttributesClassName = attributes
  return next
}
