import type { ResourceQuota } from '../../api/generated/core-v1.js'
import { age } from '../../formats/table.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { parseQuantity } from '../../util/quantity.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { internalText } from '../../validation/internal-text.js'
import { isQualifiedName } from '../../validation/names.js'
import { commonColumn } from '../columns.js'

/** Resources that are counted in whole ones. */
const counted = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers'
])
const computed = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage'
])
const computeScopes = new Set(['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'])
const podScopes = ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating']
const claimScopes = ['VolumeAttributesClass']

const spec = Path.of('spec')

export const resourceQuota = defineKind<ResourceQuota>({
  group: '',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.ResourceQuota' }],
  returnsDeletedObject: true,
  columns: [
    commonColumn('Name'),
    {
      name: 'Request',
      type: 'string',
      description: 'Request represents a minimum amount of cpu/memory that a container may consume.',
      value: o => usage(o, name => !name.startsWith('limits'))
    },
    {
      name: 'Limit',
      type: 'string',
      description:
        'Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.',
      value: o => usage(o, name => name.startsWith('limits'))
    },
    { ...commonColumn('Age'), value: age }
  ],
  prepareForCreate(o) {
    o.status = {}
  },
  validate({ spec: given, status }, errors) {
    for (const [name, quantity] of Object.entries(given.hard ?? {}))
      validateHard(name, quantity, spec.child('hard').key(name), errors)
    validateScopes(given, errors)
    for (const field of ['hard', 'used'] as const) {
      for (const [name, quantity] of Object.entries(status[field] ?? {}))
        validateHard(name, quantity, Path.of('status', field).key(name), errors)
    }
  },
  validateUpdate(o, old, errors) {
    const scopes = (o.spec.scopes ?? []).toSorted()
    if (!equalJson(scopes, (old.spec.scopes ?? []).toSorted()))
      errors.invalid('spec.scopes', o.spec.scopes ?? null, 'field is immutable')
  },
  status: {
    validateUpdate({ status }, _old, errors) {
      for (const field of ['hard', 'used'] as const) {
        for (const [name, quantity] of Object.entries(status[field] ?? {}))
          validateHard(name, quantity, Path.of('status', field).key(name), errors)
      }
    }
  }
})

function validateHard(name: string, quantity: string, path: Path, errors: FieldErrors): void {
  for (const e of isQualifiedName(name)) errors.invalid(path, name, e)
  if (!name.includes('/') && !counted.has(name) && !computed.has(name) && !/^(requests\.|limits\.)?hugepages-/.test(name)) {
    errors.invalid(path, name, 'must be a standard resource type or fully qualified')
    errors.invalid(path, name, 'must be a standard resource for quota')
  }
  const value = parseQuantity(quantity)
  if (value.mantissa < 0n) errors.invalid(path, quantity, 'must be greater than or equal to 0')
  const whole = value.exponent >= 0 || value.mantissa % 10n ** BigInt(-value.exponent) === 0n
  if ((counted.has(name) || name.startsWith('count/')) && !whole) errors.invalid(path, quantity, 'must be an integer')
}

function validateScopes({ hard = {}, scopes = [], scopeSelector }: ResourceQuota['spec'], errors: FieldErrors): void {
  const appliesTo = (scope: string, name: string) =>
    scope === 'BestEffort'
      ? name === 'pods'
      : scope === 'VolumeAttributesClass'
        ? /persistentvolumeclaims$|requests\.storage$/.test(name)
        : computeScopes.has(name)
  const known = (scope: string) => podScopes.includes(scope) || claimScopes.includes(scope)
  // counts of objects and extended resources go with any scope
  const standard = Object.keys(hard).filter(name => !name.includes('/'))
  const at = spec.child('scopes')
  for (const scope of scopes) {
    if (!known(scope)) errors.invalid(at, scopes, 'unsupported scope')
    for (const name of standard)
      if (known(scope) && !appliesTo(scope, name)) errors.invalid(at, scopes, 'unsupported scope applied to resource')
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating']
  ] as const) {
    if (scopes.includes(a) && scopes.includes(b)) errors.invalid(at, scopes, 'conflicting scopes')
  }
  if (!scopeSelector) return
  const path = spec.child('scopeSelector', 'matchExpressions')
  for (const { scopeName, operator, values } of scopeSelector.matchExpressions ?? []) {
    if (!known(scopeName)) errors.invalid(path.child('scopeName'), scopeName, 'unsupported scope')
    for (const name of standard) {
      if (known(scopeName) && !appliesTo(scopeName, name))
        errors.invalid(path, internalText('core.v1.ScopeSelector', scopeSelector), 'unsupported scope applied to resource')
    }
    if (known(scopeName) && scopeName !== 'PriorityClass' && scopeName !== 'VolumeAttributesClass' && operator !== 'Exists') {
      const names =
        'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity'
      errors.invalid(path.child('operator'), operator, `must be 'Exists' when scope is any of ${names}`)
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (!values?.length)
        errors.required(path.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values?.length)
        errors.invalid(
          path.child('values'),
          values,
          "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector"
        )
    } else errors.invalid(path.child('operator'), operator, 'not a valid selector operator')
  }
}

function usage({ status }: ResourceQuota, wanted: (name: string) => boolean): string {
  const names = Object.keys(status.hard ?? {})
    .filter(wanted)
    .sort()
  return names.map(name => `${name}: ${status.used?.[name] ?? '0'}/${status.hard![name]}`).join(', ')
}
