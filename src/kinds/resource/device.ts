/** Devices that a driver offers in a ResourceSlice. */
import type { CounterSet, Device, DeviceAttribute, DeviceTaint } from '../../api/generated/resource-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Label, isLabelValue, isQualifiedName } from '../../validation/names.js'
import { deviceTaintEffects } from './device-request.js'
import { validateSet } from './lists.js'
import { validateQualifiedName } from './qualified-name.js'

const maxAttributesAndCapacities = 32
const maxTextLength = 64
const maxTaints = 16
const maxCounters = 32
const semver = /^(0|[1-9]\d{0,19})\.(0|[1-9]\d{0,19})\.(0|[1-9]\d{0,19})(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

export function validateDevice(device: Device, at: Path, errors: FieldErrors): void {
  for (const e of isDns1123Label(device.name)) errors.invalid(at.child('name'), device.name, e)
  const attributes = Object.entries(device.attributes ?? {})
  const capacities = Object.keys(device.capacity ?? {})
  if (attributes.length + capacities.length > maxAttributesAndCapacities) {
    errors.invalid(
      at,
      attributes.length + capacities.length,
      `the total number of attributes and capacities must not exceed ${maxAttributesAndCapacities}`
    )
  }
  for (const [name, attribute] of attributes) {
    const path = at.child('attributes').key(name)
    validateQualifiedName(name, path, errors)
    validateAttribute(attribute, path, errors)
  }
  for (const name of capacities) validateQualifiedName(name, at.child('capacity').key(name), errors)
  validateSet(
    device.taints,
    maxTaints,
    taint => `${taint.key}:${taint.effect}`,
    at.child('taints'),
    errors,
    (taint, path) => validateTaint(taint, path, errors)
  )
}

function validateAttribute(attribute: DeviceAttribute, path: Path, errors: FieldErrors): void {
  const given = Object.keys(attribute)
  if (given.length !== 1) errors.invalid(path, attribute, 'exactly one value must be specified')
  const { string, version } = attribute
  if (string !== undefined && string.length > maxTextLength) errors.tooLong(path.child('string'), maxTextLength)
  if (version === undefined) return
  if (version.length > maxTextLength) errors.tooLong(path.child('version'), maxTextLength)
  else if (!semver.test(version))
    errors.invalid(path.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0')
}

export function validateTaint({ key, value = '', effect }: DeviceTaint, at: Path, errors: FieldErrors): void {
  for (const e of isQualifiedName(key)) errors.invalid(at.child('key'), key, e)
  if (value !== '') for (const e of isLabelValue(value)) errors.invalid(at.child('value'), value, e)
  if (effect === '') errors.required(at.child('effect'))
  else if (!deviceTaintEffects.includes(effect)) errors.notSupported(at.child('effect'), effect, deviceTaintEffects)
}

export function validateCounterSet({ name, counters = {} }: CounterSet, at: Path, errors: FieldErrors): void {
  if (name === '') errors.required(at.child('name'))
  else for (const e of isDns1123Label(name)) errors.invalid(at.child('name'), name, e)
  const names = Object.keys(counters)
  if (names.length === 0) errors.required(at.child('counters'))
  if (names.length > maxCounters) errors.tooMany(at.child('counters'), names.length, maxCounters)
  for (const counter of names)
    for (const e of isDns1123Label(counter)) errors.invalid(at.child('counters').key(counter), counter, e)
}
