import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { readCertificate } from './certificate.js'
import { extensionValue } from './certificate-extensions.js'
import { bitString, boolean, element, integer, octetString, oid, sequence, TAG, time, utf8String } from './der.js'
import { ipAddressBytes } from './ip-address.js'
import { OID } from './object-identifiers.js'

export interface CertificateRequest {
  readonly commonName: string
  /** The organizations; in a client certificate, the groups. */
  readonly organizations?: readonly string[] | undefined
  readonly publicKey: KeyObject
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  /** The purpose of the certificate: an authority, a server or a client. */
  readonly usage: 'ca' | 'serverAuth' | 'clientAuth'
  /** DNS names and IP addresses. */
  readonly names?: readonly string[] | undefined
}

/** The signer. `certificate` is DER, and left out for a self-signed certificate. */
export interface Issuer {
  readonly key: KeyObject
  readonly certificate?: Buffer | undefined
}

/** The parts of a certificate that do not come from its issuer. */
export interface CertificateContent {
  /** Subject and alternative names, and a public key with its algorithm, in DER. */
  readonly subject: Buffer
  readonly publicKey: Buffer
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: readonly Buffer[]
}

/** Issues a certificate; returns DER. The issuer's key is ECDSA or RSA. */
export const issueCertificate = (request: CertificateRequest, issuer: Issuer): Buffer => {
  const { notBefore, notAfter, usage, names = [] } = request
  const publicKey = request.publicKey.export({ type: 'spki', format: 'der' })
  const content = {
    subject: nameOf(request),
    publicKey,
    notBefore,
    notAfter,
    extensions: [
      ...usageExtensions(usage),
      extension(OID.subjectKeyIdentifier, false, octetString(keyId(publicKey))),
      ...(names.length > 0 ? [extension(OID.subjectAltName, false, sequence(...names.map(generalName)))] : [])
    ]
  }
  const certificate = signCertificate(content, issuer)
  if (!issuer.certificate) parents.set(certificate, { subject: content.subject, keyId: octetString(keyId(publicKey)) })
  return certificate
}

/** Signs a certificate whose parts are DER already; returns DER. */
export const signCertificate = (content: CertificateContent, issuer: Issuer): Buffer => {
  const algorithm = signatureAlgorithm(issuer.key)
  const parent = issuer.certificate && parentOf(issuer.certificate)
  // Clients build chains by comparing these ids, so the parent's own id is used as it is.
  const parentKeyId = parent ? parent.keyId : octetString(keyId(content.publicKey))
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const body = sequence(
    element(0xa0, integer(Buffer.of(2))),
    integer(serial),
    algorithm,
    parent?.subject ?? content.subject,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject,
    content.publicKey,
    element(
      0xa3,
      sequence(
        ...content.extensions,
        ...(parentKeyId ? [extension(OID.authorityKeyIdentifier, false, sequence(element(0x80, parentKeyId.subarray(2))))] : [])
      )
    )
  )
  return sequence(body, algorithm, bitString(sign('sha256', body, issuer.key)))
}

/** What a certificate takes over from the one that signs it. */
interface Parent {
  readonly subject: Buffer
  readonly keyId: Buffer | undefined
}

/** A server signs several certificates at its start with an authority that it has just made. */
const parents = new WeakMap<Buffer, Parent>()

const parentOf = (certificate: Buffer): Parent => {
  let parent = parents.get(certificate)
  if (!parent) {
    const { subject, extensions } = readCertificate(certificate)
    parents.set(certificate, (parent = { subject: subject.raw, keyId: extensionValue(extensions, OID.subjectKeyIdentifier) }))
  }
  return parent
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
  sequence(
    ...organizations.map(organization => element(TAG.set, attributeOf(OID.organization, organization))),
    element(TAG.set, attributeOf(OID.commonName, commonName))
  )

export const attributeOf = (type: string, value: string): Buffer => sequence(oid(type), utf8String(value))

export const extension = (type: string, critical: boolean, value: Buffer): Buffer =>
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

/** RFC 5280, 4.2.1.2, method 1: a fingerprint of the key. Security does not depend on it. */
const keyId = (publicKey: Buffer): Buffer => createHash('sha1').update(publicKey).digest()
