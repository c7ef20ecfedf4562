import type { KeyToPath, Volume } from '../../api/generated/core-v1.js'
import { parseQuantity } from '../../util/quantity.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Label } from '../../validation/names.js'
import { validateLocalDescendingPath, validateLocalNonReservedPath } from './local-path.js'
import { validateClaimSpec } from './persistent-volume-claim-validation.js'
import { validateDownwardFile, validateFileMode, validateProjected } from './projected-volume-validation.js'
import {
  needs,
  validateAzureDisk,
  validateFc,
  validateFlocker,
  validateHostPath,
  validateInlineCsi,
  validateIscsi,
  validateNfs,
  validatePartition,
  validateQuobyte
} from './volume-source-validation.js'

/** Returns the valid volumes, by name: mounts of others are not found. */
export function validateVolumes(volumes: readonly Volume[], path: Path, errors: FieldErrors): ReadonlyMap<string, Volume> {
  const valid = new Map<string, Volume>()
  volumes.forEach((volume, i) => {
    const at = path.index(i)
    const before = errors.list.length
    validateSource(volume, at, errors)
    if (!volume.name) errors.required(at.child('name'))
    else for (const e of isDns1123Label(volume.name)) errors.invalid(at.child('name'), volume.name, e)
    if (valid.has(volume.name)) errors.duplicate(at.child('name'), volume.name)
    if (errors.list.length === before) valid.set(volume.name, volume)
  })
  return valid
}

type Source = Exclude<keyof Volume, 'name'>
type SourceRules = {
  readonly [K in Source]-?: (source: NonNullable<Volume[K]>, path: Path, errors: FieldErrors, volume: Volume) => void
}

/** In the order in which they are looked at: of two sources the later one is the one too many. */
const rules: SourceRules = {
  emptyDir(source, path, errors) {
    if (source.sizeLimit !== undefined && parseQuantity(source.sizeLimit).mantissa < 0n)
      errors.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')
  },
  hostPath: validateHostPath,
  gitRepo(source, path, errors) {
    needs(source, ['repository'], path, errors)
    validateLocalDescendingPath(source.directory ?? '', path.child('directory'), errors)
  },
  gcePersistentDisk(source, path, errors) {
    needs(source, ['pdName'], path, errors)
    validatePartition(source.partition, path, errors)
  },
  awsElasticBlockStore(source, path, errors) {
    needs(source, ['volumeID'], path, errors)
    validatePartition(source.partition, path, errors)
  },
  secret(source, path, errors) {
    needs(source, ['secretName'], path, errors)
    validateFileMode(source.defaultMode, path.child('defaultMode'), errors)
    validateItems(source.items, path.child('items'), errors)
  },
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: (source, path, errors) => needs(source, ['endpoints', 'path'], path, errors),
  flocker: validateFlocker,
  persistentVolumeClaim: (source, path, errors) => needs(source, ['claimName'], path, errors),
  rbd: (source, path, errors) => needs(source, ['monitors', 'image'], path, errors),
  cinder(source, path, errors) {
    needs(source, ['volumeID'], path, errors)
    if (source.secretRef) needs(source.secretRef, ['name'], path.child('secretRef'), errors)
  },
  cephfs: (source, path, errors) => needs(source, ['monitors'], path, errors),
  quobyte: validateQuobyte,
  downwardAPI(source, path, errors) {
    validateFileMode(source.defaultMode, path.child('defaultMode'), errors)
    for (const file of source.items ?? []) validateDownwardFile(file, path, errors)
  },
  fc: validateFc,
  flexVolume: (source, path, errors) => needs(source, ['driver'], path, errors),
  configMap(source, path, errors) {
    needs(source, ['name'], path, errors)
    validateFileMode(source.defaultMode, path.child('defaultMode'), errors)
    validateItems(source.items, path.child('items'), errors)
  },
  azureFile: (source, path, errors) => needs(source, ['secretName', 'shareName'], path, errors),
  vsphereVolume: (source, path, errors) => needs(source, ['volumePath'], path, errors),
  photonPersistentDisk: (source, path, errors) => needs(source, ['pdID'], path, errors),
  portworxVolume: (source, path, errors) => needs(source, ['volumeID'], path, errors),
  azureDisk: validateAzureDisk,
  storageos(source, path, errors) {
    needs(source, ['volumeName'], path, errors)
    if (source.secretRef) needs(source.secretRef, ['name'], path.child('secretRef'), errors)
  },
  projected: validateProjected,
  scaleIO: (source, path, errors) => needs(source, ['gateway', 'system', 'volumeName'], path, errors),
  csi: validateInlineCsi,
  ephemeral(source, path, errors) {
    if (!source.volumeClaimTemplate) return errors.required(path.child('volumeClaimTemplate'))
    validateClaimSpec(source.volumeClaimTemplate.spec, path.child('volumeClaimTemplate', 'spec'), errors)
  },
  image(source, path, errors) {
    needs(source, ['reference'], path, errors)
    const policies = ['Always', 'IfNotPresent', 'Never']
    if (!policies.includes(source.pullPolicy ?? '')) errors.notSupported(path.child('pullPolicy'), source.pullPolicy, policies)
  }
}

function validateSource(volume: Volume, path: Path, errors: FieldErrors): void {
  let found = false
  for (const name of Object.keys(rules) as Source[]) {
    const source = volume[name]
    if (source === undefined) continue
    const at = path.child(name)
    if (found) errors.forbidden(at, 'may not specify more than 1 volume type')
    // the one source whose errors call it by another name
    else
      (rules[name] as (source: unknown, path: Path, errors: FieldErrors, volume: Volume) => void)(
        source,
        name === 'gcePersistentDisk' ? path.child('persistentDisk') : at,
        errors,
        volume
      )
    found = true
  }
  if (!found) errors.required(path, 'must specify a volume type')
}

function validateItems(items: readonly KeyToPath[] | undefined, path: Path, errors: FieldErrors): void {
  items?.forEach((item, i) => void validateKeyToPath(item, path.index(i), errors))
}

export function validateKeyToPath(item: KeyToPath, path: Path, errors: FieldErrors): void {
  needs(item, ['key', 'path'], path, errors)
  validateLocalNonReservedPath(item.path, path.child('path'), errors)
  validateFileMode(item.mode, path.child('mode'), errors)
}
