/** Validates the devices that a driver offers in a ResourceSlice. */
import type {
  CounterSet,
  Device,
  DeviceAttribute,
  DeviceCounterConsumption,
  DeviceTaint
} from '../../apimachinery/api/generated/resource-v1.js'
import { asGiven } from '../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { isDns1123Label, isDns1123Subdomain, isLabelValue, isQualifiedName } from '../../apimachinery/validation/names.js'
import { equalJson } from '../../util/json.js'
import { validateNodeSelector } from '../core/pod/affinity-validation.js'
import { validateBindingConditions } from './binding-conditions.js'
import { validateCapacity } from './device-capacity.js'
import { deviceTaintEffects } from './device-request.js'
import { validateList, validateMap, validateSet } from './lists.js'
import { validateNodeResources } from './node-resources.js'
import { maxQualifiedName, validateQualifiedName } from './qualified-name.js'

const maxAttributesAndCapacities = 32
const maxAttributeValues = 48
const maxTextLength = 64
const maxTaints = 16
const maxCounters = 32
const maxConsumptions = 2
const maxLabel = 63
const number = '(?:0|[1-9]\\d*)'
const preRelease = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const build = '[0-9a-zA-Z-]+'
const semver = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-${preRelease}(?:\\.${preRelease})*)?(?:\\+${build}(?:\\.${build})*)?$`
)

const lists = ['bools', 'ints', 'strings', 'versions'] as const
const listed = (attribute: DeviceAttribute) => lists.reduce((n, list) => n + (attribute[list]?.length ?? 0), 0)

export function validateDevice(device: Device, old: Device | undefined, perDevice: boolean, at: Path, errors: FieldErrors): void {
  for (const e of isDns1123Label(device.name)) errors.invalid(at.child('name'), device.name, e)
  const { attributes = {}, capacity = {} } = device
  const total = Object.keys(attributes).length + Object.keys(capacity).length
  if (total > maxAttributesAndCapacities)
    errors.invalid(at, total, `the total number of attributes and capacities must not exceed ${maxAttributesAndCapacities}`)
  const values = Object.values(attributes).reduce((n, attribute) => n + (listed(attribute) || 1), 0)
  if (values > maxAttributeValues)
    errors.invalid(at, values, `the total number of attribute values must not exceed ${maxAttributeValues}`)
  validateMap(attributes, maxQualifiedName, at.child('attributes'), errors, validateQualifiedName, (attribute, path) =>
    validateAttribute(attribute, path, errors)
  )
  // what is stored was valid
  if (!old || !equalJson(capacity, old.capacity ?? {}))
    validateMap(capacity, maxQualifiedName, at.child('capacity'), errors, validateQualifiedName, (value, path) =>
      validateCapacity(value, device.allowMultipleAllocations ?? false, path, errors)
    )
  validateList(device.taints, maxTaints, at.child('taints'), errors, (taint, path) => validateTaint(taint, path, errors))
  validateSet(
    device.consumesCounters,
    maxConsumptions,
    consumption => consumption.counterSet,
    at.child('consumesCounters'),
    errors,
    (consumption, path) => validateConsumption(consumption, path, errors)
  )
  validateNodes(device, perDevice, at, errors)
  validateBindingConditions(device, at, errors)
  validateNodeResources(device, at.child('nodeAllocatableResources'), errors)
}

const unset = 'must be either unset or set to true'

function validateNodes(device: Device, perDevice: boolean, at: Path, errors: FieldErrors): void {
  const { nodeName, nodeSelector, allNodes } = device
  if (!perDevice) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return
    const why = '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true'
    return errors.invalid(at, null, `${why} in the ResourceSlice spec`)
  }
  const ways: string[] = []
  if (nodeName === '') errors.invalid(at.child('nodeName'), nodeName, 'must not be empty')
  else if (nodeName !== undefined) {
    ways.push('`nodeName`')
    for (const e of isDns1123Subdomain(nodeName)) errors.invalid(at.child('nodeName'), nodeName, e)
  }
  if (nodeSelector) {
    ways.push('`nodeSelector`')
    validateNodeSelector(nodeSelector, at.child('nodeSelector'), errors)
  }
  if (allNodes) ways.push('`allNodes`')
  else if (allNodes === false) errors.invalid(at.child('allNodes'), allNodes, unset)
  const why =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
  if (ways.length === 0) errors.required(at, why)
  else if (ways.length > 1) errors.invalid(at, `{${ways.join(', ')}}`, why)
}

function validateAttribute(attribute: DeviceAttribute, path: Path, errors: FieldErrors): void {
  const { string, version } = attribute
  if (string !== undefined) validateText(string, path.child('string'), errors)
  if (version !== undefined) validateVersion(version, path.child('version'), errors)
  const shown = asGiven(attribute)
  for (const field of ['bools', 'ints', 'strings', 'versions'] as const) {
    const list = shown[field]
    if (list?.length === 0) errors.invalid(path.child(field), list, 'must not be empty if specified')
    const validate = { strings: validateText, versions: validateVersion }[field as string]
    if (validate) list?.forEach((text, i) => void validate(text as string, path.child(field).index(i), errors))
  }
  const count = Object.keys(shown).length
  const value = count === 0 ? '' : internalText('resource.v1.DeviceAttribute', shown)
  if (count !== 1) errors.invalid(path, value, 'exactly one value must be specified')
}

function validateText(text: string, path: Path, errors: FieldErrors): void {
  if (Buffer.byteLength(text) > maxTextLength) errors.tooLong(path, maxTextLength)
}

function validateVersion(text: string, path: Path, errors: FieldErrors): void {
  if (!semver.test(text)) errors.invalid(path, text, 'must be a string compatible with semver.org spec 2.0.0')
  validateText(text, path, errors)
}

export function validateTaint({ key, value = '', effect }: DeviceTaint, at: Path, errors: FieldErrors): void {
  for (const e of isQualifiedName(key)) errors.invalid(at.child('key'), key, e)
  if (value !== '') for (const e of isLabelValue(value)) errors.invalid(at.child('value'), value, e)
  if (effect === '') errors.required(at.child('effect'))
  else if (!deviceTaintEffects.includes(effect)) errors.notSupported(at.child('effect'), effect, deviceTaintEffects)
}

export function validateCounterSet({ name, counters }: CounterSet, at: Path, errors: FieldErrors): void {
  validateCounters(name, at.child('name'), counters, at.child('counters'), errors)
}

function validateConsumption({ counterSet, counters }: DeviceCounterConsumption, at: Path, errors: FieldErrors): void {
  validateCounters(counterSet, at.child('counterSet'), counters, at.child('counters'), errors)
}

function validateCounters(
  set: string,
  path: Path,
  counters: CounterSet['counters'] | undefined,
  at: Path,
  errors: FieldErrors
): void {
  if (set === '') errors.required(path)
  else for (const e of isDns1123Label(set)) errors.invalid(path, set, e)
  const names = Object.keys(counters ?? {})
  if (names.length === 0) errors.required(at)
  else if (names.length > maxCounters) errors.tooMany(at, names.length, maxCounters)
  else validateMap(counters!, maxLabel, at, errors, validateLabel)
}

function validateLabel(name: string, path: Path, errors: FieldErrors): void {
  for (const e of isDns1123Label(name)) errors.invalid(path, name, e)
}
