import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../api/generated/core-v1.js'
import { age } from '../../formats/table.js'
import { defineKind } from '../../registry/kind.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { cloneJson, equalJson } from '../../util/json.js'
import { compareQuantity, parseQuantity } from '../../util/quantity.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { GoText } from '../../validation/go-value.js'
import { builtinColumns } from '../columns.js'
import { formatAccessModes } from './persistent-volume.js'
import { validateAccessModes, validateClaimSpec } from './persistent-volume-claim-validation.js'
import { specChanges } from './spec-changes.js'

const betaClass = 'volume.beta.kubernetes.io/storage-class'
const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending'
]

export const persistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  group: '',
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.PersistentVolumeClaim' }],
  returnsDeletedObject: true,
  selectableFields: { name: o => o.metadata.name ?? '' },
  columns: builtinColumns('persistentvolumeclaims', {
    Name: o => o.metadata.name,
    Status: o => (o.metadata.deletionTimestamp ? 'Terminating' : (o.status.phase ?? '')),
    Volume: o => o.spec.volumeName ?? '',
    Capacity: o => (o.spec.volumeName ? (o.status.capacity?.storage ?? '0') : ''),
    'Access Modes': o => (o.spec.volumeName ? formatAccessModes(o.status.accessModes) : ''),
    StorageClass: o => o.metadata.annotations?.[betaClass] ?? o.spec.storageClassName ?? '',
    VolumeAttributesClass: o => o.spec.volumeAttributesClassName ?? '<unset>',
    Age: age,
    VolumeMode: o => o.spec.volumeMode ?? '<unset>'
  }),
  default({ spec, status }) {
    spec.volumeMode ??= 'Filesystem'
    status.phase ??= 'Pending'
  },
  prepareForCreate(o) {
    o.status = { phase: 'Pending' }
    copyDataSource(o.spec)
  },
  prepareForUpdate(o) {
    copyDataSource(o.spec)
  },
  validate: ({ spec }, errors) => void validateClaimSpec(spec, Path.of('spec'), errors),
  validateUpdate,
  warnings({ metadata, spec }) {
    const warnings: string[] = []
    if (metadata.annotations?.[betaClass] !== undefined)
      warnings.push(`metadata.annotations[${betaClass}]: deprecated since v1.8; use "storageClassName" attribute instead`)
    for (const list of ['requests', 'limits'] as const) {
      const storage = spec.resources[list]?.storage
      if (storage?.endsWith('m'))
        warnings.push(
          `spec.resources.${list}[storage]: fractional byte value ${JSON.stringify(storage)} is invalid, must be an integer`
        )
    }
    return warnings
  },
  status: {
    validateUpdate({ status }, _old, errors) {
      const path = Path.of('status')
      for (const [name, quantity] of Object.entries(status.capacity ?? {})) {
        if (parseQuantity(quantity).mantissa < 0n)
          errors.invalid(path.child('capacity').key(name), new GoText(quantity), 'must be a valid resource quantity')
      }
      if (status.accessModes) validateAccessModes(status.accessModes, path.child('accessModes'), errors)
      for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
        if (!resizeStatuses.includes(value)) errors.notSupported(path.child('allocatedResourceStatuses'), name, resizeStatuses)
      }
    }
  }
})

/** The newer field takes over what the older one says, and back as far as that can say it. */
function copyDataSource(spec: PersistentVolumeClaimSpec): void {
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource }
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace)
    spec.dataSource = { apiGroup: null, ...spec.dataSourceRef } as NonNullable<typeof spec.dataSource>
}

const immutable = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function validateUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const rest = cloneJson(claim.spec)
  const before = cloneJson(old.spec)
  const bound = old.status.phase === 'Bound'
  // a claim is bound once, by the controller
  if (!before.volumeName) before.volumeName = rest.volumeName
  if (before.storageClassName === undefined && before.volumeName === old.spec.volumeName)
    before.storageClassName = rest.storageClassName
  if (bound) {
    const storage = before.resources.requests?.storage
    if (storage !== undefined && rest.resources.requests) rest.resources.requests.storage = storage
    before.volumeAttributesClassName = rest.volumeAttributesClassName
  }
  if (!equalJson(clean(rest), clean(before))) errors.forbidden('spec', `${immutable}\n${specChanges(clean(before), clean(rest))}`)
  validateSize(claim, old, errors)
  if (claim.spec.volumeMode !== old.spec.volumeMode) errors.invalid('volumeMode', claim.spec.volumeMode, 'field is immutable')
}

const clean = <T>(value: T): T => parseExact(exactJson(value)) as T

function validateSize({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const size = spec.resources.requests?.storage
  const before = old.spec.resources.requests?.storage
  const capacity = old.status.capacity?.storage
  if (!size || !before || compareQuantity(parseQuantity(size), parseQuantity(before)) >= 0) return
  if (capacity === undefined || compareQuantity(parseQuantity(size), parseQuantity(capacity)) <= 0)
    errors.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')
}
