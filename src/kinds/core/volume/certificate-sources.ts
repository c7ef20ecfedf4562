/** Validates projected volumes with trust anchors, and with certificates of the Pod. */
import type { ClusterTrustBundleProjection, PodCertificateProjection } from '../../../apimachinery/api/generated/core-v1.js'
import { given } from '../../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { plainText } from '../../../apimachinery/validation/go-value.js'
import { internalText } from '../../../apimachinery/validation/internal-text.js'
import { validateLabelSelector } from '../../../apimachinery/validation/label-selector.js'
import { bundleNameProblems } from '../../certificates/cluster-trust-bundle.js'
import { certificateSeconds } from '../../certificates/pod-certificate-spec.js'
import { validateAnySignerName } from '../../certificates/signer-name.js'
import { isKubernetesSigner } from '../../certificates/signers.js'
import { validateUserAnnotations } from '../../user-annotations.js'
import { validateId } from '../linux-id.js'
import { validateLocalNonReservedPath } from './local-path.js'

/** Adds an error when another source of the volume has the path; `name` is what the error shows. */
type Unique = (path: string, name: string) => void

export function validateTrustBundleSource(
  source: ClusterTrustBundleProjection,
  path: Path,
  unique: Unique,
  errors: FieldErrors
): void {
  const { name, signerName, labelSelector } = source
  if (name !== undefined && signerName !== undefined)
    errors.invalid(
      path,
      internalText('core.v1.ClusterTrustBundleProjection', source),
      'only one of name and signerName may be used'
    )
  else if (name !== undefined) {
    validateBundleName(name, path.child('name'), errors)
    if (labelSelector)
      errors.invalid(path.child('labelSelector'), labelSelector, 'labelSelector must be unset if name is specified')
  } else if (signerName !== undefined) {
    if (signerName === '') errors.required(path.child('signerName'), 'must be a valid signer name')
    validateAnySignerName(signerName, path.child('signerName'), errors)
    validateLabelSelector(labelSelector, path.child('labelSelector'), errors)
  } else errors.required(path, 'either name or signerName must be specified')
  if (source.path === '') errors.required(path.child('path'))
  validateId(source.user, path.child('user'), errors)
  validateLocalNonReservedPath(source.path, path.child('path'), errors)
  unique(source.path, source.path)
}

/** Validates the name of a signer's bundle, which has the signer before its last colon. */
function validateBundleName(name: string, path: Path, errors: FieldErrors): void {
  if (name === '') errors.required(path, 'must be a valid object name')
  const signer = name.slice(0, Math.max(0, name.lastIndexOf(':'))).replaceAll(':', '/')
  for (const problem of bundleNameProblems(name, signer, false))
    errors.invalid(path, name, `not a valid clustertrustbundlename: ${problem}`)
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']

export function validatePodCertificateSource(
  source: PodCertificateProjection,
  path: Path,
  unique: Unique,
  errors: FieldErrors
): void {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds } = source
  validateAnySignerName(signerName, path.child('signerName'), errors)
  const annotations = given(source, 'userAnnotations')
  if (annotations) validateUserAnnotations(annotations, path.child('userAnnotations'), errors)
  if (!keyTypes.includes(keyType)) errors.notSupported(path.child('keyType'), plainText(keyType), keyTypes)
  if (seconds !== undefined) {
    const { min, max, ofKubernetes } = certificateSeconds
    const most = isKubernetesSigner(signerName) ? ofKubernetes : max
    const limit = (text: string) =>
      errors.invalid(path.child('maxExpirationSeconds'), seconds, `if provided, maxExpirationSeconds must be ${text}`)
    if (seconds < min) limit(`>= ${min}`)
    if (seconds > most) limit(`<= ${most}`)
  }
  const files = (['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const).filter(field => source[field])
  for (const field of files) {
    validateLocalNonReservedPath(source[field]!, path.child(field), errors)
    unique(source[field]!, source[field]!)
  }
  if (files.length === 0) errors.required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath')
}
