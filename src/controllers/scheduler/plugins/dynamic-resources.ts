import type { ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import type { ClusterObjects } from '../cluster-objects.js'
import { allocate, type Choice } from '../devices/allocate.js'
import { allocationResult } from '../devices/allocation-result.js'
import { isStuck } from '../devices/binding-conditions.js'
import type { ClaimBinder, PlannedClaim } from '../devices/claim-binder.js'
import { canBeReserved, claimsOfPod, isAtDisposalOf, isReservedFor, refersTo } from '../devices/claims-of-pod.js'
import { type ClaimToMake, ExtendedClaim } from '../devices/extended-claim.js'
import { poolsOn, slicesByPool } from '../devices/pools.js'
import { missingClass, type Wanted, wantedBy } from '../devices/requests.js'
import { type Usage, usageBy } from '../devices/shares.js'
import { nodeMatcher } from '../node-selector.js'
import type { NodeState } from '../node-state.js'
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
  check: (info, { objects }) =>
    info.pod.spec.resourceClaims?.length || info.requests.extended.length > 0 ? checkOf(info, objects, binder) : undefined,
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

/** What is to be allocated on Nodes of one sort. */
interface Search {
  /** The claim that is to be made for extended resources comes last. */
  readonly open: readonly ResourceClaim[]
  readonly wanted: readonly Wanted[]
  readonly toMake: ClaimToMake | undefined
}

interface Plan {
  readonly search: Search
  /** By the place of the claim in the search. */
  readonly choices: readonly (readonly Choice[])[]
}

function checkOf(info: PodInfo, objects: ClusterObjects, binder: ClaimBinder): Check | Rejection | undefined {
  const { pod } = info
  const { devices } = objects
  const claims = claimsOfPod(pod, devices.claims)
  if (typeof claims === 'string') return rejectForGood(claims)
  const extended = ExtendedClaim.for(info, devices)
  if (claims.length === 0 && !extended) return undefined
  const problem = claims.map(claim => problemOf(claim)).find(found => found !== undefined)
  if (problem) return rejectForGood(problem)
  const allocated = claims.flatMap(claim => {
    const { allocation } = claim.status
    return allocation ? [{ claim, isAt: allocation.nodeSelector ? nodeMatcher(allocation.nodeSelector) : () => true }] : []
  })
  /** The claims whose devices a Node was refused for. */
  const useless = new Set<ResourceClaim>()
  const open = claims.filter(({ status }) => !status.allocation)
  const withoutExtended = searchFor(open, undefined)
  const searches = new Map<ClaimToMake, Search>()
  const usage = usageNow()
  const slices = open.length > 0 || extended ? slicesByPool(devices.slices()) : []
  /** By the name of the Node. */
  const plans = new Map<string, Plan>()

  function problemOf(claim: ResourceClaim): string | undefined {
    if (claim.status.allocation) return canBeReserved(claim) || isReservedFor(claim, pod) ? undefined : 'resourceclaim in use'
    const { namespace, name } = claim.metadata
    if (binder.isPending(claim)) return `resource claim ${namespace}/${name} is in the process of being allocated`
    return missingClass(claim, each => devices.class(each))
  }

  function usageNow(): Usage {
    // by uid: what is about to be written may be there already
    const allocations = new Map(binder.pending())
    for (const { metadata, status } of devices.claims.list())
      if (status.allocation) allocations.set(metadata.uid!, status.allocation)
    return usageBy([...allocations.values()].flatMap(allocation => allocation.devices.results ?? []))
  }
  function searchFor(open: readonly ResourceClaim[], toMake: ClaimToMake | undefined): Search {
    return { open, wanted: wantedBy(open, name => devices.class(name)), toMake }
  }
  function searchOn(node: NodeState): Search {
    const toMake = extended?.on(node)
    if (!toMake) return withoutExtended
    let search = searches.get(toMake)
    if (!search) searches.set(toMake, (search = searchFor([...open, toMake.claim], toMake)))
    return search
  }

  return {
    filter(node) {
      if (extended?.leftOver) return rejectForGood('cannot schedule extended resource claim')
      const search = searchOn(node)
      if (search.open.length > 0) {
        const pools = poolsOn(node, slices, devices.taintRules())
        const { hasFractions } = devices
        const choices = allocate(search.open, search.wanted, { node: node.name, pools, hasFractions, ...usage })
        if (!choices)
          return rejectForGood(
            pools.some(({ isInvalid }) => isInvalid) ? 'invalid resource pools were encountered' : 'cannot allocate all claims'
          )
        plans.set(node.name, { search, choices })
      }
      const unusable = allocated.filter(({ claim, isAt }) => !isAt(node) || isStuck(claim, binder.now()))
      for (const { claim } of unusable) useless.add(claim)
      return unusable.length === 0 ? undefined : rejectForGood('resourceclaim not available on the node')
    },
    help() {
      const leftOver = extended?.leftOver
      if (leftOver) return { message: 'deletion of ResourceClaim completed', carryOut: () => binder.remove(leftOver) }
      const claim = [...useless].find(one => isAtDisposalOf(one, pod))
      return claim && { message: 'deallocation of ResourceClaim completed', carryOut: () => binder.deallocate(claim, pod) }
    },
    reserve(node) {
      const { search, choices } = plans.get(node.name) ?? { search: withoutExtended, choices: [] }
      const planned = [...claims, ...(search.toMake ? [search.toMake.claim] : [])].map((claim): PlannedClaim => {
        const chosen = choices[search.open.indexOf(claim)]
        const allocation = chosen && allocationResult(claim, chosen, node.name, () => binder.newShareId())
        return { claim, allocation, mappings: claim === search.toMake?.claim ? search.toMake.mappings : undefined }
      })
      return planned.length > 0 ? binder.reserve(pod, node.name, planned) : undefined
    },
    score: () => ({
      score: node => likingOf(plans.get(node.name)),
      normalize: scores => scale(scores, false)
    })
  }
}

/** How much alternatives are liked that a plan has: the first of a request most. */
function likingOf(plan: Plan | undefined): number {
  if (!plan) return 0
  let sum = 0
  for (const { claim, alternatives } of plan.search.wanted) {
    const names = new Set(plan.choices[claim]?.map(({ alternative }) => alternative.name))
    const chosen = alternatives.findIndex(({ name }) => name.includes('/') && names.has(name))
    if (chosen >= 0) sum += mostAlternatives - chosen
  }
  return sum
}
