/** Validates which of a node's own resources a device stands for or takes. */
import type { Device, NodeAllocatableMapping, NodeAllocatableOverhead } from '../../apimachinery/api/generated/resource-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { compareQuantities } from '../../util/quantity.js'

const isNodeResource = (name: string) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')
const sign = (quantity: string) => compareQuantities(quantity, '0')

export function validateNodeResources({ nodeAllocatableResources, capacity = {} }: Device, at: Path, errors: FieldErrors): void {
  for (const [name, { mapping, overhead }] of Object.entries(nodeAllocatableResources ?? {})) {
    const path = at.key(name)
    if (!isNodeResource(name)) errors.invalid(path, namedText(name), 'must be a node allocatable resource name')
    if (!mapping && !overhead) errors.required(path, 'at least one of mapping or overhead must be set')
    if (mapping) validateMapping(mapping, capacity, path.child('mapping'), errors)
    if (overhead) validateOverhead(overhead, path.child('overhead'), errors)
  }
}

function validateMapping(
  { capacityKey, capacityMultiplier, deviceMultiplier }: NodeAllocatableMapping,
  capacity: object,
  at: Path,
  errors: FieldErrors
): void {
  const path = { key: at.child('capacityKey'), multiplier: at.child('capacityMultiplier') }
  if (capacityKey !== undefined) {
    if (capacityKey === '') errors.invalid(path.key, '', 'capacityKey must not be an empty string')
    else if (!Object.hasOwn(capacity, capacityKey)) errors.notFound(path.key, namedText(capacityKey))
    if (capacityMultiplier === undefined)
      errors.required(path.multiplier, 'capacityMultiplier is required when capacityKey is set')
    else if (sign(capacityMultiplier) <= 0) errors.invalid(path.multiplier, capacityMultiplier, 'must be positive')
  }
  if (deviceMultiplier !== undefined && sign(deviceMultiplier) <= 0)
    errors.invalid(at.child('deviceMultiplier'), deviceMultiplier, 'must be positive')
  if (capacityMultiplier !== undefined && capacityKey === undefined)
    errors.required(path.key, 'capacityKey is required when capacityMultiplier is set')
}

function validateOverhead(overhead: NodeAllocatableOverhead, at: Path, errors: FieldErrors): void {
  if (overhead.perPod === undefined && overhead.perContainer === undefined) {
    errors.invalid(at, '', 'at least one of perPod or perContainer must be set')
    return
  }
  for (const field of ['perPod', 'perContainer'] as const) {
    const quantity = overhead[field]
    if (quantity !== undefined && sign(quantity) < 0) errors.invalid(at.child(field), quantity, 'must be non-negative')
  }
}
