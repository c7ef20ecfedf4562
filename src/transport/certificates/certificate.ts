/**
 * Reads certificates as Go's crypto/x509 does, which kube-apiserver asks: what is malformed for it is refused. Signatures are not
 * verified.
 */
import {
  type BasicConstraints,
  checkUnreadExtensions,
  type Extensions,
  extensionValue,
  maySignCertificates,
  readBasicConstraints,
  readExtendedKeyUsage,
  readExtensions
} from './certificate-extensions.js'
import { TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'
import { type DistinguishedName, readName } from './distinguished-name.js'
import { type GeneralName, readGeneralNames } from './general-names.js'
import { type NameConstraints, readNameConstraints } from './name-constraints.js'
import { OID } from './object-identifiers.js'
import { type PolicyFields, readPolicyFields } from './policies.js'
import { type PublicKey, readPublicKey } from './public-key.js'
import { readAlgorithm, type Signed } from './signature.js'

export interface Certificate extends Signed {
  readonly raw: Buffer
  /** 1 to 3. Certificates before version 3 have no extensions, and so cannot be marked as authorities. */
  readonly version: number
  readonly serial: bigint
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly publicKey: PublicKey
  readonly extensions: Extensions
  readonly basicConstraints: BasicConstraints | undefined
  readonly maySign: boolean
  /** The purposes; none when the certificate is for every purpose. */
  readonly purposes: readonly string[]
  readonly names: readonly GeneralName[]
  readonly nameConstraints: NameConstraints | undefined
  readonly policies: PolicyFields
}

/** Reads a certificate in DER. Throws a DerError when it is malformed. */
export function readCertificate(raw: Buffer): Certificate {
  const outer = new DerCursor(raw)
  const whole = outer.in(TAG.sequence)
  if (!outer.isEmpty) throw new DerError('trailing data')
  const body = whole.whole(TAG.sequence)
  const algorithm = readAlgorithm(whole)
  const fields = new DerCursor(body.content)
  const version = readVersion(fields)
  const serial = fields.integer()
  if (serial[0]! >= 0x80) throw new DerError('negative serial number')
  // The second mention of the algorithm is not signed, so it must equal the first.
  if (!fields.whole(TAG.sequence).raw.equals(algorithm)) throw new DerError('the two signature algorithms differ')
  const issuer = readName(fields)
  const validity = fields.in(TAG.sequence)
  const [notBefore, notAfter] = [validity.time(), validity.time()]
  const subject = readName(fields)
  const publicKey = readPublicKey(fields.whole(TAG.sequence).raw)
  const extensions = extensionsBehind(fields, version)
  checkUnreadExtensions(extensions)
  const constraints = extensionValue(extensions, OID.nameConstraints)
  return {
    raw,
    version,
    serial: BigInt(`0x${serial.toString('hex')}`),
    issuer,
    subject,
    notBefore,
    notAfter,
    publicKey,
    extensions,
    basicConstraints: readBasicConstraints(extensions),
    maySign: maySignCertificates(extensions),
    purposes: readExtendedKeyUsage(extensions),
    names: readGeneralNames(extensionValue(extensions, OID.subjectAltName)),
    nameConstraints: constraints && readNameConstraints(constraints),
    policies: readPolicyFields(extensions, issuer.raw.equals(subject.raw)),
    body: body.raw,
    algorithm,
    signature: whole.bitString()
  }
}

/** The version is optional and defaults to 1. */
function readVersion(fields: DerCursor): number {
  const wrapper = fields.optional(0xa0)
  const version = wrapper ? new DerCursor(wrapper).natural() : 0n
  if (version > 2n) throw new DerError('invalid version')
  return Number(version) + 1
}

function extensionsBehind(fields: DerCursor, version: number): Extensions {
  // issuerUniqueID and subjectUniqueID
  if (version > 1) for (const tag of [0x81, 0x82]) fields.optional(tag)
  const wrapper = version > 2 ? fields.optional(0xa3) : undefined
  return wrapper ? readExtensions(new DerCursor(wrapper).in(TAG.sequence)) : new Map()
}
