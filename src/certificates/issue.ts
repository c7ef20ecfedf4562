import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { bitString, boolean, element, integer, octetString, oid, sequence, TAG, time, utf8String } from './der.js'
import { ipAddressBytes } from './ip-address.js'
import { extensionValue, OID, readCertificate } from './read.js'

export interface CertificateRequest {
  readonly commonName: string
  /** In a client certificate: the groups. */
  readonly organizations?: readonly string[] | undefined
  readonly publicKey: KeyObject
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  /** What the certificate is for: an authority that signs others, a server, a client. */
  readonly usage: 'ca' | 'serverAuth' | 'clientAuth'
  /** DNS names and IP addresses. */
  readonly names?: readonly string[] | undefined
}

/** Who signs: `certificate` is DER and left out when the new certificate signs itself. */
export interface Issuer {
  readonly key: KeyObject
  readonly certificate?: Buffer | undefined
}

/** Makes a certificate; the answer is DER. The issuer's key is ECDSA or RSA. */
export const issueCertificate = (request: CertificateRequest, issuer: Issuer): Buffer => {
  const algorithm = signatureAlgorithm(issuer.key)
  const parent = issuer.certificate && readCertificate(issuer.certificate)
  const subject = nameOf(request)
  const publicKey = request.publicKey.export({ type: 'spki', format: 'der' })
  const ownKeyId = octetString(keyId(request.publicKey))
  // A chain is built by comparing these, so the parent's own is taken as it stands.
  const parentKeyId = parent ? extensionValue(parent, OID.subjectKeyIdentifier) : ownKeyId
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const body = sequence(
    element(0xa0, integer(Buffer.of(2))),
    integer(serial),
    algorithm,
    parent?.subject.raw ?? subject,
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    publicKey,
    element(
      0xa3,
      sequence(
        ...usageExtensions(request.usage),
        extension(OID.subjectKeyIdentifier, false, ownKeyId),
        ...(parentKeyId ? [extension(OID.authorityKeyIdentifier, false, sequence(element(0x80, parentKeyId.subarray(2))))] : []),
        ...(request.names?.length ? [extension(OID.subjectAltName, false, sequence(...request.names.map(generalName)))] : [])
      )
    )
  )
  return sequence(body, algorithm, bitString(sign('sha256', body, issuer.key)))
}

export const toPem = (der: Buffer, label = 'CERTIFICATE'): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}(?!$)/g, '$&\n')}\n-----END ${label}-----\n`

const signatureAlgorithm = (key: KeyObject): Buffer => {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return sequence(oid('1.2.840.10045.4.3.2'))
    case 'rsa':
      return sequence(oid('1.2.840.113549.1.1.11'), element(0x05))
    default:
      throw new Error(`cannot sign certificates with a key of type ${key.asymmetricKeyType}: ECDSA and RSA are supported`)
  }
}

const nameOf = ({ commonName, organizations = [] }: CertificateRequest): Buffer =>
  sequence(...organizations.map(organization => attribute(OID.organization, organization)), attribute(OID.commonName, commonName))

const attribute = (type: string, value: string): Buffer => element(TAG.set, sequence(oid(type), utf8String(value)))

const extension = (type: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(type), ...(critical ? [boolean(true)] : []), octetString(value))

const usageExtensions = (usage: CertificateRequest['usage']): Buffer[] =>
  usage === 'ca'
    ? [
        extension(OID.basicConstraints, true, sequence(boolean(true))),
        // digitalSignature, keyCertSign, cRLSign
        extension(OID.keyUsage, true, bitString(Buffer.of(0b10000110), 1))
      ]
    : [
        extension(OID.basicConstraints, true, sequence()),
        // digitalSignature
        extension(OID.keyUsage, true, bitString(Buffer.of(0b10000000), 7)),
        extension(OID.extendedKeyUsage, false, sequence(oid(usage === 'serverAuth' ? OID.serverAuth : OID.clientAuth)))
      ]

const generalName = (name: string): Buffer => {
  const address = ipAddressBytes(name)
  return address ? element(0x87, address) : element(0x82, Buffer.from(name))
}

/** RFC 5280, 4.2.1.2, method 1: a fingerprint of the key. Nothing depends on its strength. */
const keyId = (key: KeyObject): Buffer => {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
}
