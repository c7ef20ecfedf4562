import type { DownwardAPIVolumeFile, KeyToPath, ProjectedVolumeSource } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateFieldRef, validateResourceFieldRef } from '../container/env-validation.js'
import { validateId } from '../linux-id.js'
import { validatePodCertificateSource, validateTrustBundleSource } from './certificate-sources.js'
import { validateLocalNonReservedPath } from './local-path.js'
import { needs } from './source-validation.js'

export function validateFileMode(mode: number | undefined, path: Path, errors: FieldErrors): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777))
    errors.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')
}

export function validateDownwardFile(file: DownwardAPIVolumeFile, path: Path, errors: FieldErrors): void {
  if (!file.path) errors.required(path.child('path'))
  validateLocalNonReservedPath(file.path, path.child('path'), errors)
  if (file.fieldRef) {
    validateFieldRef(file.fieldRef, 'volume', path.child('fieldRef'), errors)
    if (file.resourceFieldRef)
      errors.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')
  } else if (file.resourceFieldRef)
    validateResourceFieldRef(file.resourceFieldRef, 'volume', path.child('resourceFieldRef'), errors)
  else errors.required(path, 'one of fieldRef and resourceFieldRef is required')
  validateFileMode(file.mode, path.child('mode'), errors)
  validateId(file.user, path.child('user'), errors)
}

const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32

const sources = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'] as const

export function validateProjected(source: ProjectedVolumeSource, path: Path, errors: FieldErrors): void {
  validateFileMode(source.defaultMode, path.child('defaultMode'), errors)
  validateId(source.defaultUser, path.child('defaultUser'), errors)
  const paths = new Set<string>()
  /** `name` is what the error shows for a path that another source has. */
  const unique = (target: string, name: string) => {
    if (paths.has(target)) errors.invalid(path, name, 'conflicting duplicate paths')
    paths.add(target)
  }
  source.sources?.forEach((projection, i) => {
    const at = path.child('sources').index(i)
    const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection
    for (const [field, object] of [
      ['secret', secret],
      ['configMap', configMap]
    ] as const) {
      if (!object) continue
      if (!object.name) errors.required(at.child(field, 'name'))
      object.items?.forEach((item, j) => {
        validateKeyToPath(item, at.child(field, 'items').index(j), errors)
        if (item.path) unique(item.path, object.name ?? '')
      })
    }
    for (const file of downwardAPI?.items ?? []) {
      validateDownwardFile(file, at.child('downwardAPI'), errors)
      if (file.path) unique(file.path, file.path)
    }
    if (serviceAccountToken) {
      const seconds = serviceAccountToken.expirationSeconds
      const field = at.child('serviceAccountToken', 'expirationSeconds')
      if (seconds === undefined) errors.required(field)
      else if (seconds < minTokenSeconds) errors.invalid(field, seconds, 'may not specify a duration less than 10 minutes')
      else if (seconds > maxTokenSeconds) errors.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')
      if (!serviceAccountToken.path) errors.required(path.child('path'))
      else validateLocalNonReservedPath(serviceAccountToken.path, path.child('path'), errors)
      validateId(serviceAccountToken.user, at.child('serviceAccountToken', 'user'), errors)
    }
    if (clusterTrustBundle) validateTrustBundleSource(clusterTrustBundle, at.child('clusterTrustBundle'), unique, errors)
    if (podCertificate) {
      validatePodCertificateSource(podCertificate, at.child('podCertificate'), unique, errors)
      validateId(podCertificate.user, at.child('podCertificate', 'user'), errors)
    }
    if (sources.filter(name => projection[name]).length > 1)
      errors.forbidden(at, 'may not specify more than 1 volume type per source')
  })
}

export function validateKeyToPath(item: KeyToPath, path: Path, errors: FieldErrors): void {
  needs(item, ['key', 'path'], path, errors)
  validateLocalNonReservedPath(item.path, path.child('path'), errors)
  validateFileMode(item.mode, path.child('mode'), errors)
  validateId(item.user, path.child('user'), errors)
}
