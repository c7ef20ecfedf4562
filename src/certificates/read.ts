import { type DerElement, readElement, readElements, readOid, readText, readTime, TAG } from './der.js'

export const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  extensionRequest: '1.2.840.113549.1.9.14',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
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

/** The fields that Node's X509Certificate does not have, or has only as text that would need parsing. */
export interface CertificateFields {
  /** 1 to 3. Certificates before version 3 have no extensions, and so cannot be marked as authorities. */
  readonly version: number
  /** OID of the signature's algorithm. */
  readonly signatureAlgorithm: string
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: ReadonlyMap<string, Extension>
}

/** Reads a certificate in DER. Throws when it is malformed; does not verify signatures. */
export const readCertificate = (der: Buffer): CertificateFields => {
  const [body] = children(readElement(der))
  const fields = children(body)
  // The version is optional and defaults to 1.
  const version = fields[0]?.tag === 0xa0 ? versionOf(fields.shift()!) : 1
  const [, algorithm, issuer, validity, subject] = fields
  const [signatureAlgorithm] = children(algorithm)
  const [notBefore, notAfter] = children(validity)
  if (!signatureAlgorithm || !notBefore || !notAfter) throw new Error('malformed certificate')
  return {
    version,
    signatureAlgorithm: readOid(signatureAlgorithm.content),
    issuer: readName(issuer),
    subject: readName(subject),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    extensions: readExtensions(fields.filter(field => field.tag === 0xa3).flatMap(wrapper => children(children(wrapper)[0])))
  }
}

const versionOf = (wrapper: DerElement): number => {
  const [version] = children(wrapper)
  if (version?.tag !== TAG.integer || version.content.length !== 1) throw new Error('malformed certificate')
  return version.content[0]! + 1
}

export const extensionValue = (fields: CertificateFields, type: string): Buffer | undefined => fields.extensions.get(type)?.value

/** Returns whether the certificate is an authority, and how many authorities may follow below it. */
export const readBasicConstraints = (fields: CertificateFields): { ca: boolean; pathLength: number } => {
  const value = extensionValue(fields, OID.basicConstraints)
  const [ca, pathLength] = value ? children(readElement(value)) : []
  return {
    ca: ca?.tag === TAG.boolean && ca.content[0] !== 0,
    pathLength: pathLength?.tag === TAG.integer && pathLength.content.length === 1 ? pathLength.content[0]! : Infinity
  }
}

export const children = (parent: DerElement | undefined): DerElement[] => {
  if (!parent || !(parent.tag & 0x20)) throw new Error('malformed certificate')
  return readElements(parent.content)
}

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
    const value = rest.pop()
    if (type?.tag !== TAG.oid || value?.tag !== TAG.octetString) throw new Error('malformed extension in a certificate')
    const name = readOid(type.content)
    if (extensions.has(name)) throw new Error(`extension ${name} occurs twice in a certificate`)
    extensions.set(name, { critical: rest[0]?.tag === TAG.boolean && rest[0].content[0] !== 0, value: value.content })
  }
  return extensions
}
