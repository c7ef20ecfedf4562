import type { PersistentVolumeSpec } from '../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateAccessModes } from '../core/volume/claim-validation.js'
import { defaultAzureDisk, defaultIscsi, defaultRbd, defaultScaleIO } from '../core/volume/defaults.js'
import { validateSource } from '../core/volume/persistent-volume-validation.js'

const inContext = 'in the context of inline volumes'

/** Sets the defaults of an inline volume: only its sources have some inside another object. */
export function defaultInlineVolume({ hostPath, iscsi, rbd, azureDisk, scaleIO }: PersistentVolumeSpec): void {
  if (hostPath) hostPath.type ??= ''
  if (iscsi) defaultIscsi(iscsi)
  if (rbd) defaultRbd(rbd)
  if (azureDisk) defaultAzureDisk(azureDisk)
  if (scaleIO) defaultScaleIO(scaleIO)
}

/** Validates a persistent volume inside another object: it has a source and access modes, but no fields for claims. */
export function validateInlineVolume(spec: PersistentVolumeSpec, path: Path, errors: FieldErrors): void {
  const absent = (field: keyof PersistentVolumeSpec, present: boolean) => {
    if (present) errors.forbidden(path.child(field), `may not be specified ${inContext}`)
  }
  absent('claimRef', !!spec.claimRef)
  absent('capacity', Object.keys(spec.capacity ?? {}).length > 0)
  if (!spec.csi) errors.required(path.child('csi'), `has to be specified ${inContext}`)
  if (!spec.accessModes?.length) errors.required(path.child('accessModes'))
  validateAccessModes(spec.accessModes ?? [], path.child('accessModes'), errors)
  const { persistentVolumeReclaimPolicy: policy, volumeMode } = spec
  if (policy && policy !== 'Retain')
    errors.forbidden(path.child('persistentVolumeReclaimPolicy'), `may only be Retain ${inContext}`)
  absent('nodeAffinity', !!spec.nodeAffinity)
  validateSource({ ...spec, nodeAffinity: undefined }, path, errors)
  absent('storageClassName', !!spec.storageClassName)
  if (volumeMode !== undefined && volumeMode !== 'Filesystem')
    errors.forbidden(path.child('volumeMode'), `may not specify volumeMode other than Filesystem ${inContext}`)
}
