/** Validates the requests and limits of containers. */

import type { ResourceRequirements } from '../../../apimachinery/api/generated/core-v1.js'
import { quantityIn } from '../../../apimachinery/schema/read-quantities.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Label } from '../../../apimachinery/validation/names.js'
import { sortedEntries } from '../../../util/go-format.js'
import { compareQuantities, integerValue, milliValue, parseQuantity, QuantityError } from '../../../util/quantity.js'
import {
  canBeOvercommitted,
  isContainerResource,
  isCountedWhole,
  isExtendedResource,
  isHugePages,
  isNativeResource,
  validateResourceName
} from '../resource-names.js'

const inOrder = (list: Record<string, string> | undefined) => sortedEntries(list ?? {})

type NameRule = (name: string, path: Path, errors: FieldErrors) => void

export function validateContainerResources(
  resources: ResourceRequirements,
  claims: readonly string[],
  path: Path,
  errors: FieldErrors
): void {
  validateResources(resources, claims, validateContainerResourceName, path, errors)
}

export function validateResources(
  resources: ResourceRequirements,
  claims: readonly string[],
  validateName: NameRule,
  path: Path,
  errors: FieldErrors
): void {
  const { limits, requests } = resources
  for (const [name] of inOrder(limits)) {
    const at = path.child('limits').key(name)
    validateName(name, at, errors)
    validateQuantity(limits!, name, at, errors)
    if (isHugePages(name)) validateHugePages(limits!, name, at, errors)
  }
  for (const [name, quantity] of inOrder(requests)) {
    const at = path.child('requests').key(name)
    validateName(name, at, errors)
    validateQuantity(requests!, name, at, errors)
    const limit = limits && Object.hasOwn(limits, name) ? limits[name]! : undefined
    if (limit !== undefined) validateAgainstLimit(name, quantity, limit, path.child('requests'), errors)
    else if (!canBeOvercommitted(name))
      errors.required(path.child('limits'), 'Limit must be set for non overcommitable resources')
    if (isHugePages(name)) validateHugePages(requests!, name, at, errors)
  }
  const names = [...Object.keys(limits ?? {}), ...Object.keys(requests ?? {})]
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    errors.forbidden(path, 'HugePages require cpu or memory')
  validateClaims(resources, claims, path.child('claims'), errors)
}

export function validateContainerResourceName(name: string, path: Path, errors: FieldErrors): void {
  validateResourceName(name, path, errors)
  if (!name.includes('/')) {
    if (!isContainerResource(name)) errors.invalid(path, namedText(name), 'must be a standard resource for containers')
  } else if (!isNativeResource(name) && !isExtendedResource(name))
    errors.invalid(path, namedText(name), "doesn't follow extended resource name standard")
}

function validateAgainstLimit(name: string, quantity: string, limit: string, path: Path, errors: FieldErrors): void {
  const order = compareQuantities(quantity, limit)
  if (order !== 0 && !canBeOvercommitted(name)) errors.invalid(path, quantity, `must be equal to ${name} limit of ${limit}`)
  else if (order > 0) errors.invalid(path, quantity, `must be less than or equal to ${name} limit of ${limit}`)
}

/** Validates a quantity of a list: not negative, and a whole number for resources that are counted. Most beyond 8 Pi overflow in Go, and count as fractions. */
export function validateQuantity(list: Record<string, string>, name: string, path: Path, errors: FieldErrors): void {
  const quantity = list[name]!
  const value = quantityIn(list, name)
  if (value.mantissa < 0n) errors.invalid(path, quantity, 'must be greater than or equal to 0')
  if (isCountedWhole(name) && milliValue(value) % 1000n !== 0n) errors.invalid(path, quantity, 'must be an integer')
}

/** Requires a whole number of huge pages of the size in the resource's name. */
function validateHugePages(list: Record<string, string>, name: string, path: Path, errors: FieldErrors): void {
  const size = pageSize(name)
  if (size === undefined || integerValue(quantityIn(list, name)) % size !== 0n)
    errors.invalid(path, list[name], `${list[name]} is not positive integer multiple of ${name}`)
}

function pageSize(name: string): bigint | undefined {
  try {
    const size = parseQuantity(name.slice('hugepages-'.length))
    return size.mantissa > 0n && milliValue(size) % 1000n === 0n ? integerValue(size) || undefined : undefined
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

function validateClaims(resources: ResourceRequirements, claims: readonly string[], path: Path, errors: FieldErrors): void {
  const known = new Set(claims)
  const seen = new Set<string>()
  /** The number of named requests by claim. */
  const requested = new Map<string, number>()
  for (const [i, { name, request }] of (resources.claims ?? []).entries()) {
    const at = path.index(i)
    if (!name) {
      errors.required(at)
      continue
    }
    if (seen.has(name)) errors.duplicate(at, name)
    else {
      if (request) for (const e of isDns1123Label(request)) errors.invalid(at.child('request'), request, e)
      const key = request ? `${name}/${request}` : name
      if (seen.has(key)) errors.duplicate(at, key)
      // the entry names the whole claim after some of its requests
      else if (!request) for (let n = requested.get(name) ?? 0; n > 0; n--) errors.duplicate(at, name)
      else requested.set(name, (requested.get(name) ?? 0) + 1)
      seen.add(key)
    }
    if (known.has(name)) continue
    const names = claims.length === 0 ? ' which is empty' : `: ${claims.toSorted().join(', ')}`
    errors.notFound(at, name, `must be one of the names in pod.spec.resourceClaims${names}`)
  }
}
