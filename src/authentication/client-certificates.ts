/** Verifies the certificates of clients: a chain to a trusted authority, for clients, valid now. */
import { X509Certificate } from 'node:crypto'
import { readElement, readElements, readOid } from '../certificates/der.js'
import { type CertificateFields, extensionValue, OID, readBasicConstraints, readCertificate } from '../certificates/read.js'
import type { Clock } from '../util/clock.js'
import type { AuthenticationRequest } from './authenticator.js'

export type Refused = 'unauthorized'

/** Returns what `read` finds in a client's certificate; undefined without one, and `unauthorized` for one that is not trusted. */
export type CertificateVerifier<T> = (request: AuthenticationRequest) => T | Refused | undefined

/**
 * Trusts certificates with a chain to one of `authorities` (PEM), which may themselves be intermediates. Verifies a chain, and
 * calls `read`, once per connection; later requests only check its validity in time. A certificate that `read` throws for is refused.
 */
export function certificateVerifier<T>(
  authorities: readonly string[],
  clock: Clock,
  read: (leaf: Link) => T | Refused
): CertificateVerifier<T> {
  const roots = authorities.map(pem => readLink(new X509Certificate(pem)))
  const known = new WeakMap<readonly Buffer[], Verified<T>>()
  return request => {
    const presented = request.peerCertificates?.()
    if (!presented || presented.length === 0) return undefined
    let verified = known.get(presented)
    if (!verified) known.set(presented, (verified = verify(presented, roots, read)))
    const now = clock.now()
    const isValid = ({ fields }: Link) => fields.notBefore <= now && now <= fields.notAfter
    return verified.paths.some(path => path.every(isValid)) ? verified.result : 'unauthorized'
  }
}

/** The certificates that a client may send, intermediates included. No honest chain is longer. */
const maxPresented = 10
const maxPathLength = 6
/** Bounds the work for hostile intermediates, each of which could have signed any other. */
const maxSignatureChecks = 50

/** A certificate with its fields. */
export interface Link {
  readonly x509: X509Certificate
  readonly fields: CertificateFields
}

interface Verified<T> {
  /** Chains from the certificate to an authority, verified except for their validity in time. */
  readonly paths: readonly (readonly Link[])[]
  readonly result: T | Refused
}

const readLink = (x509: X509Certificate): Link => ({ x509, fields: readCertificate(x509.raw) })

const refused: Verified<never> = { paths: [], result: 'unauthorized' }

function verify<T>(presented: readonly Buffer[], roots: readonly Link[], read: (leaf: Link) => T | Refused): Verified<T> {
  if (presented.length > maxPresented) return refused
  try {
    const [leaf, ...intermediates] = presented.map(der => readLink(new X509Certificate(der)))
    const paths = findPaths(leaf!, intermediates, roots)
    return paths.length === 0 ? refused : { paths, result: read(leaf!) }
  } catch {
    return refused
  }
}

const findPaths = (leaf: Link, intermediates: readonly Link[], roots: readonly Link[]): Link[][] => {
  const paths: Link[][] = []
  let checks = 0
  const issued = (child: Link, parent: Link): boolean =>
    child.fields.issuer.raw.equals(parent.fields.subject.raw) &&
    !broken.has(child.fields.signatureAlgorithm) &&
    child.x509.checkIssued(parent.x509) &&
    ++checks <= maxSignatureChecks &&
    child.x509.verify(parent.x509.publicKey)
  const extend = (path: readonly Link[]): void => {
    const child = path.at(-1)!
    const below = path.length - 1
    // A configured authority is trusted as it is, so its own issuer does not matter.
    for (const root of roots)
      if (!path.includes(root) && (isOldRoot(root) || isAuthority(root, below)) && issued(child, root))
        paths.push([...path, root])
    if (path.length === maxPathLength) return
    for (const parent of intermediates)
      if (!path.includes(parent) && isAuthority(parent, below) && issued(child, parent)) extend([...path, parent])
  }
  if (isForClients(leaf)) {
    // A client's own certificate may be configured instead of an authority's.
    if (roots.some(root => root.x509.raw.equals(leaf.x509.raw))) paths.push([leaf])
    extend([leaf])
  }
  return paths
}

/** Whether a certificate may sign others, with `below` authorities between it and the client's certificate. */
const isAuthority = (link: Link, below: number): boolean => {
  const { ca, pathLength } = readBasicConstraints(link.fields)
  return ca && below <= pathLength && isForClients(link)
}

/** Before version 3 a certificate could not mark an authority, so a configured certificate counts as one, as in Go. */
const isOldRoot = ({ fields }: Link): boolean => fields.version < 3 && fields.extensions.size === 0

/** Extensions that this file or checkIssued() evaluates. A certificate with another critical extension is refused. */
const understood = new Set<string>([OID.basicConstraints, OID.keyUsage, OID.extendedKeyUsage, OID.subjectAltName])

/** Signatures with MD5 and SHA-1, by RSA and ECDSA: an attacker can make a second certificate with the same digest. */
const broken = new Set(['1.2.840.113549.1.1.4', '1.2.840.113549.1.1.5', '1.2.840.10045.4.1'])

const isForClients = ({ fields }: Link): boolean => {
  for (const [type, { critical }] of fields.extensions) if (critical && !understood.has(type)) return false
  if (fields.extensions.has(OID.nameConstraints)) return false
  const value = extensionValue(fields, OID.extendedKeyUsage)
  if (!value) return true
  const usages = readElements(readElement(value).content).map(usage => readOid(usage.content))
  return usages.includes(OID.clientAuth) || usages.includes(OID.anyExtendedKeyUsage)
}

/** The values of an attribute of the subject, by its object identifier. */
export const subjectValues = ({ fields }: Link, type: string): string[] =>
  fields.subject.attributes.filter(attribute => attribute.type === type).map(attribute => attribute.value)

/** Go's x509 package keeps the last of several common names. */
export const commonNameOf = (leaf: Link): string | undefined => subjectValues(leaf, OID.commonName).at(-1)
