import type { Node, Taint } from '../../../apimachinery/api/generated/core-v1.js'
import { age } from '../../../apimachinery/formats/table.js'
import { given } from '../../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { internalText } from '../../../apimachinery/validation/internal-text.js'
import { cidrWarnings, ipFamily, isCIDR, validateCIDR } from '../../../apimachinery/validation/ip.js'
import { isLabelValue, isQualifiedName } from '../../../apimachinery/validation/names.js'
import { asNewThenChanges } from '../../../registry/checks.js'
import { defineKind } from '../../../registry/kind.js'
import { goQuote } from '../../../util/go-format.js'
import { builtinColumns } from '../../columns.js'
import { validateQuantity } from '../container/resources.js'
import { taintEffects } from '../pod/toleration-validation.js'
import { validateAvoidedPods } from './avoided-pods.js'

const roleLabel = 'node-role.kubernetes.io/'
const legacyRole = 'kubernetes.io/role'

export const node = defineKind<Node>({
  group: '',
  kind: 'Node',
  resource: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'core.v1.Node' }],
  storage: { path: 'minions' },
  fieldSelectors: { fields: { 'spec.unschedulable': o => String(o.spec.unschedulable ?? false) } },
  table: {
    columns: builtinColumns('nodes', {
      Name: o => o.metadata.name,
      Status: status,
      Roles: roles,
      Age: age,
      Version: o => o.status.nodeInfo.kubeletVersion,
      'Internal-IP': o => address(o, 'InternalIP'),
      'External-IP': o => address(o, 'ExternalIP'),
      'OS-Image': o => o.status.nodeInfo.osImage || '<unknown>',
      'Kernel-Version': ({ status: { nodeInfo } }) =>
        (nodeInfo.kernelVersion || '<unknown>') + (nodeInfo.architecture ? ` (${nodeInfo.architecture})` : ''),
      'Container-Runtime': o => o.status.nodeInfo.containerRuntimeVersion || '<unknown>'
    })
  },
  gatedFields: [
    {
      gates: 'SupplementalGroupsPolicy',
      fields: ['status.features'],
      onlyOfNew: true
    },
    { gates: 'NodeDeclaredFeatures', fields: ['status.declaredFeatures'], onlyOfNew: true },
    { gates: 'InPlacePodVerticalScalingSchedulerPreemption', fields: ['spec.podPreemptionPolicy'] },
    { gates: 'KubeletInUserNamespace', fields: ['status.nodeInfo.runningInUserNamespace'] }
  ],
  strategy: {
    default({ spec, status }) {
      if (given(status, 'allocatable') === undefined) allocateAll(status)
      // the older field takes precedence over the newer one
      if (spec.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR]
      else if (spec.podCIDRs?.[0] && !spec.podCIDR) spec.podCIDR = spec.podCIDRs[0]
    },
    prepareForCreate: dropRemovedFields,
    prepareForUpdate: dropRemovedFields,
    updateChecks: asNewThenChanges,
    validate({ metadata, spec, status }, errors) {
      validateAvoidedPods(metadata.annotations, errors)
      validateTaints(spec.taints ?? [], errors)
      validateStatus(status, errors)
      validateSwap(status, errors)
      validateFeatures(status.declaredFeatures ?? [], errors)
      validatePodCIDRs(spec.podCIDRs ?? [], errors)
    },
    validateUpdate: validateNodeUpdate,
    warnings: ({ spec }) => [
      ...(spec.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
      ...(spec.podCIDRs ?? []).flatMap((cidr, i) => cidrWarnings(cidr, Path.of('spec', 'podCIDRs').index(i)))
    ]
  },
  subresources: {
    status: {
      prepareForUpdate({ status }) {
        delete status.config
        allocateAll(status)
      },
      validateUpdate: validateNodeUpdate
    },
    others: {
      proxy: {
        kind: { group: '', version: 'v1', kind: 'NodeProxyOptions' },
        type: 'core.v1.Node',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
        connects: true
      }
    }
  }
})

/** Drops the fields of dynamic kubelet configuration, which v1.24 removed. */
function dropRemovedFields({ spec, status }: Node): void {
  delete spec.configSource
  delete status.config
  allocateAll(status)
}

/**
 * All of the capacity is allocatable, unless the kubelet says otherwise. What a client gives as empty is filled only when its fields have their owner, as
 * kube-apiserver does it when it reads the object again.
 */
function allocateAll(status: Node['status']): void {
  if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity }
}

/** Validates an update of a node or of its status. */
function validateNodeUpdate({ metadata, spec, status }: Node, { spec: old }: Node, errors: FieldErrors): void {
  validateAvoidedPods(metadata.annotations, errors)
  validateStatus(status, errors)
  validateFeatures(status.declaredFeatures ?? [], errors)
  validateDuplicateAddresses(status, errors)
  const before = old.podCIDRs ?? []
  const changed = before.length === spec.podCIDRs?.length ? before.filter((cidr, i) => cidr !== spec.podCIDRs![i]).length : 1
  for (let i = 0; before.length > 0 && i < changed; i++)
    errors.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')
  if (old.providerID && spec.providerID !== old.providerID) {
    const why = spec.providerID ? 'field cannot be modified once set' : 'field cannot be cleared once set'
    errors.invalid('spec.providerID', null, why)
  }
  validateTaints(spec.taints ?? [], errors)
  if ((spec.externalID ?? '') !== (old.externalID ?? '')) errors.forbidden('spec.externalID', 'may not be updated')
}

/** Validates the taints. They are in the spec, but kube-apiserver's errors say metadata. */
function validateTaints(taints: readonly Taint[], errors: FieldErrors): void {
  const path = Path.of('metadata', 'taints')
  const seen = new Set<string>()
  taints.forEach((taint, i) => {
    const at = path.index(i)
    for (const e of isQualifiedName(taint.key)) errors.invalid(at.child('key'), taint.key, e)
    const wrong = isLabelValue(taint.value ?? '')
    if (wrong.length > 0) errors.invalid(at.child('value'), taint.value, wrong.join(';'))
    if (!taint.effect) errors.required(at.child('effect'))
    else if (!taintEffects.includes(taint.effect)) errors.notSupported(at.child('effect'), taint.effect, taintEffects)
    const key = `${taint.effect}/${taint.key}`
    if (seen.has(key)) errors.duplicate(at, internalText('core.v1.Taint', taint), 'taints must be unique by key and effect pair')
    seen.add(key)
  })
}

function validatePodCIDRs(cidrs: readonly string[], errors: FieldErrors): void {
  const path = Path.of('spec', 'podCIDRs')
  cidrs.forEach((cidr, i) => void validateCIDR(cidr, path.index(i), errors))
  if (cidrs.length <= 1) return
  const wrong = cidrs.findIndex(cidr => !isCIDR(cidr))
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${cidrs[wrong]})`
    errors.internal(path, `invalid PodCIDRs. failed to check with dual stack with error:${why}`)
  }
  const dual = wrong < 0 && cidrs.length === 2 && ipFamily(cidrs[0]!) !== ipFamily(cidrs[1]!)
  if (!dual) errors.invalid(path, cidrs, 'may specify no more than one CIDR for each IP family')
}

function validateStatus({ capacity, allocatable }: Node['status'], errors: FieldErrors): void {
  for (const [field, list] of [
    ['capacity', capacity],
    ['allocatable', allocatable]
  ] as const) {
    for (const name of Object.keys(list ?? {})) validateQuantity(list!, name, Path.of('status', field, name), errors)
  }
}

/** Validates the swap capacity. kube-apiserver's error has an older path. */
function validateSwap({ nodeInfo }: Node['status'], errors: FieldErrors): void {
  const capacity = nodeInfo?.swap?.capacity
  if (capacity !== undefined && capacity <= 0)
    errors.invalid(Path.of('metadata', 'nodeSwapStatus', 'capacity'), capacity, 'must be greater than zero')
}

const featureName = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/
const maxFeatureName = 253

/** Requires that each feature is named once, and that the names are in order. */
function validateFeatures(features: readonly string[], errors: FieldErrors): void {
  const path = Path.of('status', 'declaredFeatures')
  features.forEach((name, i) => {
    const invalid = (why: string) => errors.invalid(path.index(i), name, `invalid feature name ${goQuote(name)}: ${why}`)
    if (Buffer.byteLength(name) > maxFeatureName) invalid(`must be no more than ${maxFeatureName} characters`)
    else if (!featureName.test(name))
      invalid(
        "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
      )
    const next = features[i + 1]
    if (next === name) errors.duplicate(path.index(i + 1), next)
    else if (next !== undefined && name > next) errors.invalid(path.index(i + 1), next, 'list must be sorted alphabetically')
  })
}

function validateDuplicateAddresses({ addresses }: Node['status'], errors: FieldErrors): void {
  const seen = new Set<string>()
  addresses?.forEach((address, i) => {
    const key = JSON.stringify([address.type, address.address])
    if (seen.has(key)) errors.duplicate(Path.of('status', 'addresses').index(i), internalText('core.v1.NodeAddress', address))
    seen.add(key)
  })
}

function status({ spec, status }: Node): string {
  const ready = status.conditions?.find(c => c.type === 'Ready')
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown']
  if (spec.unschedulable) words.push('SchedulingDisabled')
  return words.join(',')
}

function roles({ metadata }: Node): string {
  const found = new Set<string>()
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (key.startsWith(roleLabel) && key.length > roleLabel.length) found.add(key.slice(roleLabel.length))
    else if (key === legacyRole && value !== '') found.add(value)
  }
  return [...found].sort().join(',') || '<none>'
}

function address({ status }: Node, type: string): string {
  return status.addresses?.find(a => a.type === type)?.address ?? '<none>'
}
