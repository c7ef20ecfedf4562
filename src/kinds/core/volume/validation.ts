import type { KeyToPath, Volume } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { goQuote } from '../../../util/go-format.js'
import { parseQuantity } from '../../../util/quantity.js'
import { validateTemplateMetadata } from '../../template-metadata.js'
import { validateId } from '../linux-id.js'
import { validateClaimSpec } from './claim-validation.js'
import { validateLocalDescendingPath } from './local-path.js'
import { validateDownwardFile, validateFileMode, validateKeyToPath, validateProjected } from './projected-validation.js'
import {
  needs,
  validateAzureDisk,
  validateFc,
  validateFlexVolume,
  validateFlocker,
  validateHostPath,
  validateInlineCsi,
  validateIscsi,
  validateNfs,
  validatePartition,
  validateQuobyte,
  validateStorageOS
} from './source-validation.js'

/** Returns the valid volumes by name: a mount of another one is reported as not found. */
export function validateVolumes(
  volumes: readonly Volume[],
  path: Path,
  errors: FieldErrors,
  podName?: string,
  needsReference = true
): ReadonlyMap<string, Volume> {
  const valid = new Map<string, Volume>()
  const ownClaims = new Set(volumes.filter(v => v.ephemeral && podName).map(v => `${podName}-${v.name}`))
  volumes.forEach((volume, i) => {
    const at = path.index(i)
    const before = errors.list.length
    validateSource(volume, at, errors, podName, needsReference)
    if (!volume.name) errors.required(at.child('name'))
    else for (const e of isDns1123Label(volume.name)) errors.invalid(at.child('name'), volume.name, e)
    if (valid.has(volume.name)) errors.duplicate(at.child('name'), volume.name)
    if (errors.list.length === before) valid.set(volume.name, volume)
    const claim = volume.persistentVolumeClaim?.claimName
    if (claim !== undefined && ownClaims.has(claim)) {
      const why = 'must not reference a PVC that gets created for an ephemeral volume'
      errors.invalid(at.child('persistentVolumeClaim', 'claimName'), claim, why)
    }
  })
  return valid
}

type Source = Exclude<keyof Volume, 'name'>
type SourceRules = {
  readonly [K in Source]-?: (source: NonNullable<Volume[K]>, path: Path, errors: FieldErrors, needsReference: boolean) => void
}

/** The sources in the order in which they are validated: the second of two is refused. */
const rules: SourceRules = {
  emptyDir(source, path, errors) {
    if (source.sizeLimit !== undefined && parseQuantity(source.sizeLimit).mantissa < 0n)
      errors.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')
    if (source.mode !== undefined && (source.mode < 0 || source.mode > 0o1777))
      errors.invalid(path.child('mode'), source.mode, 'must be a number between 0 and 01777 (octal), both inclusive')
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
    validateId(source.defaultUser, path.child('defaultUser'), errors)
    validateItems(source.items, path.child('items'), errors)
  },
  nfs: validateNfs,
  iscsi: (source, path, errors) => validateIscsi(source, path, errors),
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
    validateId(source.defaultUser, path.child('defaultUser'), errors)
    for (const file of source.items ?? []) validateDownwardFile(file, path, errors)
  },
  fc: validateFc,
  flexVolume: validateFlexVolume,
  configMap(source, path, errors) {
    needs(source, ['name'], path, errors)
    validateFileMode(source.defaultMode, path.child('defaultMode'), errors)
    validateId(source.defaultUser, path.child('defaultUser'), errors)
    validateItems(source.items, path.child('items'), errors)
  },
  azureFile: (source, path, errors) => needs(source, ['secretName', 'shareName'], path, errors),
  vsphereVolume: (source, path, errors) => needs(source, ['volumePath'], path, errors),
  photonPersistentDisk: (source, path, errors) => needs(source, ['pdID'], path, errors),
  portworxVolume: (source, path, errors) => needs(source, ['volumeID'], path, errors),
  azureDisk: validateAzureDisk,
  storageos(source, path, errors) {
    validateStorageOS(source, path, errors)
    if (source.secretRef) needs(source.secretRef, ['name'], path.child('secretRef'), errors)
  },
  projected: validateProjected,
  scaleIO: (source, path, errors) => needs(source, ['gateway', 'system', 'volumeName'], path, errors),
  csi: validateInlineCsi,
  ephemeral(source, path, errors) {
    const template = source.volumeClaimTemplate
    const at = path.child('volumeClaimTemplate')
    if (!template) return errors.required(at)
    validateTemplateMetadata(template.metadata, at.child('metadata'), errors)
    validateClaimSpec(template.spec, at.child('spec'), errors)
  },
  image(source, path, errors, needsReference) {
    if (needsReference) needs(source, ['reference'], path, errors)
    const policies = ['Always', 'IfNotPresent', 'Never']
    if (!source.pullPolicy) errors.required(path.child('pullPolicy'))
    else if (!policies.includes(source.pullPolicy)) errors.notSupported(path.child('pullPolicy'), source.pullPolicy, policies)
  }
}

/** The names of sources in errors, where these are not the fields' names: for a second source, and for an invalid one. */
const namesOfSurplus: { readonly [K in Source]?: string } = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }
const namesOfWrong: { readonly [K in Source]?: string } = { gcePersistentDisk: 'persistentDisk' }

function validateSource(
  volume: Volume,
  path: Path,
  errors: FieldErrors,
  podName: string | undefined,
  needsReference: boolean
): void {
  let found = false
  for (const name of Object.keys(rules) as Source[]) {
    const source = volume[name]
    if (source === undefined) continue
    if (found) errors.forbidden(path.child(namesOfSurplus[name] ?? name), 'may not specify more than 1 volume type')
    else {
      const rule = rules[name] as (source: unknown, path: Path, errors: FieldErrors, needsReference: boolean) => void
      rule(source, path.child(namesOfWrong[name] ?? name), errors, needsReference)
      if (name === 'ephemeral' && podName && volume.name) validateClaimName(volume.name, podName, path.child('name'), errors)
    }
    if (name === 'iscsi') validatePortalName(volume, path.child('name'), errors)
    found = true
  }
  if (!found) errors.required(path, 'must specify a volume type')
}

function validateClaimName(volume: string, podName: string, path: Path, errors: FieldErrors): void {
  const claim = `${podName}-${volume}`
  for (const e of isDns1123Subdomain(claim)) errors.invalid(path, volume, `PVC name ${goQuote(claim)}: ${e}`)
}

function validatePortalName({ name, iscsi }: Volume, path: Path, errors: FieldErrors): void {
  if (iscsi?.initiatorName === undefined || Buffer.byteLength(`${name}:${iscsi.targetPortal}`) <= 64) return
  const rule = 'must be under 64 characters if iscsi.initiatorName is specified.'
  errors.invalid(path, name, `Total length of <volume name>:<iscsi.targetPortal> ${rule}`)
}

function validateItems(items: readonly KeyToPath[] | undefined, path: Path, errors: FieldErrors): void {
  items?.forEach((item, i) => void validateKeyToPath(item, path.index(i), errors))
}
