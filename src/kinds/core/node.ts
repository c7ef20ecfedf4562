import type { Node, Taint } from '../../api/generated/core-v1.js'
import { age } from '../../formats/table.js'
import { defineKind } from '../../registry/kind.js'
import { notFound } from '../../server/status.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { internalText } from '../../validation/internal-text.js'
import { ipFamily, isCIDR, validateCIDR } from '../../validation/ip.js'
import { isLabelValue, isQualifiedName } from '../../validation/names.js'
import { builtinColumns } from '../columns.js'
import { validateQuantity } from './container-resources.js'
import { noConnectionTo } from './pod-connections.js'
import { taintEffects } from './toleration-validation.js'

const roleLabel = 'node-role.kubernetes.io/'
const legacyRole = 'kubernetes.io/role'

export const node = defineKind<Node>({
  group: '',
  kind: 'Node',
  resource: 'nodes',
  storagePath: 'minions',
  shortNames: ['no'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'core.v1.Node' }],
  selectableFields: { 'spec.unschedulable': o => String(o.spec.unschedulable ?? false) },
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
      nodeInfo.kernelVersion ? `${nodeInfo.kernelVersion} (${nodeInfo.architecture})` : '<unknown>',
    'Container-Runtime': o => o.status.nodeInfo.containerRuntimeVersion || '<unknown>'
  }),
  default({ spec, status }) {
    // what there is can all be given out, unless the kubelet says otherwise
    if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity }
    if (spec.podCIDR && !spec.podCIDRs?.length) spec.podCIDRs = [spec.podCIDR]
    else if (spec.podCIDRs?.[0] && !spec.podCIDR) spec.podCIDR = spec.podCIDRs[0]
  },
  validate({ spec, status }, errors) {
    validateTaints(spec.taints ?? [], errors)
    validateStatus(status, errors)
    validatePodCIDRs(spec.podCIDRs ?? [], errors)
  },
  validateUpdate({ spec, status }, old, errors) {
    validateDuplicateAddresses(status, errors)
    const before = old.spec.podCIDRs ?? []
    if (before.length > 0 && spec.podCIDRs?.join() !== before.join())
      errors.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')
    if (old.spec.providerID && spec.providerID !== old.spec.providerID)
      errors.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid')
  },
  status: {
    validateUpdate({ status }, _old, errors) {
      validateDuplicateAddresses(status, errors)
      validateStatus(status, errors)
    }
  },
  subresources: {
    proxy: {
      kind: { group: '', version: 'v1', kind: 'NodeProxyOptions' },
      type: 'core.v1.Node',
      verbs: ['create', 'delete', 'get', 'patch', 'update'],
      async connect({ resource, name }) {
        const host = name.replace(/^https?:|:[^:]*$/g, '')
        if (!resource.get('', host)) throw notFound({ group: '', resource: 'nodes' }, host)
        throw noConnectionTo(host)
      }
    }
  }
})

/** Taints stand in the spec, but their errors say metadata: observed so. */
function validateTaints(taints: readonly Taint[], errors: FieldErrors): void {
  const path = Path.of('metadata', 'taints')
  const seen = new Set<string>()
  taints.forEach((taint, i) => {
    const at = path.index(i)
    for (const e of isQualifiedName(taint.key)) errors.invalid(at.child('key'), taint.key, e)
    if (taint.value) for (const e of isLabelValue(taint.value)) errors.invalid(at.child('value'), taint.value, e)
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
    for (const [name, quantity] of Object.entries(list ?? {}))
      validateQuantity(name, quantity, Path.of('status', field).key(name), errors)
  }
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
