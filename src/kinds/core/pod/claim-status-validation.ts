/** Validates what a Pod's status reports about its resource claims. */

import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { parseQuantity } from '../../../util/quantity.js'
import { isNativeResource } from '../resource-names.js'

export function validateClaimStatuses(pod: Pod, path: Path, errors: FieldErrors): void {
  validateClaims(pod, path.child('resourceClaimStatuses'), errors)
  validateExtendedResources(pod, path.child('extendedResourceClaimStatus'), errors)
  validateNodeResources(pod, path.child('nodeAllocatableResourceClaimStatuses'), errors)
}

function validateClaims({ spec, status }: Pod, path: Path, errors: FieldErrors): void {
  const names = new Set<string>()
  const claims = new Set(spec.resourceClaims?.map(claim => claim.name))
  status.resourceClaimStatuses?.forEach(({ name, resourceClaimName }, i) => {
    const at = path.index(i)
    if (!claims.has(name)) errors.invalid(at.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')
    if (names.has(name)) errors.duplicate(at.child('name'), name)
    names.add(name)
    if (resourceClaimName !== undefined)
      for (const e of isDns1123Subdomain(resourceClaimName)) errors.invalid(at.child('resourceClaimName'), resourceClaimName, e)
  })
}

/** Validates the status of extended resources for which a claim was created. */
function validateExtendedResources({ spec, status }: Pod, path: Path, errors: FieldErrors): void {
  const claim = status.extendedResourceClaimStatus
  if (!claim) return
  const containers = new Map([...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(c => [c.name, c]))
  const mappings = claim.requestMappings ?? []
  if (mappings.length === 0) errors.required(path.child('requestMappings'), 'at least one request mapping is required')
  const seen = new Set<string>()
  mappings.forEach(({ containerName, resourceName, requestName }, i) => {
    const at = path.child('requestMappings').index(i)
    const container = containers.get(containerName)
    const resources = 'spec.initContainers.resources.requests or spec.containers.resources.requests'
    if (!container)
      errors.invalid(
        at.child('containerName'),
        containerName,
        'must match the name of an entry in spec.initContainers.name or spec.containers.name'
      )
    else if (!Object.hasOwn(container.resources.requests ?? {}, resourceName))
      errors.invalid(at.child('resourceName'), resourceName, `must match the extended resource name of an entry in ${resources}`)
    for (const e of isDns1123Label(requestName)) errors.invalid(path.child('requestName'), requestName, e)
    const key = JSON.stringify([containerName, resourceName, requestName])
    if (seen.has(key)) {
      errors.duplicate(at.child('containerName'), containerName)
      errors.duplicate(at.child('resourceName'), resourceName)
      errors.duplicate(at.child('requestName'), requestName)
    }
    seen.add(key)
  })
  const name = claim.resourceClaimName
  if (!name) errors.required(path.child('resourceClaimName'))
  else for (const e of isDns1123Subdomain(name)) errors.invalid(path.child('resourceClaimName'), name, e)
}

/** Validates the status of the node's own resources that a claim provides. */
function validateNodeResources({ spec, status }: Pod, path: Path, errors: FieldErrors): void {
  const known = new Set([...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? [])].map(c => c.resourceClaimName))
  status.nodeAllocatableResourceClaimStatuses?.forEach(({ resourceClaimName, containers, mapping }, i) => {
    const at = path.index(i)
    if (!resourceClaimName) errors.required(at.child('resourceClaimName'), 'must not be empty')
    if (!known.has(resourceClaimName))
      errors.invalid(at.child('resourceClaimName'), resourceClaimName, 'no mapping found in pod reference')
    if (!containers?.length) errors.required(at.child('containers'), 'must not be empty')
    for (const { name, quantity } of mapping ?? []) {
      const place = at.child('mapping').key(name)
      if (!isNativeResource(name)) errors.invalid(place, namedText(name), 'must be a node allocatable resource name')
      if (quantity !== undefined && parseQuantity(quantity).mantissa < 0n) errors.invalid(place, quantity, 'must be non-negative')
    }
  })
}
