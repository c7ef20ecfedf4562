/** resource.k8s.io/v1beta1, where a request is flat and a device lies one level deeper. Later versions are alike. */

import type { Device, DeviceClaim, DeviceRequest, ResourceSliceSpec } from '../../api/generated/resource-v1.js'
import type {
  BasicDevice,
  DeviceClaim as OldClaim,
  Device as OldDevice,
  DeviceRequest as OldRequest,
  ResourceSliceSpec as OldSliceSpec
} from '../../api/generated/resource-v1beta1.js'

export const claimToStorage = (claim: OldClaim): DeviceClaim => ({
  ...claim,
  requests: claim.requests?.map(requestToStorage) ?? null
})
export const claimFromStorage = (claim: DeviceClaim): OldClaim => ({
  ...claim,
  requests: claim.requests?.map(requestFromStorage) ?? null
})

function requestToStorage({ name, firstAvailable, ...exactly }: OldRequest): DeviceRequest {
  // alternatives stand beside an exact request only in what validation refuses
  if (!firstAvailable?.length) return { name, exactly }
  return exactly.deviceClassName === '' && Object.keys(exactly).length === 1
    ? { name, firstAvailable }
    : { name, exactly, firstAvailable }
}

function requestFromStorage({ name, exactly, firstAvailable }: DeviceRequest): OldRequest {
  return { name, ...(exactly ?? { deviceClassName: '' }), ...(firstAvailable ? { firstAvailable } : {}) }
}

export function sliceToStorage({ devices, ...spec }: OldSliceSpec): ResourceSliceSpec {
  return devices ? { ...spec, devices: devices.map(({ name, basic }): Device => ({ name, ...basic })) } : spec
}

export function sliceFromStorage({ devices, ...spec }: ResourceSliceSpec): OldSliceSpec {
  return devices
    ? { ...spec, devices: devices.map(({ name, ...basic }): OldDevice => ({ name, basic: basic satisfies BasicDevice })) }
    : spec
}
