import type { PodCertificateRequestSpec } from '../../apimachinery/api/generated/certificates-v1beta1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { noValue } from '../../apimachinery/validation/go-value.js'
import { nameIsSubdomain } from '../../apimachinery/validation/names.js'
import { validateUserAnnotations } from '../user-annotations.js'
import { validateKeyAndProof, validateStubRequest } from './pod-certificate-key.js'
import { validateAnySignerName } from './signer-name.js'
import { isKubernetesSigner } from './signers.js'

const path = Path.of('spec')
const maxUidBytes = 128
const day = 24 * 60 * 60
/** How long certificates may be valid, in seconds. */
export const certificateSeconds = { min: 60 * 60, max: 91 * day, ofKubernetes: day }

export function validatePodCertificateSpec(spec: PodCertificateRequestSpec, errors: FieldErrors): void {
  const { signerName, maxExpirationSeconds, unverifiedUserAnnotations } = spec
  validateAnySignerName(signerName, path.child('signerName'), errors)
  if (unverifiedUserAnnotations)
    validateUserAnnotations(unverifiedUserAnnotations, path.child('unverifiedUserAnnotations'), errors)
  for (const of of ['pod', 'serviceAccount', 'node'] as const) {
    const [name, uid] = [spec[`${of}Name`], spec[`${of}UID`]]
    for (const e of nameIsSubdomain(name, false)) errors.invalid(path.child(`${of}Name`), name, e)
    if (uid === '') errors.invalid(path.child(`${of}UID`), uid, 'must not be empty')
    if (Buffer.byteLength(uid) > maxUidBytes) errors.tooLong(path.child(`${of}UID`), maxUidBytes)
  }
  const at = path.child('maxExpirationSeconds')
  if (maxExpirationSeconds === undefined) {
    errors.required(at, 'must be set')
    return
  }
  const { min, max, ofKubernetes } = certificateSeconds
  const most = isKubernetesSigner(signerName) ? ofKubernetes : max
  if (maxExpirationSeconds < min || maxExpirationSeconds > most)
    errors.invalid(at, maxExpirationSeconds, `must be in the range [${min}, ${most}]`)
  validateKeys(spec, errors)
}

/**
 * Validates the key: a request has either the stub of a signing request, or a public key and the proof that the requester holds
 * the private one.
 */
function validateKeys(spec: PodCertificateRequestSpec, errors: FieldErrors): void {
  const has = { stub: !!spec.stubPKCS10Request, key: !!spec.pkixPublicKey, proof: !!spec.proofOfPossession }
  if (has.stub && !has.key && !has.proof) validateStubRequest(spec.stubPKCS10Request!, errors)
  else if (!has.stub && has.key && has.proof) validateKeyAndProof(spec, errors)
  else errors.invalid(path, noValue, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set')
}
