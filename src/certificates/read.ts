import {
  type DerElement,
  isAscii,
  readBits,
  readBoolean,
  readCount,
  readElement,
  readElements,
  readInteger,
  readOid,
  readText,
  readTime,
  TAG
} from './der.js'
import { uriHost } from './names.js'

export const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  extensionRequest: '1.2.840.113549.1.9.14',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  anyExtendedKeyUsage: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2'
} as const

export interface Attribute {
  readonly type: string
  readonly value: string
}

export interface DistinguishedName {
  readonly raw: Buffer
  /** In the order of the certificate. */
  readonly attributes: readonly Attribute[]
}

export interface Extension {
  readonly critical: boolean
  /** The content of the octet string, which is DER itself. */
  readonly value: Buffer
}

export interface CertificateFields {
  /** 1 to 3. Certificates before version 3 have no extensions, and so cannot be marked as authorities. */
  readonly version: number
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  /** The key with its algorithm, in DER. */
  readonly publicKey: Buffer
  readonly extensions: ReadonlyMap<string, Extension>
  /** The signed bytes, the algorithm and the signature. */
  readonly body: Buffer
  readonly algorithm: DerElement
  readonly signature: Buffer
}

/** Reads a certificate in DER. Throws when it is malformed; does not verify signatures. */
export const readCertificate = (der: Buffer): CertificateFields => {
  const whole = readElement(der)
  const [body, algorithm, signature] = children(whole)
  if (whole.raw.length !== der.length || !signature) throw malformed()
  const fields = children(body)
  // The version is optional and defaults to 1.
  const version = fields[0]?.tag === 0xa0 ? versionOf(fields.shift()!) : 1
  const [serial, inner, issuer, validity, subject, publicKey, ...more] = fields
  const [notBefore, notAfter] = children(validity)
  if (serial?.tag !== TAG.integer || !notBefore || !notAfter) throw malformed()
  // The second mention of the algorithm is not signed, so it must not say anything else.
  if (!inner || !algorithm || !inner.raw.equals(algorithm.raw)) throw malformed()
  readInteger(serial)
  children(publicKey)
  const extensions = version === 3 ? more.find(field => field.tag === 0xa3) : undefined
  return {
    version,
    issuer: readName(issuer),
    subject: readName(subject),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    publicKey: publicKey!.raw,
    extensions: extensions ? readExtensions(children(children(extensions)[0])) : new Map(),
    body: body!.raw,
    algorithm,
    signature: readBits(signature)
  }
}

const malformed = () => new Error('malformed certificate')

const versionOf = (wrapper: DerElement): number => {
  const [version] = children(wrapper)
  if (version?.tag !== TAG.integer || version.content.length !== 1 || version.content[0]! > 2) throw malformed()
  return version.content[0]! + 1
}

export const extensionValue = (fields: CertificateFields, type: string): Buffer | undefined => fields.extensions.get(type)?.value

/** Returns whether the certificate is an authority, and how many authorities may follow below it; undefined when it does not say. */
export const readBasicConstraints = (fields: CertificateFields): { ca: boolean; pathLength: number } | undefined => {
  const value = extensionValue(fields, OID.basicConstraints)
  if (!value) return undefined
  const items = children(readElement(value))
  const ca = items[0]?.tag === TAG.boolean ? readBoolean(items.shift()!) : false
  return { ca, pathLength: items[0]?.tag === TAG.integer ? readCount(items[0]) : Infinity }
}

/** Whether a key may sign certificates, as far as key usage says. One that allows nothing says nothing, as in Go. */
export const maySignCertificates = (fields: CertificateFields): boolean => {
  const value = extensionValue(fields, OID.keyUsage)
  const [first = 0, second = 0] = value ? readBits(readElement(value)) : []
  return (first === 0 && (second & 0x80) === 0) || (first & 0x04) !== 0
}

/** Returns the purposes of a certificate; none when it does not say. */
export const readExtendedKeyUsage = (fields: CertificateFields): string[] => {
  const value = extensionValue(fields, OID.extendedKeyUsage)
  return value ? children(readElement(value)).map(readOidElement) : []
}

export const readOidElement = (element: DerElement | undefined): string => {
  if (element?.tag !== TAG.oid) throw malformed()
  return readOid(element.content)
}

export const children = (parent: DerElement | undefined): DerElement[] => {
  if (!parent || !containers.has(parent.tag)) throw malformed()
  return readElements(parent.content)
}

/** Sequences, sets, and the numbered wrappers of certificates and requests. */
const containers = new Set<number>([TAG.sequence, TAG.set, 0xa0, 0xa1, 0xa2, 0xa3])

export const readName = (name: DerElement | undefined): DistinguishedName => {
  const attributes = children(name)
    .flatMap(children)
    .map(attribute => {
      const [type, value] = children(attribute)
      if (type?.tag !== TAG.oid || !value) throw new Error('malformed name in a certificate')
      return { type: readOid(type.content), value: readText(value) }
    })
  return { raw: name!.raw, attributes }
}

export const readExtensions = (items: readonly DerElement[]): Map<string, Extension> => {
  const extensions = new Map<string, Extension>()
  for (const item of items) {
    const [type, ...rest] = children(item)
    const critical = rest[0]?.tag === TAG.boolean ? readBoolean(rest.shift()!) : false
    const [value] = rest
    if (type?.tag !== TAG.oid || value?.tag !== TAG.octetString) throw new Error('malformed extension in a certificate')
    const name = readOid(type.content)
    if (extensions.has(name)) throw new Error(`extension ${name} occurs twice in a certificate`)
    extensions.set(name, { critical, value: value.content })
  }
  return extensions
}

/** Tags of the alternative names that certificates may contain. */
export const generalNameTag = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const

const generalNameTags: readonly number[] = Object.values(generalNameTag)

export interface GeneralName {
  readonly tag: number
  readonly content: Buffer
}

/** Reads the alternative names of these kinds. */
export const readGeneralNames = (value: Buffer | undefined): GeneralName[] => {
  const names = value ? children(readElement(value)).filter(({ tag }) => generalNameTags.includes(tag)) : []
  for (const { tag, content } of names) {
    const isAddress = tag === generalNameTag.ip && (content.length === 4 || content.length === 16)
    const isText = tag !== generalNameTag.ip && isAscii(content)
    const isUri = tag !== generalNameTag.uri || uriHost(content.toString('latin1')) !== undefined
    if (!(isAddress || isText) || !isUri) throw malformed()
  }
  return names
}
