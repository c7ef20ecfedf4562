/** Requests and limits. */
import type { ResourceRequirements } from '../../api/generated/core-v1.js'
import { compareQuantity, parseQuantity } from '../../util/quantity.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isQualifiedName } from '../../validation/names.js'

const standardContainerResources = new Set(['cpu', 'memory', 'ephemeral-storage'])
const hugePages = (name: string) => name.startsWith('hugepages-')
const native = (name: string) => !name.includes('/') || name.startsWith('kubernetes.io/')

/** Names under a domain, which are counted whole: "example.com/gpu". */
export const isExtendedResource = (name: string): boolean => !native(name) && !name.startsWith('requests.')

/** Whether more of a resource may be asked for in total than there is. */
const canBeOvercommitted = (name: string) => native(name) && !hugePages(name)

const inOrder = (list: Record<string, string> | undefined) => Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

export function validateResources(
  resources: ResourceRequirements,
  claims: readonly string[] | undefined,
  path: Path,
  errors: FieldErrors
): void {
  const { limits, requests } = resources
  let hasHugePages = false
  let hasCpuOrMemory = false
  const look = (name: string) => {
    if (hugePages(name)) hasHugePages = true
    if (name === 'cpu' || name === 'memory') hasCpuOrMemory = true
  }
  for (const [name, quantity] of inOrder(limits)) {
    const at = path.child('limits').key(name)
    validateResourceName(name, at, errors)
    validateQuantity(name, quantity, at, errors)
    look(name)
  }
  for (const [name, quantity] of inOrder(requests)) {
    const at = path.child('requests').key(name)
    validateResourceName(name, at, errors)
    validateQuantity(name, quantity, at, errors)
    look(name)
    const limit = limits && Object.hasOwn(limits, name) ? limits[name]! : undefined
    if (limit !== undefined) {
      const order = compareQuantity(parseQuantity(quantity), parseQuantity(limit))
      if (order !== 0 && !canBeOvercommitted(name))
        errors.invalid(path.child('requests'), quantity, `must be equal to ${name} limit of ${limit}`)
      else if (order > 0)
        errors.invalid(path.child('requests'), quantity, `must be less than or equal to ${name} limit of ${limit}`)
    } else if (!canBeOvercommitted(name))
      errors.required(path.child('limits'), 'Limit must be set for non overcommitable resources')
  }
  if (hasHugePages && !hasCpuOrMemory) errors.forbidden(path, 'HugePages require cpu or memory')
  if (claims) validateClaims(resources, claims, path.child('claims'), errors)
}

export function validateResourceName(name: string, path: Path, errors: FieldErrors): void {
  for (const e of isQualifiedName(name)) errors.invalid(path, name, e)
  if (name.includes('/') || standardContainerResources.has(name) || hugePages(name)) return
  if (name !== 'pods' && name !== 'storage') errors.invalid(path, name, 'must be a standard resource type or fully qualified')
  errors.invalid(path, name, 'must be a standard resource for containers')
}

/** A quantity of a resource of which there are only whole ones, or any amount but less than nothing. */
export function validateQuantity(name: string, quantity: string, path: Path, errors: FieldErrors): void {
  const value = parseQuantity(quantity)
  if (value.mantissa < 0n) errors.invalid(path, quantity, 'must be greater than or equal to 0')
  if (isExtendedResource(name) && value.exponent < 0 && value.mantissa % 10n ** BigInt(-value.exponent) !== 0n)
    errors.invalid(path, quantity, 'must be an integer')
}

function validateClaims(resources: ResourceRequirements, claims: readonly string[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  for (const [i, claim] of (resources.claims ?? []).entries()) {
    const at = path.index(i)
    if (!claim.name) {
      errors.required(at)
      continue
    }
    const key = claim.request === undefined ? claim.name : `${claim.name}/${claim.request}`
    if (seen.has(key)) errors.duplicate(at, key)
    seen.add(key)
    if (claims.includes(claim.name)) continue
    const names = claims.length === 0 ? ' which is empty' : `: ${claims.join(', ')}`
    errors.notFound(at, claim.name, `must be one of the names in pod.spec.resourceClaims${names}`)
  }
}
