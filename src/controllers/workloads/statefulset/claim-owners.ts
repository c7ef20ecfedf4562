/** Who owns the claims of a StatefulSet, so that they are deleted with it or when it shrinks: https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention */

import type { PersistentVolumeClaim, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { OwnerReference } from '../../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { controllerReference } from '../owners.js'
import { isInRange, type Stateful } from './stateful-pods.js'

const ownersOf = ({ metadata }: PersistentVolumeClaim): OwnerReference[] => metadata.ownerReferences ?? []

const names = (reference: OwnerReference, { metadata }: KubeObject, apiVersion: string, kind: string): boolean =>
  reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name

const namesSet = (reference: OwnerReference, set: Stateful) => names(reference, set, 'apps/v1', 'StatefulSet')
const namesPod = (reference: OwnerReference, pod: Pod) => names(reference, pod, 'v1', 'Pod')

/** Whether the claim belongs to a former Pod of the name. */
export const isOfFormerPod = (claim: PersistentVolumeClaim, pod: Pod): boolean => {
  const reference = ownersOf(claim).find(owner => namesPod(owner, pod))
  return !!reference && reference.uid !== pod.metadata.uid
}

const isOfFormerSet = (claim: PersistentVolumeClaim, set: Stateful): boolean => {
  const reference = ownersOf(claim).find(owner => namesSet(owner, set))
  return !!reference && reference.uid !== set.metadata.uid
}

const deletes = ({ spec }: Stateful, when: 'whenDeleted' | 'whenScaled'): boolean =>
  spec.persistentVolumeClaimRetentionPolicy?.[when] === 'Delete'

export const deletesWhenScaled = (set: Stateful): boolean => deletes(set, 'whenScaled')

/** Whether something else controls a claim that the set is to delete. */
export function hasOtherController(claim: PersistentVolumeClaim, set: Stateful, pod: Pod): boolean {
  if (!deletes(set, 'whenDeleted') && !deletes(set, 'whenScaled')) return false
  return ownersOf(claim).some(owner => {
    if (namesSet(owner, set)) return owner.uid !== set.metadata.uid
    if (namesPod(owner, pod)) return owner.uid !== pod.metadata.uid
    return !!owner.controller
  })
}

const isOwned = (claim: PersistentVolumeClaim, { metadata }: KubeObject) =>
  ownersOf(claim).some(({ uid }) => uid === metadata.uid)

/** Which of the two own the claim by the policy of the set. */
function ownersByPolicy(set: Stateful, pod: Pod): { readonly set: boolean; readonly pod: boolean } {
  const ends = deletes(set, 'whenScaled') && !isInRange(pod, set)
  return { set: deletes(set, 'whenDeleted') && !ends, pod: ends }
}

/** A claim in a state that nobody here has made stays as it is. */
export function isUpToDate(claim: PersistentVolumeClaim, set: Stateful, pod: Pod): boolean {
  if (isOfFormerSet(claim, set) || isOfFormerPod(claim, pod)) return true
  const [bySet, byPod] = [isOwned(claim, set), isOwned(claim, pod)]
  if (hasOtherController(claim, set, pod)) return !bySet && !byPod
  const uids = [set.metadata.uid, pod.metadata.uid]
  if (ownersOf(claim).some(owner => uids.includes(owner.uid) && !owner.controller)) return false
  const owners = ownersByPolicy(set, pod)
  return owners.set === bySet && owners.pod === byPod
}

export function withOwners(claim: PersistentVolumeClaim, set: Stateful, pod: Pod): PersistentVolumeClaim {
  const others = ownersOf(claim).filter(owner => !namesSet(owner, set) && !namesPod(owner, pod))
  const owners = hasOtherController(claim, set, pod) ? { set: false, pod: false } : ownersByPolicy(set, pod)
  const ownerReferences = [
    ...others,
    ...(owners.set ? [controllerReference(set)] : []),
    ...(owners.pod ? [controllerReference(pod)] : [])
  ]
  return { ...claim, metadata: { ...claim.metadata, ownerReferences } }
}
