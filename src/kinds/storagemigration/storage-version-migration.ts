import type { StorageVersionMigration } from '../../apimachinery/api/generated/storagemigration-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1035Label, isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { isConditionTrue } from './conditions.js'
import { validateMigrationStatus } from './status.js'

export const storageVersionMigration = defineKind<StorageVersionMigration>({
  group: 'storagemigration.k8s.io',
  kind: 'StorageVersionMigration',
  resource: 'storageversionmigrations',
  namespaced: false,
  featureGate: 'StorageVersionMigrator',
  versions: [
    { name: 'v1', type: 'storagemigration.v1.StorageVersionMigration' },
    {
      name: 'v1beta1',
      type: 'storagemigration.v1beta1.StorageVersionMigration',
      served: false,
      deprecation:
        'storagemigration.k8s.io/v1beta1 StorageVersionMigration is deprecated in v1.37+, unavailable in v1.40+; use storagemigration.k8s.io/v1 StorageVersionMigration'
    }
  ],
  table: {
    columns: builtinColumns<StorageVersionMigration>('storagemigration.k8s.io/storageversionmigrations', {
      Resource: ({ spec: { resource } }) => (resource.group ? `${resource.resource}.${resource.group}` : resource.resource),
      // the last condition that is true
      Status: o =>
        o.status.conditions?.findLast(({ type }) => states.includes(type) && isConditionTrue(o, type))?.type ?? 'Unknown'
    })
  },
  strategy: {
    allowUnconditionalUpdate: false,
    updateChecks: asNewThenChanges,
    prepareForCreate(o) {
      o.status = {}
    },
    validate({ spec }, errors) {
      validateResource(spec.resource, Path.of('spec', 'resource'), errors)
    },
    validateUpdate({ spec }, old, errors) {
      // metav1.GroupResource has JSON names inside of the internal type, which has none
      validateImmutable(Path.of('spec'), spec, old.spec, errors, () => ({ Resource: spec.resource }))
    }
  },
  subresources: { status: { metadata: 'reset', validateUpdate: validateMigrationStatus } }
})

const states = ['Running', 'Failed', 'Succeeded']

function validateResource(
  { group, resource }: StorageVersionMigration['spec']['resource'],
  path: Path,
  errors: FieldErrors
): void {
  const check = (problems: readonly string[], field: string, value: string) => {
    if (problems.length > 0) errors.invalid(path.child(field), value, problems.join(','))
  }
  if (!resource) errors.required(path.child('resource'), 'resource is required to be set')
  else check(isDns1035Label(resource), 'resource', resource)
  if (group) check(isDns1123Subdomain(group), 'group', group)
}
