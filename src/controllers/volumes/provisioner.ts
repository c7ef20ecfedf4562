/**
 * Provisions the volumes of simulated clusters, as the programs do that a cluster brings along: volumes that nobody fills. The class
 * `standard` is made where there is no class.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import type { StorageClass } from '../../apimachinery/api/generated/storage-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { compareQuantities } from '../../util/quantity.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { messageOf } from '../workloads/pod-control.js'
import { annotations, classOf } from './claims.js'

type Claim = PersistentVolumeClaim & KubeObject
type PVolume = PersistentVolume & KubeObject

/** The provisioner of StorageClasses whose volumes are simulated. */
export const provisioner = 'simulate.binnacle.dev/provisioner'
/** The parameter of a StorageClass that names a CSI driver: its volumes have to be attached. Without, volumes are directories. */
const driverParameter = 'csiDriver'
const hostname = 'kubernetes.io/hostname'

/** As the class `standard` of kind has it, but its volumes can grow. */
const standard: Draft<StorageClass & KubeObject> = {
  metadata: { name: 'standard', annotations: { [annotations.defaultClass]: 'true' } },
  provisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowVolumeExpansion: true
}

export function volumeProvisioner(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientAs('system:serviceaccount:kube-system:simulated-provisioner', 'simulated-provisioner')
  const claims: Informer<Claim> = informers.of('v1', 'PersistentVolumeClaim')
  const volumes: Informer<PVolume> = informers.of('v1', 'PersistentVolume')
  const classes: Informer<StorageClass> = informers.of('storage.k8s.io/v1', 'StorageClass')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const volumeClient = client.of('v1', 'PersistentVolume')
  const claimClient = client.of('v1', 'PersistentVolumeClaim')
  const events = context.recorder(provisioner, client)
  const resizes = context.recorder('external-resizer', client)

  const queue = context.queue({ name: 'simulated-provisioner', workers: 4, reconcile })
  const claimChanged = (claim: Claim) => queue.enqueue(`claim ${keyOf(claim)}`)
  const volumeChanged = (volume: PVolume) => isOwn(volume) && queue.enqueue(`volume ${volume.metadata.name}`)
  claims.on('add', claimChanged)
  claims.on('update', claimChanged)
  volumes.on('add', volumeChanged)
  volumes.on('update', volumeChanged)
  return {
    name: 'simulated provisioner',
    async start() {
      const { items } = await client.of('storage.k8s.io/v1', 'StorageClass').list({ limit: 1 })
      if (items.length === 0) await unlessPresent(() => client.of('storage.k8s.io/v1', 'StorageClass').create(standard))
    },
    stop: () => queue.stop()
  }

  async function reconcile(key: string): Promise<void> {
    const [kind, name] = key.split(' ') as [string, string]
    if (kind === 'volume') {
      const volume = volumes.get(name)
      if (volume) await deleteReleased(volume)
      return
    }
    const claim = claims.get(namedBy(name))
    if (!claim || claim.metadata.deletionTimestamp) return
    if (claim.spec.volumeName) await expand(claim, volumes.get(claim.spec.volumeName))
    else if (claim.metadata.annotations?.[annotations.provisioner] === provisioner) await provision(claim)
  }

  async function provision(claim: Claim): Promise<void> {
    const storageClass = classes.get(classOf(claim))
    if (storageClass?.provisioner !== provisioner || claim.spec.selector) return
    const selected = claim.metadata.annotations?.[annotations.selectedNode]
    if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && selected === undefined) return
    const volume = volumeOf(claim, storageClass, selected === undefined ? undefined : nodes.get(selected))
    const { name } = volume.metadata!
    if (volumes.get(name!)) return
    events.normal(claim, 'Provisioning', `External provisioner is provisioning volume for claim "${keyOf(claim)}"`)
    try {
      await unlessPresent(async () => volumes.learn(await volumeClient.create(volume)))
    } catch (error) {
      events.warning(claim, 'ProvisioningFailed', messageOf(error))
      throw error
    }
    events.normal(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`)
  }

  async function deleteReleased(volume: PVolume): Promise<void> {
    if (volume.status.phase !== 'Released' || volume.spec.persistentVolumeReclaimPolicy !== 'Delete') return
    if (!volume.metadata.deletionTimestamp) await volumeClient.delete(volume)
  }

  /** Gives a claim that asks for more what it asks for. */
  async function expand(claim: Claim, volume: PVolume | undefined): Promise<void> {
    const wanted = claim.spec.resources?.requests?.storage
    const present = claim.status.capacity?.storage
    if (!volume || !isOwn(volume) || claim.status.phase !== 'Bound' || !wanted || !present) return
    if (compareQuantities(wanted, present) <= 0) return
    const name = volume.metadata.name!
    resizes.normal(claim, 'Resizing', `External resizer is resizing volume ${name}`)
    const capacity = { storage: wanted }
    volumes.learn(await volumeClient.patch(name, { spec: { capacity } }))
    const status = { capacity, allocatedResources: capacity }
    claims.learn(await claimClient.subresource('status').patch(claim, { status }))
    resizes.normal(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded')
  }
}

const isOwn = ({ metadata }: PVolume) => metadata.annotations?.[annotations.provisionedBy] === provisioner

function volumeOf(claim: Claim, storageClass: StorageClass, node: Node | undefined): Draft<PVolume> {
  const { name: claimName, namespace, uid, resourceVersion } = claim.metadata
  const name = `pvc-${uid}`
  const driver = storageClass.parameters?.[driverParameter]
  const host = node?.metadata.labels?.[hostname]
  const terms = host && !driver ? [{ matchExpressions: [{ key: hostname, operator: 'In', values: [host] }] }] : undefined
  return {
    metadata: { name, annotations: { [annotations.provisionedBy]: provisioner } },
    spec: {
      capacity: { storage: claim.spec.resources?.requests?.storage ?? '0' },
      accessModes: claim.spec.accessModes,
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', name: claimName, namespace, uid, resourceVersion },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      volumeAttributesClassName: claim.spec.volumeAttributesClassName,
      volumeMode: claim.spec.volumeMode,
      mountOptions: storageClass.mountOptions,
      nodeAffinity: terms && { required: { nodeSelectorTerms: terms } },
      ...(driver
        ? { csi: { driver, volumeHandle: name } }
        : { hostPath: { path: `/var/local-path-provisioner/${name}_${namespace}_${claimName}`, type: 'DirectoryOrCreate' } })
    }
  }
}

async function unlessPresent(create: () => Promise<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
  }
}
