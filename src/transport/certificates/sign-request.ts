/** Issues certificates for requests: subject and names come from the request, usages and lifetime from the caller. */
import { bitString, element, oid, sequence, TAG } from './der.js'
import { type GeneralName, generalNameTag } from './general-names.js'
import { attributeOf, extension, type Issuer, signCertificate } from './issue.js'
import { OID } from './object-identifiers.js'
import { requestProblem, type SigningRequest, valuesOf } from './signing-request.js'

export interface Grant {
  /** The usages, as CertificateSigningRequests spell them. */
  readonly usages: readonly string[]
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
}

/** Bits of the extension keyUsage, counted from the left. */
const keyUsages: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8]
])

const purpose = '1.3.6.1.5.5.7.3'

/** The object identifiers of purposes, in the order in which they are written. */
const extendedKeyUsages: ReadonlyMap<string, string> = new Map([
  ['any', OID.anyExtendedKeyUsage],
  ['server auth', OID.serverAuth],
  ['client auth', OID.clientAuth],
  ['code signing', `${purpose}.3`],
  ['email protection', `${purpose}.4`],
  ['s/mime', `${purpose}.4`],
  ['ipsec end system', `${purpose}.5`],
  ['ipsec tunnel', `${purpose}.6`],
  ['ipsec user', `${purpose}.7`],
  ['timestamping', `${purpose}.8`],
  ['ocsp signing', `${purpose}.9`],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1']
])

/**
 * The attributes that are copied with all their values: C, ST, L, street, postal code, O, OU. Of the others, only CN and serial
 * number are copied.
 */
const repeatedAttributes = ['2.5.4.6', '2.5.4.8', '2.5.4.7', '2.5.4.9', '2.5.4.17', OID.organization, '2.5.4.11']
const singleAttributes = [OID.commonName, '2.5.4.5']

const nameOrder: readonly number[] = [generalNameTag.dns, generalNameTag.email, generalNameTag.ip, generalNameTag.uri]

/** Returns the certificate as DER. Throws when the request is not signed with its own key, or the usages are unknown. */
export function signRequest(request: SigningRequest, { usages, notBefore, notAfter }: Grant, issuer: Issuer): Buffer {
  const problem = requestProblem(request)
  if (problem !== undefined) throw new Error(`unable to verify certificate request signature: ${problem}`)
  const unknown = usages.filter(usage => !keyUsages.has(usage) && !extendedKeyUsages.has(usage))
  if (unknown.length > 0) throw new Error(`unrecognized usage values: ${JSON.stringify(unknown)}`)
  const attributes = subjectOf(request)
  const extensions = [
    ...keyUsageExtension(usages),
    ...extendedKeyUsageExtension(usages),
    extension(OID.basicConstraints, true, sequence()),
    ...namesExtension(request.names, attributes.length === 0)
  ]
  return signCertificate(
    { subject: sequence(...attributes), publicKey: request.publicKey.der, notBefore, notAfter, extensions },
    issuer
  )
}

function subjectOf(request: SigningRequest): Buffer[] {
  const repeated = repeatedAttributes.map(type => valuesOf(request, type).map(value => attributeOf(type, value)))
  const single = singleAttributes.map(type =>
    valuesOf(request, type)
      .slice(-1)
      .filter(value => value !== '')
      .map(value => attributeOf(type, value))
  )
  return [...repeated, ...single]
    .filter(values => values.length > 0)
    .map(values => element(TAG.set, Buffer.concat(values.sort(Buffer.compare))))
}

function keyUsageExtension(usages: readonly string[]): Buffer[] {
  const bits = usages.flatMap(usage => keyUsages.get(usage) ?? [])
  if (bits.length === 0) return []
  const last = bits.reduce((a, b) => Math.max(a, b))
  const bytes = Buffer.alloc(last < 8 ? 1 : 2)
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7)
  return [extension(OID.keyUsage, true, bitString(bytes, 7 - (last & 7)))]
}

function extendedKeyUsageExtension(usages: readonly string[]): Buffer[] {
  const purposes = new Set([...extendedKeyUsages].filter(([usage]) => usages.includes(usage)).map(([, type]) => type))
  return purposes.size === 0 ? [] : [extension(OID.extendedKeyUsage, false, sequence(...[...purposes].map(oid)))]
}

/** Makes the extension for the names. It is critical when the subject is empty. */
function namesExtension(names: readonly GeneralName[], critical: boolean): Buffer[] {
  if (names.length === 0) return []
  const ordered = nameOrder.flatMap(tag => names.filter(name => name.tag === tag))
  return [
    extension(OID.subjectAltName, critical, sequence(Buffer.concat(ordered.map(({ tag, content }) => element(tag, content)))))
  ]
}
