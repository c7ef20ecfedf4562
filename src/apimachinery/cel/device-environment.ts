/**
 * The environment for the selectors of device requests
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#deviceclass).
 */
import type { EstimateSize } from './cost/estimate.js'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { quantityType } from './library/quantities.js'
import { anyType, boolType, mapType, objectType, stringType, type Type } from './types.js'

/** An attribute is a string, an integer, a boolean or a version. */
export const attributeType = anyType

const byDomain = (value: Type) => mapType(stringType, mapType(stringType, value))
export const deviceType = objectType(
  'kubernetes.DRADevice',
  new Map([
    ['driver', stringType],
    ['allowMultipleAllocations', boolType],
    ['attributes', byDomain(attributeType)],
    ['capacity', byDomain(quantityType)]
  ])
)

export const deviceEnvironment = kubernetesEnvironment.withBindings().extend(new Map([['device', deviceType]]), [deviceType])

// the API's limits on names, on their number, and on the value of an attribute
const maxDomain = 63
const maxId = 32
const maxPerDevice = 32
const maxValue = 64
const maxSizes: Readonly<Record<string, number>> = {
  driver: maxDomain,
  allowMultipleAllocations: 1,
  attributes: maxPerDevice,
  'attributes.@keys': maxDomain,
  'attributes.@values': maxPerDevice,
  'attributes.@values.@keys': maxId,
  'attributes.@values.@values': maxValue,
  capacity: maxPerDevice,
  'capacity.@keys': maxDomain,
  'capacity.@values': maxPerDevice,
  'capacity.@values.@keys': maxId
}

/** The maximum sizes of the parts of a device. */
export const deviceSizes: EstimateSize = ([root, field = '', entry, value, ...more]) => {
  if (root !== 'device' || more.length > 0) return undefined
  // `attributes["x"].name` and `attributes["x"]["name"]` are the same value of the map
  const named = field === 'attributes' && value !== undefined && !value.startsWith('@')
  const path = [field, entry, named ? '@values' : value].filter(part => part !== undefined).join('.')
  return Object.hasOwn(maxSizes, path) ? { min: 0, max: maxSizes[path]! } : undefined
}
