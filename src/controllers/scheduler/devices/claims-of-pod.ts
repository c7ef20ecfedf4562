/** The ResourceClaims that a Pod refers to. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import { isControlledBy } from '../../workloads/owners.js'
import type { DeviceObjects } from '../cluster-objects.js'

interface NamedClaim {
  /** Undefined where no claim was made on purpose. */
  readonly name: string | undefined
  /** Whether it was made for the Pod, by a template. */
  readonly isOwn: boolean
}

/** Returns the claims by name, or why a name is not known yet. */
function namedClaims({ metadata, spec, status }: Pod): NamedClaim[] | string {
  const named: NamedClaim[] = []
  for (const { name, resourceClaimName } of spec.resourceClaims ?? []) {
    const made = status.resourceClaimStatuses?.find(one => one.name === name)
    if (resourceClaimName === undefined && !made)
      return `pod "${metadata.namespace}/${metadata.name}": ResourceClaim not created yet`
    named.push({ name: resourceClaimName ?? made!.resourceClaimName, isOwn: resourceClaimName === undefined })
  }
  return named
}

/** Whether the Pod refers to a claim of this name. */
export function refersTo(pod: Pod, name: string): boolean {
  const named = namedClaims(pod)
  return typeof named !== 'string' && named.some(claim => claim.name === name)
}

/** Returns the claims, or why one of them cannot be used. */
export function claimsOfPod(pod: Pod, claims: Pick<DeviceObjects['claims'], 'get'>): ResourceClaim[] | string {
  const named = namedClaims(pod)
  if (typeof named === 'string') return named
  const { namespace, name: podName } = pod.metadata
  const found: ResourceClaim[] = []
  for (const { name, isOwn } of named) {
    if (name === undefined) continue
    const claim = claims.get(name, namespace)
    if (!claim) return `could not find v1.ResourceClaim "${namespace}/${name}"`
    if (claim.metadata.deletionTimestamp) return `resourceclaim "${name}" is being deleted`
    if (isOwn && !isControlledBy(claim, pod))
      return `ResourceClaim ${namespace}/${name} was not created for Pod ${namespace}/${podName} (Pod is not owner)`
    found.push(claim)
  }
  return found
}

/** So many Pods may share a claim. */
const mostConsumers = 256

export const isReservedFor = ({ status }: ResourceClaim, pod: Pod): boolean =>
  (status.reservedFor ?? []).some(({ uid }) => uid === pod.metadata.uid)

export const canBeReserved = ({ status }: ResourceClaim): boolean => (status.reservedFor ?? []).length < mostConsumers

/** Whether the claim has devices that nobody else than the Pod uses. */
export const isAtDisposalOf = ({ status: { allocation, reservedFor = [] } }: ResourceClaim, { metadata }: Pod): boolean =>
  allocation !== undefined && reservedFor.every(({ uid }) => uid === metadata.uid)
