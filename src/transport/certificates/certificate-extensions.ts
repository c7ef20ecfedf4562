/**
 * Reads the extensions of certificates and of requests for them. Which of them are malformed is decided as in Go's crypto/x509.
 */
import { TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'
import { OID } from './object-identifiers.js'

export interface Extension {
  readonly critical: boolean
  /** The content of the octet string, which is DER itself. */
  readonly value: Buffer
}

/** The extensions by their object identifiers. */
export type Extensions = ReadonlyMap<string, Extension>

export const extensionValue = (extensions: Extensions, type: string): Buffer | undefined => extensions.get(type)?.value

export function readExtensions(list: DerCursor): Extensions {
  const found = new Map<string, Extension>()
  while (!list.isEmpty) {
    const extension = list.in(TAG.sequence)
    const type = extension.oid()
    const critical = extension.isNext(TAG.boolean) && extension.boolean()
    if (found.has(type)) throw new DerError(`extension ${type} occurs twice`)
    found.set(type, { critical, value: extension.take(TAG.octetString) })
  }
  return found
}

/** Whether a certificate is an authority, and how many authorities may follow below it. */
export interface BasicConstraints {
  readonly ca: boolean
  readonly pathLength: number
}

export function readBasicConstraints(extensions: Extensions): BasicConstraints | undefined {
  const value = extensionValue(extensions, OID.basicConstraints)
  if (!value) return undefined
  const constraints = new DerCursor(value).in(TAG.sequence)
  const ca = constraints.isNext(TAG.boolean) && constraints.boolean()
  return { ca, pathLength: constraints.isNext(TAG.integer) ? Number(constraints.natural()) : Infinity }
}

/** Whether the key usage lets the key sign certificates. As in Go, a key usage that allows nothing does not count. */
export function maySignCertificates(extensions: Extensions): boolean {
  const value = extensionValue(extensions, OID.keyUsage)
  const [first = 0, second = 0] = value ? new DerCursor(value).bits() : []
  return (first === 0 && (second & 0x80) === 0) || (first & 0x04) !== 0
}

/** Returns the purposes of a certificate; none when it does not say. */
export function readExtendedKeyUsage(extensions: Extensions): string[] {
  const value = extensionValue(extensions, OID.extendedKeyUsage)
  const purposes: string[] = []
  for (const list = value && new DerCursor(value).in(TAG.sequence); list && !list.isEmpty; ) purposes.push(list.oid())
  return purposes
}

const uri = 0x86

/** Checks extensions whose content nobody uses, because malformed ones are refused. */
const checks: ReadonlyMap<string, (value: DerCursor) => void> = new Map<string, (value: DerCursor) => void>([
  [OID.subjectKeyIdentifier, value => value.take(TAG.octetString)],
  [OID.authorityKeyIdentifier, value => value.in(TAG.sequence).optional(0x80)],
  [
    OID.authorityInfoAccess,
    value => {
      for (const list = value.in(TAG.sequence); !list.isEmpty; ) {
        const access = list.in(TAG.sequence)
        access.oid()
        access.optional(uri)
      }
    }
  ],
  [
    OID.crlDistributionPoints,
    value => {
      for (const list = value.in(TAG.sequence); !list.isEmpty; ) checkDistributionPoint(list.in(TAG.sequence))
    }
  ]
])

/** Extensions that must not be critical (RFC 5280). */
const neverCritical: ReadonlySet<string> = new Set([
  OID.authorityKeyIdentifier,
  OID.subjectKeyIdentifier,
  OID.authorityInfoAccess
])

export function checkUnreadExtensions(extensions: Extensions): void {
  for (const [type, { critical, value }] of extensions) {
    if (critical && neverCritical.has(type)) throw new DerError(`extension ${type} incorrectly marked critical`)
    checks.get(type)?.(new DerCursor(value))
  }
}

function checkDistributionPoint(point: DerCursor): void {
  const name = point.optional(0xa0)
  if (name === undefined) return
  const uris = new DerCursor(name).in(0xa0)
  while (uris.isNext(uri)) uris.any()
}
