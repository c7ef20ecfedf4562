/** Converts resource.k8s.io/v1beta1, in which requests are flat and devices one level deeper, to the form of later versions. */

import type { Device, DeviceClaim, DeviceRequest, ResourceSliceSpec } from '../../apimachinery/api/generated/resource-v1.js'
import type {
  BasicDevice,
  DeviceClaim as OldClaim,
  Device as OldDevice,
  DeviceRequest as OldRequest,
  ResourceSliceSpec as OldSliceSpec
} from '../../apimachinery/api/generated/resource-v1beta1.js'
import { given } from '../../apimachinery/schema/given.js'

export const claimToStorage = (claim: OldClaim): DeviceClaim => ({
  ...claim,
  requests: claim.requests?.map(requestToStorage) ?? null
})
export const claimFromStorage = (claim: DeviceClaim): OldClaim => ({
  ...claim,
  requests: claim.requests?.map(requestFromStorage) ?? null
})

function requestToStorage(request: OldRequest): DeviceRequest {
  const { name, firstAvailable, ...exactly } = request
  // a request of neither kind, or of both, is invalid
  const lists = ['selectors', 'tolerations', 'derivedAttributes'] as const
  const isExact =
    exactly.deviceClassName !== '' || Object.keys(exactly).length > 1 || lists.some(list => given(request, list) !== undefined)
  // v1beta1 has no defaults for a request without a class, which is then refused for them, too
  if (isExact && exactly.deviceClassName === '') {
    exactly.allocationMode ??= ''
    exactly.count ??= 0
  }
  return { name, ...(isExact ? { exactly } : {}), ...(firstAvailable?.length ? { firstAvailable } : {}) }
}

function requestFromStorage({ name, exactly, firstAvailable }: DeviceRequest): OldRequest {
  const request: OldRequest = { name, ...(exactly ?? { deviceClassName: '' }), ...(firstAvailable ? { firstAvailable } : {}) }
  // both are omitted when empty
  if (request.count === 0) delete request.count
  if (request.allocationMode === '') delete request.allocationMode
  return request
}

export function sliceToStorage({ devices, ...spec }: OldSliceSpec): ResourceSliceSpec {
  return devices ? { ...spec, devices: devices.map(({ name, basic }): Device => ({ name, ...basic })) } : spec
}

export function sliceFromStorage({ devices, ...spec }: ResourceSliceSpec): OldSliceSpec {
  return devices
    ? { ...spec, devices: devices.map(({ name, ...basic }): OldDevice => ({ name, basic: basic satisfies BasicDevice })) }
    : spec
}

const flat =
  /\b(spec\.devices\.requests\[\d+\])\.(deviceClassName|selectors|allocationMode|count|adminAccess|tolerations|derivedAttributes)\b/

/** Returns the path in later versions of a field of this one. */
export const pathInStorage = (path: string): string =>
  path.replace(flat, '$1.exactly.$2').replace(/^(spec\.devices\[\d+\])\.basic\./, '$1.')
