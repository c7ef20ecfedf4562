import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference
} from '../../../apimachinery/api/generated/core-v1.js'
import { age } from '../../../apimachinery/formats/table.js'
import { cloneGiven } from '../../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { isQualifiedName } from '../../../apimachinery/validation/names.js'
import { changesAroundAsNew } from '../../../registry/checks.js'
import { defineKind } from '../../../registry/kind.js'
import { cloneJson, equalWritten } from '../../../util/json.js'
import { compareQuantities } from '../../../util/quantity.js'
import { builtinColumns } from '../../columns.js'
import { fractionalBytes } from '../fractional-bytes.js'
import { isNativeResource } from '../resource-names.js'
import { specChanges } from '../spec-changes.js'
import { validateClaimSpec } from './claim-validation.js'
import { validateHealthConditions } from './health-validation.js'
import { formatAccessModes } from './persistent-volume.js'
import { validateWholeAmount } from './persistent-volume-validation.js'

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
  table: {
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
    })
  },
  gatedFields: [
    { gates: 'VolumeAttributesClass', fields: ['spec.volumeAttributesClassName'] },
    {
      gates: 'CrossNamespaceVolumeDataSource',
      inUse: ['spec.dataSourceRef'],
      part: 'spec',
      uses: spec => Boolean(spec.dataSourceRef?.namespace),
      drop: spec => void delete spec.dataSourceRef
    },
    { gates: 'VolumeAttributesClass', fields: ['status.currentVolumeAttributesClassName'] },
    { gates: 'VolumeAttributesClass', fields: ['status.modifyVolumeStatus'] },
    { gates: 'CSIVolumeHealth', fields: ['status.healthStatus'] },
    { gates: 'RecoverVolumeExpansionFailure', fields: ['status.allocatedResources'] },
    { gates: 'RecoverVolumeExpansionFailure', fields: ['status.allocatedResourceStatuses'] }
  ],
  strategy: {
    default({ spec, status }) {
      spec.volumeMode ??= 'Filesystem'
      status.phase ??= 'Pending'
    },
    prepareForCreate(o) {
      o.status = {}
      dropDataSources(o.spec)
      copyDataSource(o.spec)
    },
    defaultStored({ status }) {
      status.phase = 'Pending'
    },
    isStoredLess: () => true,
    prepareForUpdate(o, old) {
      dropDataSources(o.spec, old.spec)
      copyDataSource(o.spec)
    },
    updateChecks: changesAroundAsNew,
    validateCreate: ({ spec }, errors) => void validateClaimSpec(spec, Path.of('spec'), errors),
    validateUpdate,
    warnings({ metadata, spec }) {
      const warnings: string[] = []
      if (metadata.annotations?.[betaClass] !== undefined)
        warnings.push(`metadata.annotations[${betaClass}]: deprecated since v1.8; use "storageClassName" attribute instead`)
      for (const list of ['requests', 'limits'] as const)
        warnings.push(...fractionalBytes(spec.resources[list], ['storage'], Path.of('spec', 'resources', list)))
      return warnings
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      validateUpdate({ status }, _old, errors) {
        const path = Path.of('status')
        for (const name of Object.keys(status.capacity ?? {}))
          validateWholeAmount(status.capacity!, name, path.child('capacity').key(name), errors)
        validateHealthConditions(status.healthStatus?.healthConditions, path.child('healthStatus', 'healthConditions'), errors)
        for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
          const at = path.child('allocatedResourceStatuses')
          validateResourceKey(name, at, errors)
          if (!resizeStatuses.includes(value)) errors.notSupported(at, name, resizeStatuses)
        }
        for (const name of Object.keys(status.allocatedResources ?? {})) {
          const at = path.child('allocatedResources')
          if (validateResourceKey(name, at, errors)) validateWholeAmount(status.allocatedResources!, name, at.key(name), errors)
        }
      }
    }
  }
})

function localPart({ namespace: _, ...local }: TypedObjectReference): TypedLocalObjectReference {
  return { apiGroup: null, ...local } as TypedLocalObjectReference
}

/** Drops unknown kinds of sources from the older field, unless they are in use. */
function dropDataSources(spec: PersistentVolumeClaimSpec, old?: PersistentVolumeClaimSpec): void {
  if (old?.dataSource || old?.dataSourceRef || spec.dataSourceRef) return
  const { kind, apiGroup } = spec.dataSource ?? {}
  const isClaim = kind === 'PersistentVolumeClaim' && !apiGroup
  const isSnapshot = kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io'
  if (!isClaim && !isSnapshot) delete spec.dataSource
}

/** Copies the older field into the newer one, and back as far as the older one can express it. */
function copyDataSource(spec: PersistentVolumeClaimSpec): void {
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource }
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace)
    spec.dataSource = localPart(spec.dataSourceRef)
}

const immutable = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function validateUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  // an update may set any group when the old object has one
  const anyGroup = Boolean(old.spec.dataSource?.apiGroup ?? old.spec.dataSourceRef?.apiGroup)
  validateClaimSpec(claim.spec, Path.of('spec'), errors, anyGroup)
  const rest = cloneGiven(claim.spec)
  const before = cloneJson(old.spec)
  const bound = old.status.phase === 'Bound'
  const changed = claim.metadata.annotations?.[betaClass] !== old.metadata.annotations?.[betaClass]
  const path = Path.of('metadata', 'annotations', betaClass)
  const annotated = old.metadata.annotations?.[betaClass]
  const now = claim.metadata.annotations?.[betaClass]
  const takenOver = annotated !== undefined && before.storageClassName === undefined && rest.storageClassName === annotated
  // the annotation's value may move into the field
  if (takenOver && (now === undefined || !changed)) delete rest.storageClassName
  else {
    if (changed) errors.invalid(path, now ?? '', 'field is immutable')
    if (rest.storageClassName !== undefined && before.storageClassName === undefined && (annotated === undefined || takenOver))
      delete rest.storageClassName
  }
  // a claim is bound once, by the controller
  if (!before.volumeName) before.volumeName = rest.volumeName
  if (bound) {
    if (rest.resources.requests) rest.resources.requests.storage = before.resources.requests?.storage ?? '0'
    if (before.volumeAttributesClassName === undefined) delete rest.volumeAttributesClassName
    else rest.volumeAttributesClassName = before.volumeAttributesClassName
  }
  if (!equalWritten(rest, before))
    errors.forbidden('spec', `${immutable}\n${specChanges('core.v1.PersistentVolumeClaimSpec', before, rest)}`)
  validateSize(claim, old, errors)
  if (claim.spec.volumeMode !== old.spec.volumeMode)
    errors.invalid('volumeMode', namedText(claim.spec.volumeMode), 'field is immutable')
  validateAttributesClass(claim, old, errors)
}

function validateSize({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const size = spec.resources.requests?.storage ?? '0'
  const shrinks = compareQuantities(size, old.spec.resources.requests?.storage ?? '0') < 0
  if (shrinks && compareQuantities(size, old.status.capacity?.storage ?? '0') <= 0)
    errors.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')
}

/** The attributes class of a claim cannot be removed. */
function validateAttributesClass({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const name = spec.volumeAttributesClassName
  if (name === old.spec.volumeAttributesClassName || old.status.currentVolumeAttributesClassName === undefined) return
  const why = 'is forbidden when status.currentVolumeAttributesClassName is not nil'
  const path = Path.of('spec', 'volumeAttributesClassName')
  if (name === undefined) errors.forbidden(path, `update to nil ${why}`)
  else if (name === '') errors.forbidden(path, `update to empty string ${why}`)
}

function validateResourceKey(name: string, path: Path, errors: FieldErrors): boolean {
  const wrong = isQualifiedName(name)
  for (const e of wrong) errors.invalid(path, name, e)
  if (wrong.length > 0) return false
  const supported = !isNativeResource(name) || name === 'storage'
  if (!supported) errors.notSupported(path, name, ['storage'])
  return supported
}
