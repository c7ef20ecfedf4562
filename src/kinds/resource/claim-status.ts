/** Validates the status of a claim: allocation, consumers and devices. */
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference
} from '../../apimachinery/api/generated/resource-v1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText, goJson } from '../../apimachinery/validation/go-value.js'
import { validateInterfaceAddress } from '../../apimachinery/validation/ip.js'
import { isDns1123Label, isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import type { StrategyContext } from '../../registry/strategy-context.js'
import { validateNodeSelector } from '../core/pod/affinity-validation.js'
import { validateImmutableRaw } from '../immutable.js'
import { validateDriverName } from '../storage/driver-name.js'
import { validateAdminResults } from './admin-access.js'
import { validateBindingConditions } from './binding-conditions.js'
import { validateStatusAccess } from './claim-access.js'
import { requestNames, validateReference, validateReferences, validateToleration } from './device-request.js'
import { validateList, validateSet } from './lists.js'
import { validateSkippedOperations } from './node-operations.js'
import { validateOpaque, validateParameters } from './opaque-configuration.js'

const maxConsumers = 256
const maxResults = 32
const maxConfigurations = 64
const maxConditions = 8
const maxAddresses = 16
const maxInterfaceNameLength = 256
const maxHardwareAddressLength = 128

type DeviceId = Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device' | 'shareID'>

const idOf = ({ driver, pool, device, shareID = '' }: DeviceId) =>
  goJson({ Driver: driver, Pool: pool, Device: device, ShareID: shareID })
const allocatedDevices = ({ status }: ResourceClaim) => new Set(status.allocation?.devices.results?.map(idOf))

/** Drops the status of devices that are no longer allocated. */
export function dropReleasedDevices(claim: ResourceClaim, old: ResourceClaim): void {
  if (!claim.status.devices) return
  const now = allocatedDevices(claim)
  const before = allocatedDevices(old)
  const kept = claim.status.devices.filter(device => now.has(idOf(device)) || !before.has(idOf(device)))
  if (kept.length > 0) claim.status.devices = kept
  else delete claim.status.devices
}

export async function validateClaimStatus(
  claim: ResourceClaim,
  old: ResourceClaim,
  errors: FieldErrors,
  context: StrategyContext
): Promise<void> {
  const at = Path.of('status')
  validateAdminResults(claim.status.allocation?.devices.results, old.status.allocation?.devices.results, errors, context)
  await validateStatusAccess(claim, old, errors, context)
  const { allocation, reservedFor, devices } = claim.status
  validateSet(
    reservedFor,
    maxConsumers,
    consumer => consumer.uid,
    at.child('reservedFor'),
    errors,
    ({ resource, name, uid }, path) => {
      if (resource === '') errors.required(path.child('resource'))
      if (name === '') errors.required(path.child('name'))
      if (uid === '') errors.required(path.child('uid'))
    }
  )
  const allocated = allocatedDevices(claim)
  validateSet(
    devices,
    Infinity,
    idOf,
    at.child('devices'),
    errors,
    (device, path) => validateDevice(device, allocated, path, errors),
    id => new GoText(id)
  )
  if (reservedFor?.length && !allocation)
    errors.forbidden(at.child('reservedFor'), 'may not be specified when `allocated` is not set')
  else if (claim.metadata.deletionTimestamp) {
    const known = new Set(old.status.reservedFor?.map(consumerOf))
    if (reservedFor?.some(consumer => !known.has(consumerOf(consumer)))) {
      const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
      errors.forbidden(at.child('reservedFor'), why)
    }
  }
  if (allocation && old.status.allocation) {
    validateImmutableRaw(at.child('allocation'), 'resource.v1.AllocationResult', allocation, old.status.allocation, errors)
  } else if (allocation) validateAllocation(allocation, claim, at.child('allocation'), errors)
}

const consumerOf = ({ apiGroup = '', resource, name, uid }: ResourceClaimConsumerReference) =>
  JSON.stringify([apiGroup, resource, name, uid])

function validateAllocation(
  { devices: { results, config }, nodeSelector }: AllocationResult,
  claim: ResourceClaim,
  at: Path,
  errors: FieldErrors
): void {
  const names = requestNames(claim.spec.devices)
  const path = at.child('devices')
  validateList(results, maxResults, path.child('results'), errors, (result, place) => {
    validateReference(result.request, names, place.child('request'), errors)
    for (const e of isDns1123Label(result.device)) errors.invalid(place.child('device'), result.device, e)
    validateBindingConditions(result, place, errors)
    for (const [i, toleration] of (result.tolerations ?? []).entries())
      validateToleration(toleration, place.child('tolerations').index(i), errors)
    validateSkippedOperations(result.skipNodeOperations, place.child('skipNodeOperations'), errors)
  })
  validateList(config, maxConfigurations, path.child('config'), errors, ({ requests, opaque }, place) => {
    validateReferences(requests, names, place.child('requests'), errors)
    validateOpaque(opaque, place, errors)
  })
  if (nodeSelector) validateNodeSelector(nodeSelector, at.child('nodeSelector'), errors)
}

const maxPoolNameLength = 253

export function validatePoolName(name: string, path: Path, errors: FieldErrors): void {
  if (name === '') {
    errors.required(path)
    return
  }
  if (name.length > maxPoolNameLength) errors.tooLong(path, maxPoolNameLength)
  for (const part of name.split('/')) for (const e of isDns1123Subdomain(part)) errors.invalid(path, part, e)
}

function validateDevice(device: AllocatedDeviceStatus, allocated: ReadonlySet<string>, at: Path, errors: FieldErrors): void {
  validateDriverName(device.driver, at.child('driver'), errors)
  validatePoolName(device.pool, at.child('pool'), errors)
  for (const e of isDns1123Label(device.device)) errors.invalid(at.child('device'), device.device, e)
  if (!allocated.has(idOf(device))) errors.invalid(at, new GoText(idOf(device)), 'must be an allocated device in the claim')
  const conditions = device.conditions ?? []
  if (conditions.length > maxConditions) errors.tooMany(at.child('conditions'), conditions.length, maxConditions)
  validateConditions(conditions, at.child('conditions'), errors)
  if (device.data !== undefined) validateParameters(device.data, at.child('data'), errors)
  if (!device.networkData) return
  const { interfaceName = '', hardwareAddress = '', ips } = device.networkData
  const path = at.child('networkData')
  if (Buffer.byteLength(interfaceName) > maxInterfaceNameLength)
    errors.tooLong(path.child('interfaceName'), maxInterfaceNameLength)
  if (Buffer.byteLength(hardwareAddress) > maxHardwareAddressLength)
    errors.tooLong(path.child('hardwareAddress'), maxHardwareAddressLength)
  validateSet(
    ips,
    maxAddresses,
    ip => ip,
    path.child('ips'),
    errors,
    (ip, place) => {
      validateInterfaceAddress(ip, place, errors)
    }
  )
}
