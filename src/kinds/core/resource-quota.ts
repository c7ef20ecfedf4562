import type { ResourceQuota } from '../../apimachinery/api/generated/core-v1.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson, own } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateQuantity } from './container/resources.js'
import { countedResources, validateResourceName } from './resource-names.js'

const computed = [
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
]
const isStandard = (name: string) =>
  computed.includes(name) || countedResources.has(name) || /^(requests\.)?hugepages-/.test(name)
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
  table: {
    columns: builtinColumns<ResourceQuota>('resourcequotas', {
      Request: o => usage(o, name => !name.startsWith('limits')),
      Limit: o => usage(o, name => name.startsWith('limits'))
    })
  },
  strategy: {
    prepareForCreate(o) {
      o.status = {}
    },
    validate({ spec: wanted }, errors) {
      for (const name of Object.keys(wanted.hard ?? {})) validateHard(wanted.hard!, name, spec.child('hard').key(name), errors)
      validateScopes(wanted, errors)
    },
    validateUpdate(o, old, errors) {
      const asSet = (scopes: readonly string[] = []) => [...new Set(scopes)].sort()
      if (!equalJson(asSet(o.spec.scopes), asSet(old.spec.scopes)))
        errors.invalid('spec.scopes', given(o.spec, 'scopes'), 'field is immutable')
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      validateUpdate({ status }, _old, errors) {
        for (const field of ['hard', 'used'] as const) {
          for (const name of Object.keys(status[field] ?? {}))
            validateHard(status[field]!, name, Path.of('status', field).key(name), errors)
        }
      }
    }
  }
})

function validateHard(list: Record<string, string>, name: string, path: Path, errors: FieldErrors): void {
  validateResourceName(name, path, errors)
  if (!name.includes('/') && !isStandard(name)) errors.invalid(path, namedText(name), 'must be a standard resource for quota')
  validateQuantity(list, name, path, errors)
}

function validateScopes({ hard = {}, scopes = [], scopeSelector }: ResourceQuota['spec'], errors: FieldErrors): void {
  const appliesTo = (scope: string, name: string) =>
    scope === 'BestEffort'
      ? name === 'pods'
      : scope === 'VolumeAttributesClass'
        ? /persistentvolumeclaims$|requests\.storage$/.test(name)
        : computeScopes.has(name)
  const known = (scope: string) => podScopes.includes(scope) || claimScopes.includes(scope)
  // every scope allows counts of objects and extended resources
  const standard = Object.keys(hard).filter(isStandard).sort()
  const at = spec.child('scopes')
  for (const scope of scopes) {
    if (!known(scope)) errors.invalid(at, scopes, 'unsupported scope')
    for (const name of standard)
      if (known(scope) && !appliesTo(scope, name)) errors.invalid(at, scopes, 'unsupported scope applied to resource')
  }
  validateConflicts(scopes, scopes, at, errors)
  if (!scopeSelector) return
  const path = spec.child('scopeSelector', 'matchExpressions')
  for (const { scopeName, operator, values } of scopeSelector.matchExpressions ?? []) {
    if (!known(scopeName)) errors.invalid(path.child('scopeName'), namedText(scopeName), 'unsupported scope')
    for (const name of standard) {
      if (known(scopeName) && !appliesTo(scopeName, name))
        errors.invalid(path, internalText('core.v1.ScopeSelector', scopeSelector), 'unsupported scope applied to resource')
    }
    if (known(scopeName) && scopeName !== 'PriorityClass' && scopeName !== 'VolumeAttributesClass' && operator !== 'Exists') {
      const names =
        'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity'
      errors.invalid(path.child('operator'), namedText(operator), `must be 'Exists' when scope is any of ${names}`)
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (!values?.length)
        errors.required(path.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values?.length)
        errors.invalid(
          path.child('values'),
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
        )
    } else errors.invalid(path.child('operator'), namedText(operator), 'not a valid selector operator')
  }
  validateConflicts(scopeSelector.matchExpressions?.map(e => e.scopeName) ?? [], scopes, path, errors)
}

/**
 * Refuses scopes that contradict each other. `shown` is what errors print: the scopes of a selector appear as the quota's own.
 */
function validateConflicts(scopes: readonly string[], shown: readonly string[], path: Path, errors: FieldErrors): void {
  for (const scope of ['BestEffort', 'Terminating'])
    if (scopes.includes(scope) && scopes.includes(`Not${scope}`))
      errors.invalid(path, shown.length > 0 ? shown : null, 'conflicting scopes')
}

function usage({ status }: ResourceQuota, wanted: (name: string) => boolean): string {
  const names = Object.keys(status.hard ?? {})
    .filter(wanted)
    .sort()
  return names.map(name => `${name}: ${own(status.used, name) ?? '0'}/${status.hard![name]}`).join(', ')
}
