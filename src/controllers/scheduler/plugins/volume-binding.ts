import type { PersistentVolumeClaim, TopologySelectorTerm } from '../../../apimachinery/api/generated/core-v1.js'
import type { StorageClass } from '../../../apimachinery/api/generated/storage-v1.js'
import { labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import { type ClusterObjects, classOf } from '../cluster-objects.js'
import { labelOf } from '../labels.js'
import type { NodeState } from '../node-state.js'
import { type Check, type FollowedKind, mostScore, type Plugin, type Rejection, rejectForGood } from '../plugin.js'
import { foreignClaim, isBound, podClaims } from '../pod-claims.js'
import type { PodInfo } from '../pod-info.js'
import { amountOf } from '../resources.js'
import { selectedNode, type VolumeBinder, type VolumePlan } from '../volume-binder.js'
import { capacityOf, isReachable, matchingVolume, sizeOf } from '../volume-matching.js'

interface Claims {
  readonly bound: readonly PersistentVolumeClaim[]
  /** They are bound when their Pod has a Node. */
  readonly waiting: readonly PersistentVolumeClaim[]
}

function claimsOf({ pod }: PodInfo, objects: ClusterObjects): Claims | Rejection | undefined {
  const named = podClaims(pod)
  if (named.length === 0) return undefined
  const claims: PersistentVolumeClaim[] = []
  for (const { name, isEphemeral } of named) {
    const claim = objects.claims.get(name, pod.metadata.namespace)
    const problem = claim ? problemOf(claim, isEphemeral ? foreignClaim(claim, pod) : undefined) : missing(name, isEphemeral)
    if (problem) return rejectForGood(problem)
    claims.push(claim!)
  }
  const unbound = claims.filter(claim => !isBound(claim))
  const waits = (claim: PersistentVolumeClaim) =>
    !claim.spec.volumeName && objects.storageClass(classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer'
  if (!unbound.every(waits)) return rejectForGood('pod has unbound immediate PersistentVolumeClaims')
  return { bound: claims.filter(isBound), waiting: unbound }
}

const missing = (name: string, isEphemeral: boolean): string =>
  isEphemeral
    ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
    : `persistentvolumeclaim "${name}" not found`

function problemOf({ metadata, spec, status }: PersistentVolumeClaim, foreign: string | undefined): string | undefined {
  if (status.phase === 'Lost')
    return `persistentvolumeclaim "${metadata.name}" bound to non-existent persistentvolume "${spec.volumeName}"`
  if (metadata.deletionTimestamp) return `persistentvolumeclaim "${metadata.name}" is being deleted`
  return foreign
}

const unbindable = "node(s) didn't find available persistent volumes to bind"
const noSpace = 'node(s) did not have enough free storage'

/** What becomes of the claims on the Node, or why it cannot have them. */
function planFor({ bound, waiting }: Claims, node: NodeState, objects: ClusterObjects): VolumePlan | Rejection {
  const reasons: string[] = []
  for (const { spec } of bound) {
    const volume = objects.volumes.get(spec.volumeName!)
    if (volume && isReachable(volume, node)) continue
    reasons.push(
      volume
        ? "node(s) didn't match PersistentVolume's node affinity"
        : 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'
    )
    break
  }
  const chosen = new Set<string>()
  const bindings: { claim: PersistentVolumeClaim; volume: NonNullable<ReturnType<typeof matchingVolume>> }[] = []
  const provisions: PersistentVolumeClaim[] = []
  for (const claim of waiting.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const selected = claim.metadata.annotations?.[selectedNode]
    if (selected !== undefined && selected !== node.name) {
      reasons.push(unbindable)
      return rejectForGood(...reasons)
    }
    const volumes = selected === undefined ? objects.volumes.ofClass(classOf(claim)) : []
    const volume = matchingVolume(claim, volumes, node, ({ metadata }) => chosen.has(metadata.name!))
    if (volume) {
      chosen.add(volume.metadata.name!)
      bindings.push({ claim, volume })
    } else provisions.push(claim)
  }
  const problem = provisions.map(claim => provisionProblem(claim, node, objects)).find(found => found !== undefined)
  if (problem) reasons.push(problem)
  return reasons.length > 0 ? rejectForGood(...reasons) : { bindings, provisions }
}

const isInTopology = (terms: readonly TopologySelectorTerm[] | undefined, { labels }: NodeState): boolean =>
  !terms?.length ||
  terms.some(({ matchLabelExpressions }) =>
    (matchLabelExpressions ?? []).every(({ key, values }) => {
      const value = labelOf(labels, key)
      return value !== undefined && !!values?.includes(value)
    })
  )

function provisionProblem(claim: PersistentVolumeClaim, node: NodeState, objects: ClusterObjects): string | undefined {
  const storageClass = objects.storageClass(classOf(claim))!
  const { provisioner, allowedTopologies } = storageClass
  if (!provisioner || provisioner === 'kubernetes.io/no-provisioner' || !isInTopology(allowedTopologies, node)) return unbindable
  return capacityFor(claim, storageClass, node, objects) === undefined ? noSpace : undefined
}

/** The capacity from which the volume would come; infinite where the driver does not tell, undefined where it is not enough. */
function capacityFor(
  claim: PersistentVolumeClaim,
  { metadata, provisioner }: StorageClass,
  { labels }: NodeState,
  objects: ClusterObjects
): number | undefined {
  if (!objects.csiDriver(provisioner)?.spec.storageCapacity || !claim.spec.resources.requests?.storage)
    return Number.POSITIVE_INFINITY
  for (const { storageClassName, nodeTopology, capacity, maximumVolumeSize } of objects.capacities()) {
    const most = maximumVolumeSize ?? capacity
    if (storageClassName !== metadata.name || most === undefined || amountOf('storage', most) < sizeOf(claim)) continue
    if (nodeTopology && labelSelectorMatcher(nodeTopology)(labels)) return amountOf('storage', capacity ?? '0')
  }
  return undefined
}

/** How much of the capacity would be free, over all classes: the more the better. */
function freeShare({ bindings, provisions }: VolumePlan, node: NodeState, objects: ClusterObjects): number {
  const classes = new Map<string, { requested: number; capacity: number }>()
  const of = (name: string) => {
    const found = classes.get(name) ?? { requested: 0, capacity: 0 }
    classes.set(name, found)
    return found
  }
  for (const { claim, volume } of bindings) {
    const sums = of(volume.spec.storageClassName ?? '')
    sums.requested += sizeOf(claim)
    sums.capacity += capacityOf(volume)
  }
  if (bindings.length === 0)
    for (const claim of provisions) {
      const capacity = capacityFor(claim, objects.storageClass(classOf(claim))!, node, objects)
      if (capacity === undefined || capacity === Number.POSITIVE_INFINITY) continue
      const sums = of(classOf(claim))
      sums.requested += sizeOf(claim)
      sums.capacity = capacity
    }
  if (classes.size === 0) return 0
  const shares = [...classes.values()].map(({ requested, capacity }) =>
    capacity === 0 || requested > capacity ? 0 : mostScore - Math.trunc((requested * mostScore) / capacity)
  )
  return Math.round(shares.reduce((sum, share) => sum + share, 0) / shares.length)
}

const concerned: ReadonlySet<string> = new Set<FollowedKind>([
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity'
])

/** Finds Nodes that reach the volumes of a Pod, and binds those that are bound only now. */
export const volumeBinding = (binder: VolumeBinder): Plugin => ({
  name: 'VolumeBinding',
  check(info, { objects }): Check | Rejection | undefined {
    const claims = claimsOf(info, objects)
    if (!claims || 'reasons' in claims) return claims
    const plans = new Map<string, VolumePlan>()
    return {
      filter(node) {
        const plan = planFor(claims, node, objects)
        if ('reasons' in plan) return plan
        plans.set(node.name, plan)
        return undefined
      },
      reserve: node => (claims.waiting.length > 0 ? binder.reserve(info.pod, node, plans.get(node.name)!, objects) : undefined),
      score: () => ({ score: node => freeShare(plans.get(node.name)!, node, objects) })
    }
  },
  mayHelp(event, { pod }) {
    if (event.on === 'PersistentVolumeClaim') {
      const { namespace, name } = (event.object ?? event.old)!.metadata
      return !!event.object && namespace === pod.metadata.namespace && podClaims(pod).some(claim => claim.name === name)
    }
    if (event.on === 'node') return !!event.node
    return 'object' in event && concerned.has(event.on) && !!event.object
  }
})
