/** The objects beside Nodes and Pods that the scheduler reads, from the informers of the cluster. */
import type { Namespace, PersistentVolume, PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { PodDisruptionBudget } from '../../apimachinery/api/generated/policy-v1.js'
import type { DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice } from '../../apimachinery/api/generated/resource-v1.js'
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment
} from '../../apimachinery/api/generated/storage-v1.js'
import type { LabelSelector, Labels } from '../../apimachinery/selectors/labels.js'
import { chosenOf, resourcesOf } from '../../kinds/resource/class-resources.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { Assumed } from './assumed.js'
import { SpreadSelectors } from './spread-selectors.js'

export interface ClusterObjects {
  namespaceLabels(name: string): Labels
  namespaces(): readonly Namespace[]
  budgets(): readonly PodDisruptionBudget[]
  /** Selects the Pods of the same Services and of the same controller; undefined when there are none. */
  spreadSelector(pod: Pod): LabelSelector | undefined
  readonly claims: Lookup<PersistentVolumeClaim>
  readonly volumes: Lookup<PersistentVolume> & {
    /** The volumes of a class. */
    ofClass(name: string): readonly PersistentVolume[]
  }
  storageClass(name: string): StorageClass | undefined
  csiNode(name: string): CSINode | undefined
  csiDriver(name: string): CSIDriver | undefined
  capacities(): readonly CSIStorageCapacity[]
  readonly devices: DeviceObjects
  /** The attachments to a Node. */
  attachments(node: string): readonly VolumeAttachment[]
}

export interface DeviceObjects {
  readonly claims: {
    get(name: string, namespace?: string): ResourceClaim | undefined
    list(): readonly ResourceClaim[]
  }
  class(name: string): DeviceClass | undefined
  /** The class whose devices provide an extended resource. */
  classFor(resource: string): DeviceClass | undefined
  slices(): readonly ResourceSlice[]
  /** Whether steps of capacities may be fractions. */
  readonly hasFractions: boolean
  taintRules(): readonly DeviceTaintRule[]
}

/** Objects of a kind, those included that the scheduler is about to write. */
export interface Lookup<T> {
  get(name: string, namespace?: string): T | undefined
  /** As the server has it. */
  stored(name: string, namespace?: string): T | undefined
  assume(object: T): void
  /** Takes back what was assumed. */
  restore(object: T): void
}

const none: Labels = {}

/** The class of a claim or volume: an annotation is older than the field, and wins. */
export const classOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? ''

/** Rules about the taints of devices are served since 1.37. */
export const taintRulesIn = ({ informers, features }: Pick<ClusterContext, 'informers' | 'features'>) =>
  features.enabled('DRADeviceTaintRules') ? informers.of('resource.k8s.io/v1', 'DeviceTaintRule') : undefined

export function clusterObjects(context: Pick<ClusterContext, 'informers' | 'features'>): ClusterObjects {
  const { informers } = context
  const namespaces = informers.of('v1', 'Namespace')
  const budgets = informers.of('policy/v1', 'PodDisruptionBudget')
  const volumes = informers.of('v1', 'PersistentVolume')
  const classes = informers.of('storage.k8s.io/v1', 'StorageClass')
  const csiNodes = informers.of('storage.k8s.io/v1', 'CSINode')
  const csiDrivers = informers.of('storage.k8s.io/v1', 'CSIDriver')
  const capacities = informers.of('storage.k8s.io/v1', 'CSIStorageCapacity')
  const attachments = informers.of('storage.k8s.io/v1', 'VolumeAttachment').index(({ spec }) => [spec.nodeName])
  const resourceClaims = informers.of('resource.k8s.io/v1', 'ResourceClaim')
  const deviceClasses = informers.of('resource.k8s.io/v1', 'DeviceClass')
  const classesFor = deviceClasses.index(resourcesOf)
  const slices = informers.of('resource.k8s.io/v1', 'ResourceSlice')
  const taintRules = taintRulesIn(context)
  const selectors = new SpreadSelectors(informers)
  const byClass = volumes.index(volume => [classOf(volume)])
  const volumeLookup = new Assumed(volumes)
  return {
    namespaceLabels: name => namespaces.get(name)?.metadata.labels ?? none,
    namespaces: () => namespaces.list(),
    budgets: () => budgets.list(),
    spreadSelector: pod => selectors.of(pod),
    claims: new Assumed(informers.of('v1', 'PersistentVolumeClaim')),
    volumes: {
      get: name => volumeLookup.get(name),
      stored: name => volumeLookup.stored(name),
      assume: volume => volumeLookup.assume(volume),
      restore: volume => volumeLookup.restore(volume),
      ofClass: name => byClass(name).map(volume => volumeLookup.get(volume.metadata.name!) ?? volume)
    },
    storageClass: name => classes.get(name),
    csiNode: name => csiNodes.get(name),
    csiDriver: name => csiDrivers.get(name),
    capacities: () => capacities.list(),
    devices: {
      claims: {
        get: (name, namespace) => resourceClaims.get({ metadata: { name, namespace } }),
        list: () => resourceClaims.list()
      },
      class: name => deviceClasses.get(name),
      classFor: resource => chosenOf(classesFor(resource)),
      slices: () => slices.list(),
      hasFractions: context.features.enabled('DRAFractionalCapacityRange'),
      taintRules: () => taintRules?.list() ?? []
    },
    attachments
  }
}
