import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { DeviceClass, DeviceRequest, ResourceClaim } from '../../apimachinery/api/generated/resource-v1.js'
import { addQuantities, compareQuantities, subtractQuantities } from '../../util/quantity.js'
import { implicitResource, isForExtendedResources, mayBeOfClass } from '../resource/class-resources.js'
import { countEvaluator, type Evaluator, type Usage } from './evaluator.js'
import { podEvaluator } from './pods.js'

const suffix = '.deviceclass.resource.k8s.io/devices'
/** The most devices that a request for all of them can get. */
const mostDevices = 32
const { matches, usage: countOf, inScope } = countEvaluator({ group: 'resource.k8s.io', resource: 'resourceclaims' })

/** What else there is, as far as it decides what a claim uses. */
export interface AroundClaims {
  classes(): readonly DeviceClass[]
  /** The extended resources that all classes provide: a quota may have many names, and there may be many classes. */
  provided(): ReadonlySet<string>
  pod(namespace: string, name: string): Pod | undefined
  /** The claims of a namespace. */
  claims(namespace: string): readonly ResourceClaim[]
}

/**
 * Devices are charged by their class, and as the extended resources that the class provides, less what the Pod for which kube-scheduler made the
 * claim has been charged (KEP-5004).
 */
export const resourceClaimEvaluator = (around: AroundClaims): Evaluator => ({
  matches: name => matches(name) || name.endsWith(suffix) || isProvided(name, around),
  inScope,
  usage(claim: ResourceClaim, now) {
    const usage: Usage = countOf(claim, now)
    const devices: Usage = {}
    for (const request of claim.spec.devices?.requests ?? [])
      for (const [className, count] of mostByClass(request))
        devices[className] = addQuantities(devices[className] ?? '0', String(count))
    const classNames = Object.keys(devices)
    if (classNames.length === 0) return usage

    for (const className of classNames) usage[className + suffix] = devices[className]!
    const charged = ofPod(claim, around, now)
    const extended: Usage = {}
    for (const className of classNames) extended[`requests.${implicitResource(className)}`] = devices[className]!
    for (const { metadata, spec } of around.classes()) {
      const amount = devices[metadata.name!]
      if (amount !== undefined && spec.extendedResourceName) extended[`requests.${spec.extendedResourceName}`] = amount
    }
    for (const [name, amount] of Object.entries(extended)) {
      const left = subtractQuantities(amount, charged[name] ?? '0')
      if (compareQuantities(left, '0') > 0) usage[name] = left
    }
    return usage
  },
  isCharged: (_operation, subresource) => subresource === ''
})

/** Whether devices of a class provide the extended resource that the name of a quota limits. */
function isProvided(name: string, { provided }: AroundClaims): boolean {
  if (!name.startsWith('requests.')) return false
  const resource = name.slice('requests.'.length)
  return mayBeOfClass(resource) && provided().has(resource)
}

/** What the Pod has been charged for which kube-scheduler made the claim: the one that its status names, and until then the oldest. */
function ofPod(claim: ResourceClaim, { pod: podOf, claims }: AroundClaims, now: number): Usage {
  const owner = ownerOf(claim)
  const { name = '', namespace = '' } = claim.metadata
  const pod = owner && podOf(namespace, owner.name)
  if (!pod || pod.metadata.uid !== owner.uid) return {}
  const { extendedResourceClaimStatus: made } = pod.status
  const isTheOne = made
    ? made.resourceClaimName === name
    : claims(namespace).every(other => ownerOf(other)?.uid !== owner.uid || ageText(other) >= ageText(claim))
  return isTheOne ? podEvaluator.usage(pod, now) : {}
}

/** Sorts claims by their age, and then by their names. */
const ageText = ({ metadata }: ResourceClaim) => `${metadata.creationTimestamp} ${metadata.name}`

const ownerOf = (claim: ResourceClaim) =>
  isForExtendedResources(claim)
    ? claim.metadata.ownerReferences?.find(
        ({ controller, kind, apiVersion }) => controller && kind === 'Pod' && apiVersion === 'v1'
      )
    : undefined

/** Each class is charged for the alternative that uses most of its devices. */
function mostByClass({ exactly, firstAvailable }: DeviceRequest): Map<string, number> {
  const most = new Map<string, number>()
  for (const { deviceClassName, allocationMode, count } of exactly ? [exactly] : (firstAvailable ?? [])) {
    const devices = allocationMode === 'All' ? mostDevices : Number(count ?? 1)
    most.set(deviceClassName, Math.max(devices, most.get(deviceClassName) ?? 0))
  }
  return most
}
