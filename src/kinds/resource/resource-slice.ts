import type { ResourceSlice, ResourceSliceSpec } from '../../apimachinery/api/generated/resource-v1.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText, goJson } from '../../apimachinery/validation/go-value.js'
import { internalListText } from '../../apimachinery/validation/internal-text.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { goQuote } from '../../util/go-format.js'
import { timestamp } from '../../util/time.js'
import { builtinColumns } from '../columns.js'
import { validateNodeSelector } from '../core/pod/affinity-validation.js'
import { validateImmutable } from '../immutable.js'
import { validateDriverName } from '../storage/driver-name.js'
import { validatePoolName } from './claim-status.js'
import { validateCounterSet, validateDevice } from './device.js'
import { validateSet } from './lists.js'
import { validateSkippedOperations } from './node-operations.js'
import { validatePartitionType } from './partition-type.js'
import { pathInStorage, sliceFromStorage, sliceToStorage } from './v1beta1.js'

const maxDevices = 128
/** The most devices of a slice whose devices have taints or consume counters. */
const maxCostlyDevices = 64
const maxCounterSets = 8

export const resourceSlice = defineKind<ResourceSlice>({
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  resource: 'resourceslices',
  namespaced: false,
  versions: [
    { name: 'v1', type: 'resource.v1.ResourceSlice' },
    {
      name: 'v1beta2',
      type: 'resource.v1beta2.ResourceSlice',
      served: false,
      deprecation: 'resource.k8s.io/v1beta2 ResourceSlice is deprecated in v1.36+, unavailable in v1.39+'
    },
    {
      name: 'v1beta1',
      type: 'resource.v1beta1.ResourceSlice',
      served: false,
      deprecation: 'resource.k8s.io/v1beta1 ResourceSlice is deprecated in v1.35+, unavailable in v1.38+',
      toStorage: o => ({ ...o, spec: sliceToStorage(o.spec) }),
      fromStorage: o => ({ ...o, spec: sliceFromStorage(o.spec) }),
      pathInStorage
    }
  ],
  fieldSelectors: {
    unknown: (field, version) => `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${field}`,
    fields: {
      'spec.driver': o => o.spec.driver,
      'spec.nodeName': o => o.spec.nodeName ?? '',
      'spec.pool.name': o => o.spec.pool.name
    }
  },
  table: {
    columns: builtinColumns<ResourceSlice>('resource.k8s.io/resourceslices', {
      Node: o => o.spec.nodeName ?? '',
      Driver: o => o.spec.driver,
      Pool: o => o.spec.pool.name
    })
  },
  generation: { beforeGates: true },
  gatedFields: [
    { gates: 'DRADeviceTaints', fields: ['spec.devices.*.taints'] },
    {
      gates: 'DRAPartitionableDevices',
      fields: ['spec.{sharedCounters,perDeviceNodeSelection}', 'spec.devices.*.{consumesCounters,nodeName,nodeSelector,allNodes}']
    },
    {
      gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
      fields: ['spec.devices.*.{bindingConditions,bindingFailureConditions,bindsToNode}']
    },
    {
      gates: 'DRAConsumableCapacity',
      fields: ['spec.devices.*.allowMultipleAllocations', 'spec.devices.*.capacity.*.requestPolicy']
    },
    { gates: 'DRANodeAllocatableResources', fields: ['spec.devices.*.nodeAllocatableResources'] },
    { gates: 'DRADeviceCompatibilityGroups', fields: ['spec.devices.*.consumesCounters.*.compatibilityGroups'] },
    { gates: 'DRAPartitionableDevicesType', fields: ['spec.partitionTypeAttribute'] },
    { gates: 'DRAOptionalNodeOperations', fields: ['spec.skipNodeOperations'] },
    { gates: 'DRAListTypeAttributes', fields: ['spec.devices.*.attributes.*.{bools,ints,strings,versions}'] }
  ],
  strategy: {
    default({ spec }, { now }) {
      for (const device of spec.devices ?? []) for (const taint of device.taints ?? []) taint.timeAdded ??= timestamp(now)
    },
    validateCreate({ spec }, errors) {
      validatePool(spec, errors)
      validateOffer(spec, undefined, errors)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      const at = Path.of('spec')
      validatePool(spec, errors)
      validateImmutable(at.child('pool', 'name'), spec.pool.name, old.pool.name, errors)
      validateImmutable(at.child('driver'), spec.driver, old.driver, errors)
      validateImmutable(
        at.child('nodeName'),
        spec.nodeName,
        old.nodeName,
        errors,
        () => new GoText(goJson(spec.nodeName ?? null))
      )
      validateOffer(spec, old, errors)
    },
    warnings: ({ spec: { driver } }) =>
      driver === driver.toLowerCase()
        ? []
        : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`]
  },
  deletion: { returnsObject: true }
})

const at = Path.of('spec')

function validatePool({ driver, pool }: ResourceSliceSpec, errors: FieldErrors): void {
  const { name, generation, resourceSliceCount } = pool
  validateDriverName(driver, at.child('driver'), errors)
  validatePoolName(name, at.child('pool', 'name'), errors)
  if (resourceSliceCount <= 0)
    errors.invalid(at.child('pool', 'resourceSliceCount'), resourceSliceCount, 'must be greater than zero')
  if (generation < 0) errors.invalid(at.child('pool', 'generation'), generation, 'must be greater than or equal to zero')
}

function validateOffer(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined, errors: FieldErrors): void {
  const before = new Map(old?.devices?.map(device => [device.name, device]))
  validateNodes(spec, errors)
  if (given(spec, 'sharedCounters') && given(spec, 'devices'))
    errors.invalid(at, '', 'only one of `sharedCounters` or `devices` is allowed')
  const costly = spec.devices?.some(d => d.taints?.length || d.consumesCounters?.length) ?? false
  validateSet(
    spec.devices,
    costly ? maxCostlyDevices : maxDevices,
    d => d.name,
    at.child('devices'),
    errors,
    (device, path) => validateDevice(device, before.get(device.name), spec.perDeviceNodeSelection ?? false, path, errors)
  )
  validateSet(
    spec.sharedCounters,
    maxCounterSets,
    s => s.name,
    at.child('sharedCounters'),
    errors,
    (set, path) => validateCounterSet(set, path, errors)
  )
  validatePartitionType(spec, at, errors)
  validateSkippedOperations(spec.skipNodeOperations, at.child('skipNodeOperations'), errors)
}

/** Requires exactly one field that says which nodes reach the devices. */
function validateNodes(
  { nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec,
  errors: FieldErrors
): void {
  if (nodeName) for (const e of isDns1123Subdomain(nodeName)) errors.invalid(at.child('nodeName'), nodeName, e)
  else if (nodeName === '') errors.invalid(at.child('nodeName'), nodeName, 'must be either unset or set to a non-empty string')
  if (nodeSelector) {
    const terms = nodeSelector.nodeSelectorTerms ?? []
    const shown = nodeSelector.nodeSelectorTerms ? internalListText('core.v1.NodeSelectorTerm', terms) : null
    validateNodeSelector(nodeSelector, at.child('nodeSelector'), errors)
    if (terms.length !== 1)
      errors.invalid(at.child('nodeSelector', 'nodeSelectorTerms'), shown, 'must have exactly one node selector term')
  }
  for (const [field, given] of Object.entries({ allNodes, perDeviceNodeSelection }))
    if (given === false) errors.invalid(at.child(field), given, 'must be either unset or set to true')
  const ways = Object.entries({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection })
    .filter(([, given]) => given)
    .map(([name]) => `\`${name}\``)
  const why = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
  if (ways.length === 0) errors.required(at, why)
  else if (ways.length > 1) errors.invalid(at, `{${ways.join(', ')}}`, `${why}, but multiple fields are set`)
}
