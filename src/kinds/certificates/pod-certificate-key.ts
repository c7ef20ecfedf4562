/** The keys of PodCertificateRequests, and the proof that the requester holds the private one. */
import { constants, verify } from 'node:crypto'
import type { PodCertificateRequestSpec } from '../../apimachinery/api/generated/certificates-v1beta1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { noValue } from '../../apimachinery/validation/go-value.js'
import { keyObjectOf, type PublicKey, readPublicKey } from '../../transport/certificates/public-key.js'
import { readSigningRequest, requestProblem } from '../../transport/certificates/signing-request.js'

const maxBytes = 10 * 1024
const keyPath = Path.of('spec', 'pkixPublicKey')
const proofPath = Path.of('spec', 'proofOfPossession')
const stubPath = Path.of('spec', 'stubPKCS10Request')
const unknownType = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA'

const bytesOf = (base64: string | undefined | null): Buffer => Buffer.from(base64 ?? '', 'base64')

/** Validates a PKCS #10 request whose only purpose is its signed key. */
export function validateStubRequest(stub: string, errors: FieldErrors): void {
  const der = bytesOf(stub)
  if (der.length > maxBytes) {
    errors.tooLong(stubPath, maxBytes)
    return
  }
  let key: PublicKey
  try {
    key = readSigningRequest(der).publicKey
  } catch {
    errors.invalid(stubPath, noValue, 'must be a valid PKCS#10 CSR')
    return
  }
  if (!isSupported(key)) errors.invalid(stubPath, noValue, unknownType)
  else if (isOtherCurve(key))
    errors.invalid(stubPath, `curve ${key.curve}`, 'elliptic public keys must use curve P256, P384, or P521')
  else if (isOtherModulus(key)) errors.invalid(stubPath, modulus(key), 'RSA keys must have modulus size 3072 or 4096')
  else if (requestProblem(readSigningRequest(der)) !== undefined) errors.invalid(stubPath, noValue, 'invalid signature')
}

/** Validates a key and a signature of the Pod's uid made with it. */
export function validateKeyAndProof(spec: PodCertificateRequestSpec, errors: FieldErrors): void {
  const [der, proof] = [bytesOf(spec.pkixPublicKey), bytesOf(spec.proofOfPossession)]
  if (der.length > maxBytes || proof.length > maxBytes) {
    errors.tooLong(der.length > maxBytes ? keyPath : proofPath, maxBytes)
    return
  }
  const key = pkixKey(der)
  if (!key) errors.invalid(keyPath, spec.pkixPublicKey, 'must be a valid PKIX-serialized public key')
  else if (!isSupported(key)) errors.invalid(keyPath, spec.pkixPublicKey, unknownType)
  else if (isOtherCurve(key)) errors.invalid(keyPath, `curve ${key.curve}`, 'elliptic public keys must use curve P256 or P384')
  else if (isOtherModulus(key)) errors.invalid(keyPath, modulus(key), 'RSA keys must have modulus size 3072 or 4096')
  else if (!isProof(key, Buffer.from(spec.podUID), proof))
    errors.invalid(proofPath, noValue, 'could not verify proof-of-possession signature')
}

/** Returns the key that a valid request asks a certificate for, or the path and the text of the error. */
export function requestedKey({ stubPKCS10Request, pkixPublicKey }: PodCertificateRequestSpec): PublicKey | [Path, string] {
  if (stubPKCS10Request) {
    try {
      return readSigningRequest(bytesOf(stubPKCS10Request)).publicKey
    } catch {
      return [stubPath, 'must be a valid PKCS#10 CSR']
    }
  }
  return pkixKey(bytesOf(pkixPublicKey)) ?? [keyPath, 'must be a valid PKIX-serialized public key']
}

function pkixKey(der: Buffer): PublicKey | undefined {
  try {
    const key = readPublicKey(der, true)
    return key.type === 'unknown' ? undefined : key
  } catch {
    return undefined
  }
}

const isSupported = ({ type }: PublicKey) => type !== 'other' && type !== 'unknown'
const isOtherCurve = ({ type, curve }: PublicKey) => type === 'ec' && curve === 'P-224'

/** Returns the key's size as Go counts it: in whole bytes. */
const roundedBits = ({ modulusBits = 0 }: PublicKey) => Math.ceil(modulusBits / 8) * 8
const isOtherModulus = (key: PublicKey) => key.type === 'rsa' && ![3072, 4096].includes(roundedBits(key))
const modulus = (key: PublicKey) => `${roundedBits(key)}-bit modulus`

function isProof(publicKey: PublicKey, message: Buffer, signature: Buffer): boolean {
  const key = keyObjectOf(publicKey)
  if (!key) return false
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants
  if (publicKey.type === 'ed25519') return verify(null, message, key, signature)
  return verify('sha256', message, publicKey.type === 'rsa' ? { key, padding, saltLength } : { key }, signature)
}
