import type { ResourceClaim } from '../../apimachinery/api/generated/resource-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutableRaw } from '../immutable.js'
import { validateAdminAccess } from './admin-access.js'
import { dropReleasedDevices, validateClaimStatus } from './claim-status.js'
import { defaultDeviceClaim, defaultTolerations, validateDeviceClaim } from './device-request.js'
import { claimGatedFields } from './gated-fields.js'
import { claimFromStorage, claimToStorage, pathInStorage } from './v1beta1.js'

export const resourceClaim = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  resource: 'resourceclaims',
  namespaced: true,
  versions: [
    { name: 'v1', type: 'resource.v1.ResourceClaim' },
    {
      name: 'v1beta2',
      type: 'resource.v1beta2.ResourceClaim',
      served: false,
      deprecation: 'resource.k8s.io/v1beta2 ResourceClaim is deprecated in v1.36+, unavailable in v1.39+'
    },
    {
      name: 'v1beta1',
      type: 'resource.v1beta1.ResourceClaim',
      served: false,
      deprecation: 'resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable in v1.38+',
      toStorage: o => ({ ...o, spec: { devices: claimToStorage(o.spec.devices) } }),
      fromStorage: o => ({ ...o, spec: { devices: claimFromStorage(o.spec.devices) } }),
      pathInStorage
    }
  ],
  table: {
    columns: builtinColumns<ResourceClaim>('resource.k8s.io/resourceclaims', {
      State: stateOf
    })
  },
  gatedFields: [
    ...claimGatedFields('spec'),
    { gates: 'DRAResourceClaimDeviceStatus', fields: ['status.devices'] },
    {
      gates: 'DRAConsumableCapacity',
      fields: ['status.allocation.devices.results.*.{shareID,consumedCapacity}', 'status.devices.*.shareID']
    },
    {
      gates: 'DRADeviceBindingConditions',
      fields: ['status.allocation.devices.results.*.{bindingConditions,bindingFailureConditions}']
    },
    { gates: 'DRAOptionalNodeOperations', fields: ['status.allocation.devices.results.*.skipNodeOperations'] }
  ],
  strategy: {
    default(o) {
      defaultDeviceClaim(o.spec.devices)
      for (const { tolerations } of o.status?.allocation?.devices.results ?? []) defaultTolerations(tolerations)
    },
    prepareForCreate(o) {
      o.status = {}
    },
    updateChecks: asNewThenChanges,
    validateCreate(o, errors, context) {
      validateAdminAccess(o.spec.devices, errors, context)
      validateDeviceClaim(o.spec.devices, Path.of('spec', 'devices'), errors)
    },
    validateUpdate: (o, old, errors) => validateImmutableRaw('spec', 'resource.v1.ResourceClaimSpec', o.spec, old.spec, errors)
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      columns: false,
      metadata: 'reset',
      prepareForUpdate: dropReleasedDevices,
      validateUpdate: validateClaimStatus
    }
  }
})

function stateOf({ metadata, status }: ResourceClaim): string {
  const states: string[] = []
  if (metadata.deletionTimestamp) states.push('deleted')
  if (status.allocation) states.push('allocated')
  if (status.reservedFor?.length) states.push('reserved')
  if (!status.allocation && !metadata.deletionTimestamp) states.push('pending')
  return states.join(',')
}
