import type { DeviceRequest, ResourceClaim } from '../../apimachinery/api/generated/resource-v1.js'
import { addQuantities } from '../../util/quantity.js'
import { countEvaluator, type Evaluator, type Usage } from './evaluator.js'

const suffix = '.deviceclass.resource.k8s.io/devices'
/** The most devices that a request for all of them can get. */
const mostDevices = 32
const { matches, usage: count, inScope } = countEvaluator({ group: 'resource.k8s.io', resource: 'resourceclaims' })

export const resourceClaimEvaluator: Evaluator = {
  matches: name => matches(name) || name.endsWith(suffix),
  inScope,
  usage(claim: ResourceClaim, now) {
    const usage: Usage = count(claim, now)
    for (const request of claim.spec.devices?.requests ?? [])
      for (const [className, count] of mostByClass(request))
        usage[className + suffix] = addQuantities(usage[className + suffix] ?? '0', String(count))
    return usage
  },
  isCharged: (_operation, subresource) => subresource === ''
}

/** Each class is charged for the alternative that uses most of its devices. */
function mostByClass({ exactly, firstAvailable }: DeviceRequest): Map<string, number> {
  const most = new Map<string, number>()
  for (const { deviceClassName, allocationMode, count } of exactly ? [exactly] : (firstAvailable ?? [])) {
    const devices = allocationMode === 'All' ? mostDevices : Number(count ?? 1)
    most.set(deviceClassName, Math.max(devices, most.get(deviceClassName) ?? 0))
  }
  return most
}
