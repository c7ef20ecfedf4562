/**
 * Devices that are made ready after they have been chosen: a Pod is bound when their binding conditions are true (KEP-5007,
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#device-binding-conditions).
 */
import type { DeviceRequestAllocationResult, ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'

/** Milliseconds from the allocation after which a device that is not ready is given back. */
export const bindingTimeoutMs = 600_000

const resultsOf = ({ status }: ResourceClaim) => status.allocation?.devices.results ?? []
const conditionsOf = ({ bindingConditions }: DeviceRequestAllocationResult) => bindingConditions ?? []

export const hasBindingConditions = (claim: ResourceClaim): boolean =>
  resultsOf(claim).some(result => conditionsOf(result).length > 0)

/** Whether all devices of an allocated claim are ready. Throws when one of them never will be. */
export function isReadyForBinding(claim: ResourceClaim): boolean {
  if (!claim.status.allocation) return false
  for (const result of resultsOf(claim)) {
    if (conditionsOf(result).length === 0) continue
    const { driver, pool, device, shareID } = result
    const status = claim.status.devices?.find(
      one => one.driver === driver && one.pool === pool && one.device === device && one.shareID === shareID
    )
    if (!status) return false
    const isTrue = (type: string) => status.conditions?.find(one => one.type === type && one.status === 'True')
    const failed = result.bindingFailureConditions?.map(isTrue).find(found => found !== undefined)
    if (failed) {
      const { reason, message } = failed
      throw new Error(
        `device binding failed: claim=${claim.metadata.name}, reason=${reason}, message=${JSON.stringify(message ?? '')}`
      )
    }
    if (!conditionsOf(result).every(isTrue)) return false
  }
  return true
}

/** When the claim has waited too long, in milliseconds since 1970; undefined where it waits for nothing. */
export function bindingDeadline(claim: ResourceClaim): number | undefined {
  const since = claim.status.allocation?.allocationTimestamp
  return since && hasBindingConditions(claim) ? Date.parse(since) + bindingTimeoutMs : undefined
}

export const bindingTimedOut = ({ metadata }: ResourceClaim): Error => new Error(`device binding timeout: claim=${metadata.name}`)

/** Whether an allocated claim keeps its Pod from every Node until it is deallocated. */
export function isStuck(claim: ResourceClaim, now: number): boolean {
  try {
    return !isReadyForBinding(claim) && now > (bindingDeadline(claim) ?? Number.POSITIVE_INFINITY)
  } catch {
    return true
  }
}
