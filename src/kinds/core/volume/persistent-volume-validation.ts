import { posix } from 'node:path'
import type { CSIPersistentVolumeSource, PersistentVolumeSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { given } from '../../../apimachinery/schema/given.js'
import { quantityIn } from '../../../apimachinery/schema/read-quantities.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { GoText } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { integerValue, parseQuantity } from '../../../util/quantity.js'
import { validateNodeSelector } from '../pod/affinity-validation.js'
import { validateAccessModes, volumeModes } from './claim-validation.js'
import { validateNoBacksteps } from './local-path.js'
import {
  needs,
  validateAzureDisk,
  validateCsiDriverName,
  validateFc,
  validateFlexVolume,
  validateFlocker,
  validateHostPath,
  validateIscsi,
  validateNfs,
  validatePartition,
  validateQuobyte,
  validateStorageOS
} from './source-validation.js'

type Rule = (source: any, path: Path, errors: FieldErrors) => void

/** The sources in the order in which they are validated: the second of two is refused. */
const sources: Record<string, Rule> = {
  hostPath: validateHostPath,
  gcePersistentDisk(source, path, errors) {
    needs(source, ['pdName'], path, errors)
    validatePartition(source.partition, path, errors)
  },
  awsElasticBlockStore(source, path, errors) {
    needs(source, ['volumeID'], path, errors)
    validatePartition(source.partition, path, errors)
  },
  glusterfs(source, path, errors) {
    needs(source, ['endpoints', 'path'], path, errors)
    const namespace = source.endpointsNamespace
    const at = path.child('endpointsNamespace')
    if (namespace === '') errors.invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')
    else if (namespace !== undefined) for (const e of isDns1123Label(namespace)) errors.invalid(at, namespace, e)
  },
  flocker: validateFlocker,
  nfs: validateNfs,
  rbd: (source, path, errors) => needs(source, ['monitors', 'image'], path, errors),
  quobyte: validateQuobyte,
  cephfs: (source, path, errors) => needs(source, ['monitors'], path, errors),
  iscsi(source, path, errors) {
    validateIscsi(source, path, errors, 'must be valid format')
    if (source.secretRef) needs(source.secretRef, ['name'], path.child('secretRef'), errors)
  },
  cinder(source, path, errors) {
    needs(source, ['volumeID'], path, errors)
    if (source.secretRef) needs(source.secretRef, ['name', 'namespace'], path.child('secretRef'), errors)
  },
  fc: validateFc,
  flexVolume: validateFlexVolume,
  azureFile(source, path, errors) {
    needs(source, ['secretName', 'shareName'], path, errors)
    if (source.secretNamespace === '') errors.required(path.child('secretNamespace'))
  },
  vsphereVolume: (source, path, errors) => needs(source, ['volumePath'], path, errors),
  photonPersistentDisk: (source, path, errors) => needs(source, ['pdID'], path, errors),
  portworxVolume: (source, path, errors) => needs(source, ['volumeID'], path, errors),
  azureDisk: validateAzureDisk,
  scaleIO: (source, path, errors) => needs(source, ['gateway', 'system', 'volumeName'], path, errors),
  local(source, path, errors) {
    if (source.path) validateNoBacksteps(source.path, path.child('path'), errors)
    else errors.required(path.child('path'))
  },
  storageos(source, path, errors) {
    validateStorageOS(source, path, errors)
    if (source.secretRef) needs(source.secretRef, ['name', 'namespace'], path.child('secretRef'), errors)
  },
  csi: validateCsi
}

export const persistentVolumeSources = Object.keys(sources)

const reclaimPolicies = ['Delete', 'Recycle', 'Retain']

export function validatePersistentVolume(spec: PersistentVolumeSpec, path: Path, errors: FieldErrors): void {
  if (!spec.accessModes?.length) errors.required(path.child('accessModes'))
  validateAccessModes(spec.accessModes ?? [], path.child('accessModes'), errors)
  validateCapacity(given(spec, 'capacity'), path.child('capacity'), errors)
  const policy = spec.persistentVolumeReclaimPolicy
  if (policy && !reclaimPolicies.includes(policy))
    errors.notSupported(path.child('persistentVolumeReclaimPolicy'), policy, reclaimPolicies)
  const affinity = spec.nodeAffinity
  if (affinity) {
    if (affinity.required) validateNodeSelector(affinity.required, path.child('nodeAffinity', 'required'), errors)
    else errors.required(path.child('nodeAffinity', 'required'), 'must specify required node constraints')
  }
  validateSource(spec, path, errors)
  if (spec.hostPath && posix.normalize(spec.hostPath.path) === '/' && policy === 'Recycle')
    errors.forbidden(path.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")
  if (spec.storageClassName)
    for (const e of isDns1123Subdomain(spec.storageClassName))
      errors.invalid(path.child('storageClassName'), spec.storageClassName, e)
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode))
    errors.notSupported(path.child('volumeMode'), spec.volumeMode, volumeModes)
  const attributes = spec.volumeAttributesClassName
  if (attributes === undefined) return
  if (attributes === '') errors.required(path.child('volumeAttributesClassName'), 'an empty string is disallowed')
  else for (const e of isDns1123Subdomain(attributes)) errors.invalid(path.child('volumeAttributesClassName'), attributes, e)
  if (!spec.csi) errors.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName')
}

function validateCapacity(capacity: Record<string, string> | undefined, path: Path, errors: FieldErrors): void {
  const names = Object.keys(capacity ?? {})
  if (names.length === 0) errors.required(path)
  if (names.length !== 1 || names[0] !== 'storage') errors.notSupported(path, capacity, ['storage'])
  for (const [name, quantity] of Object.entries(capacity ?? {})) {
    validateWholeAmount(capacity!, name, path.key(name), errors)
    if (parseQuantity(quantity).mantissa <= 0n) errors.invalid(path.key(name), quantity, 'must be greater than zero')
  }
}

/** Validates an amount of a list, which kube-apiserver compares and prints as a whole number: -1m is -1. */
export function validateWholeAmount(list: Record<string, string>, name: string, path: Path, errors: FieldErrors): void {
  const value = integerValue(quantityIn(list, name))
  if (value < 0n) errors.invalid(path, new GoText(String(value)), 'must be a valid resource quantity')
}

export function validateSource(spec: PersistentVolumeSpec, path: Path, errors: FieldErrors): void {
  const values = spec as unknown as Record<string, unknown>
  let found = false
  for (const [name, rule] of Object.entries(sources)) {
    if (values[name] === undefined) continue
    // flex volumes go with any other
    if (found && name !== 'flexVolume')
      errors.forbidden(path.child(name === 'cephfs' ? 'cephFS' : name), 'may not specify more than 1 volume type')
    else {
      rule(values[name], path.child(name === 'gcePersistentDisk' ? 'persistentDisk' : name), errors)
      if (name === 'local' && !spec.nodeAffinity)
        errors.required(path.child('nodeAffinity'), 'Local volume requires node affinity')
    }
    found = true
  }
  if (!found) errors.required(path, 'must specify a volume type')
}

function validateCsi(source: CSIPersistentVolumeSource, path: Path, errors: FieldErrors): void {
  validateCsiDriverName(source.driver, path.child('driver'), errors)
  needs(source, ['volumeHandle'], path, errors)
  for (const ref of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeStageSecretRef',
    'nodeExpandSecretRef'
  ] as const) {
    const secret = source[ref]
    // kube-apiserver does not validate this reference
    if (!secret || ref === 'nodeStageSecretRef') continue
    const at = path.child(ref)
    needs(secret, ['name', 'namespace'], at, errors)
    if (secret.name) for (const e of isDns1123Subdomain(secret.name)) errors.invalid(at.child('name'), secret.name, e)
    if (secret.namespace)
      for (const e of isDns1123Label(secret.namespace)) errors.invalid(at.child('namespace'), secret.namespace, e)
  }
}
