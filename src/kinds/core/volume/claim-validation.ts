/** Validates the spec of a PersistentVolumeClaim or of a claim template. */
import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference
} from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../../apimachinery/validation/label-selector.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { equalJson } from '../../../util/json.js'
import { parseQuantity } from '../../../util/quantity.js'

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
export const volumeModes = ['Block', 'Filesystem']

export function validateAccessModes(modes: readonly string[], path: Path, errors: FieldErrors): void {
  const known = modes.filter(mode => accessModes.includes(mode))
  for (const mode of modes) if (!accessModes.includes(mode)) errors.notSupported(path, mode, accessModes)
  if (modes.includes('ReadWriteOncePod') && known.some(mode => mode !== 'ReadWriteOncePod'))
    errors.forbidden(path, 'may not use ReadWriteOncePod with other access modes')
}

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: Path, errors: FieldErrors, anyGroup = false): void {
  if (!spec.accessModes?.length) errors.required(path.child('accessModes'), 'at least 1 access mode is required')
  validateLabelSelector(spec.selector, path.child('selector'), errors)
  validateAccessModes(spec.accessModes ?? [], path.child('accessModes'), errors)
  const storage = spec.resources.requests?.storage
  const at = path.child('resources').key('storage')
  if (storage === undefined) errors.required(at)
  else if (parseQuantity(storage).mantissa <= 0n) errors.invalid(at, storage, 'must be greater than zero')
  if (spec.storageClassName)
    for (const e of isDns1123Subdomain(spec.storageClassName))
      errors.invalid(path.child('storageClassName'), spec.storageClassName, e)
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode))
    errors.notSupported(path.child('volumeMode'), spec.volumeMode, volumeModes)
  if (spec.dataSource) validateDataSource(spec.dataSource, path.child('dataSource'), errors, anyGroup)
  if (spec.dataSourceRef) validateDataSource(spec.dataSourceRef, path.child('dataSourceRef'), errors, anyGroup)
  validateSameSource(spec, path, errors)
  if (spec.volumeAttributesClassName)
    for (const e of isDns1123Subdomain(spec.volumeAttributesClassName))
      errors.invalid(path.child('volumeAttributesClassName'), spec.volumeAttributesClassName, e)
}

function validateSameSource({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, path: Path, errors: FieldErrors): void {
  if (!dataSource || !dataSourceRef) return
  const { namespace, ...local } = dataSourceRef
  if (namespace) errors.invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified')
  else if (!equalJson({ apiGroup: null, ...dataSource }, { apiGroup: null, ...local }))
    errors.invalid(path, {}, 'must match dataSourceRef')
}

function validateDataSource(
  source: TypedLocalObjectReference | TypedObjectReference,
  path: Path,
  errors: FieldErrors,
  anyGroup: boolean
): void {
  if (!source.name) errors.required(path.child('name'))
  if (!source.kind) errors.required(path.child('kind'))
  const group = source.apiGroup ?? ''
  if (group === '' && source.kind !== 'PersistentVolumeClaim')
    errors.invalid(path, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")
  if (group !== '' && !anyGroup) for (const e of isDns1123Subdomain(group)) errors.invalid(path.child('apiGroup'), group, e)
  const namespace = 'namespace' in source ? source.namespace : undefined
  if (namespace) for (const e of isDns1123Label(namespace)) errors.invalid(path.child('namespace'), namespace, e)
}
