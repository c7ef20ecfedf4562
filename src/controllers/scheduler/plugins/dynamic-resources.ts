import type { ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import type { ClusterObjects } from '../cluster-objects.js'
import { allocate, type Choice } from '../devices/allocate.js'
import { allocationResult } from '../devices/allocation-result.js'
import { isStuck } from '../devices/binding-conditions.js'
import type { ClaimBinder, PlannedClaim } from '../devices/claim-binder.js'
import { canBeReserved, claimsOfPod, isAtDisposalOf, isReservedFor, refersTo } from '../devices/claims-of-pod.js'
import { poolsOn, slicesByPool } from '../devices/pools.js'
import { missingClass, type Wanted, wantedBy } from '../devices/requests.js'
import { type Usage, usageBy } from '../devices/shares.js'
import { nodeMatcher } from '../node-selector.js'
import { type Check, type Plugin, type Rejection, rejectForGood, scale } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'

/** The most alternatives that a request may have: the first counts so much in scores. */
const mostAlternatives = 8

/** Why the Pod cannot be tried at all; undefined when its claims are there. */
export function missingClaims({ pod }: PodInfo, { devices }: ClusterObjects): string | undefined {
  const claims = pod.spec.resourceClaims?.length ? claimsOfPod(pod, devices.claims) : []
  return typeof claims === 'string' ? claims : undefined
}

/** Finds devices for the claims of a Pod: https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/ */
export const dynamicResources = (binder: ClaimBinder): Plugin => ({
  name: 'DynamicResources',
  weight: 2,
  check: (info, { objects }) => (info.pod.spec.resourceClaims?.length ? checkOf(info, objects, binder) : undefined),
  mayHelp(event, { pod }) {
    switch (event.on) {
      case 'ResourceClaim': {
        const { name, namespace } = (event.object ?? event.old)!.metadata
        const isOwn = namespace === pod.metadata.namespace && refersTo(pod, name!)
        return (!!event.object && isOwn) || (hasDevices(event.old) && !hasDevices(event.object))
      }
      case 'ResourceSlice':
      case 'DeviceClass':
        return !!event.object
      case 'DeviceTaintRule':
        return true
      case 'node':
        return !!event.node
      default:
        return event.on === 'self'
    }
  }
})

const hasDevices = (claim: object | undefined): boolean => !!(claim as ResourceClaim | undefined)?.status.allocation

function checkOf({ pod }: PodInfo, objects: ClusterObjects, binder: ClaimBinder): Check | Rejection | undefined {
  const { devices } = objects
  const claims = claimsOfPod(pod, devices.claims)
  if (typeof claims === 'string') return rejectForGood(claims)
  if (claims.length === 0) return undefined
  const problem = claims.map(claim => problemOf(claim)).find(found => found !== undefined)
  if (problem) return rejectForGood(problem)
  const allocated = claims.flatMap(claim => {
    const { allocation } = claim.status
    return allocation ? [{ claim, isAt: allocation.nodeSelector ? nodeMatcher(allocation.nodeSelector) : () => true }] : []
  })
  /** The claims whose devices a Node was refused for. */
  const useless = new Set<ResourceClaim>()
  const open = claims.filter(({ status }) => !status.allocation)
  const wanted = wantedBy(open, name => devices.class(name))
  const usage = usageNow()
  const slices = open.length > 0 ? slicesByPool(devices.slices()) : []
  /** What the open claims would get, by the name of the Node. */
  const plans = new Map<string, readonly (readonly Choice[])[]>()

  function problemOf(claim: ResourceClaim): string | undefined {
    if (claim.status.allocation) return canBeReserved(claim) || isReservedFor(claim, pod) ? undefined : 'resourceclaim in use'
    const { namespace, name } = claim.metadata
    if (binder.isPending(claim)) return `resource claim ${namespace}/${name} is in the process of being allocated`
    return missingClass(claim, each => devices.class(each))
  }

  function usageNow(): Usage {
    const allocations = [...devices.claims.list().flatMap(({ status }) => status.allocation ?? []), ...binder.pending()]
    return usageBy(allocations.flatMap(allocation => allocation.devices.results ?? []))
  }

  return {
    filter(node) {
      if (open.length > 0) {
        const pools = poolsOn(node, slices, devices.taintRules())
        const found = allocate(open, wanted, { node: node.name, pools, ...usage })
        if (!found) return rejectForGood('cannot allocate all claims')
        plans.set(node.name, found)
      }
      const unusable = allocated.filter(({ claim, isAt }) => !isAt(node) || isStuck(claim, binder.now()))
      for (const { claim } of unusable) useless.add(claim)
      return unusable.length === 0 ? undefined : rejectForGood('resourceclaim not available on the node')
    },
    help() {
      const claim = [...useless].find(one => isAtDisposalOf(one, pod))
      return claim && { message: 'deallocation of ResourceClaim completed', carryOut: () => binder.deallocate(claim, pod) }
    },
    reserve(node) {
      const plan = plans.get(node.name) ?? []
      const planned = claims.map((claim): PlannedClaim => {
        const choices = plan[open.indexOf(claim)]
        return { claim, allocation: choices && allocationResult(claim, choices, node.name, () => binder.newShareId()) }
      })
      return binder.reserve(pod, node.name, planned)
    },
    score: () => ({
      score: node => likingOf(wanted, plans.get(node.name) ?? []),
      normalize: scores => scale(scores, false)
    })
  }
}

/** How much alternatives are liked that a plan has: the first of a request most. */
function likingOf(wanted: readonly Wanted[], plan: readonly (readonly Choice[])[]): number {
  let sum = 0
  for (const { claim, alternatives } of wanted) {
    const names = new Set(plan[claim]?.map(({ alternative }) => alternative.name))
    const chosen = alternatives.findIndex(({ name }) => name.includes('/') && names.has(name))
    if (chosen >= 0) sum += mostAlternatives - chosen
  }
  return sum
}
