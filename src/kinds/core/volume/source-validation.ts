/** Validates the volume sources that Pods and PersistentVolumes share, in forms that differ little. */
import type {
  AzureDiskVolumeSource,
  CSIVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource
} from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { plainText } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { validateNoBacksteps } from './local-path.js'

/** Reports the fields that are missing or empty. */
export function needs(source: object, fields: readonly string[], path: Path, errors: FieldErrors): void {
  const values = source as Record<string, unknown>
  for (const field of fields) {
    const value = values[field]
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
      errors.required(path.child(field))
  }
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket']

export function validateHostPath(source: HostPathVolumeSource, path: Path, errors: FieldErrors): void {
  if (!source.path) return errors.required(path.child('path'))
  validateNoBacksteps(source.path, path.child('path'), errors)
  if (!hostPathTypes.includes(source.type ?? '')) errors.notSupported(path.child('type'), source.type, hostPathTypes)
}

export function validatePartition(partition: number | undefined, path: Path, errors: FieldErrors): void {
  if (partition !== undefined && (partition < 0 || partition > 255))
    errors.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive')
}

export function validateNfs(source: NFSVolumeSource, path: Path, errors: FieldErrors): void {
  needs(source, ['server', 'path'], path, errors)
  if (!source.path?.startsWith('/')) errors.invalid(path.child('path'), source.path ?? '', 'must be an absolute path')
}

const initiators: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/s,
  naa: /^naa.[A-Za-z0-9]{32}$/s
}

/** Longer names are refused unread, because the pattern could take quadratic time. The standards allow 223 bytes. */
const longestInitiator = 4096

function validateInitiator(name: string, path: Path, errors: FieldErrors, unknown: string): void {
  const pattern = initiators[name.slice(0, 3)]
  if (!pattern) errors.invalid(path, name, unknown)
  else if (name.length > longestInitiator || !pattern.test(name)) errors.invalid(path, name, 'must be valid format')
}

export function validateIscsi(
  source: Omit<ISCSIVolumeSource, 'secretRef'> & { secretRef?: object | undefined },
  path: Path,
  errors: FieldErrors,
  unknownInitiator = 'must be valid format starting with iqn, eui, or naa'
): void {
  needs(source, ['targetPortal'], path, errors)
  if (!source.iqn) errors.required(path.child('iqn'))
  else validateInitiator(source.iqn, path.child('iqn'), errors, unknownInitiator)
  if (source.lun < 0 || source.lun > 255) errors.invalid(path.child('lun'), source.lun, 'must be between 0 and 255, inclusive')
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) errors.required(path.child('secretRef'))
  const name = source.initiatorName
  if (name !== undefined) validateInitiator(name, path.child('initiatorname'), errors, unknownInitiator)
}

export function validateFc(source: FCVolumeSource, path: Path, errors: FieldErrors): void {
  const { targetWWNs, wwids, lun } = source
  if (!targetWWNs?.length && !wwids?.length)
    errors.required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both')
  if (targetWWNs?.length && wwids?.length)
    errors.invalid(path.child('targetWWNs'), targetWWNs, 'targetWWNs and wwids can not be specified simultaneously')
  if (!targetWWNs?.length) return
  if (lun === undefined) errors.required(path.child('lun'), 'lun is required if targetWWNs is specified')
  else if (lun < 0 || lun > 255) errors.invalid(path.child('lun'), lun, 'must be between 0 and 255, inclusive')
}

export function validateFlocker(source: FlockerVolumeSource, path: Path, errors: FieldErrors): void {
  const { datasetName, datasetUUID } = source
  if (!datasetName && !datasetUUID) errors.required(path, 'one of datasetName and datasetUUID is required')
  if (datasetName && datasetUUID)
    errors.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')
  if (datasetName?.includes('/')) errors.invalid(path.child('datasetName'), datasetName, "must not contain '/'")
}

export function validateQuobyte(source: QuobyteVolumeSource, path: Path, errors: FieldErrors): void {
  const rule = 'must be a host:port pair or multiple pairs separated by commas'
  if (!source.registry) errors.required(path.child('registry'), rule)
  else if (Buffer.byteLength(source.tenant ?? '') > 64)
    errors.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters')
  else {
    for (const pair of source.registry.split(','))
      if (!/^[^:[\]]*:[^:[\]]*$|^\[[^[\]]*\]:[^:[\]]*$/.test(pair)) errors.invalid(path.child('registry'), source.registry, rule)
  }
  needs(source, ['volume'], path, errors)
}

const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

export function validateAzureDisk(source: AzureDiskVolumeSource, path: Path, errors: FieldErrors): void {
  needs(source, ['diskName', 'diskURI'], path, errors)
  const caching = ['None', 'ReadOnly', 'ReadWrite']
  const kinds = ['Dedicated', 'Managed', 'Shared']
  if (source.cachingMode !== undefined && !caching.includes(source.cachingMode))
    errors.notSupported(path.child('cachingMode'), source.cachingMode, caching)
  if (source.kind !== undefined && !kinds.includes(source.kind)) errors.notSupported(path.child('kind'), source.kind, kinds)
  const uri = source.diskURI ?? ''
  if (source.kind === 'Managed' && !uri.startsWith('/subscriptions/'))
    errors.notSupported(path.child('diskURI'), plainText(uri), [managedDisk])
  if (source.kind !== undefined && source.kind !== 'Managed' && !uri.startsWith('https://'))
    errors.notSupported(path.child('diskURI'), plainText(uri), [blobDisk])
}

const maxDriverName = 63

export function validateCsiDriverName(driver: string, path: Path, errors: FieldErrors): void {
  if (!driver) errors.required(path)
  else {
    if (Buffer.byteLength(driver) > maxDriverName) errors.tooLong(path, maxDriverName)
    for (const e of isDns1123Subdomain(driver.toLowerCase())) errors.invalid(path, driver, e)
  }
}

/** Options belong to the driver; Kubernetes' own prefixes are reserved. */
export function validateFlexVolume(
  source: { driver: string; options?: Record<string, string> | undefined },
  path: Path,
  errors: FieldErrors
): void {
  needs(source, ['driver'], path, errors)
  for (const option of Object.keys(source.options ?? {})) {
    const [namespace = ''] = option.split('/')
    if (/\.(kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`))
      errors.invalid(path.child('options').key(option), option, 'kubernetes.io and k8s.io namespaces are reserved')
  }
}

export function validateStorageOS(
  source: { volumeName?: string | undefined; volumeNamespace?: string | undefined },
  path: Path,
  errors: FieldErrors
): void {
  needs(source, ['volumeName'], path, errors)
  for (const field of ['volumeName', 'volumeNamespace'] as const) {
    const name = source[field]
    if (name) for (const e of isDns1123Label(name)) errors.invalid(path.child(field), name, e)
  }
}

export function validateInlineCsi(source: CSIVolumeSource, path: Path, errors: FieldErrors): void {
  validateCsiDriverName(source.driver, path.child('driver'), errors)
  const secret = source.nodePublishSecretRef
  if (!secret) return
  if (!secret.name) errors.required(path.child('nodePublishSecretRef', 'name'))
  else for (const e of isDns1123Subdomain(secret.name)) errors.invalid(path.child('name'), secret.name, e)
}
