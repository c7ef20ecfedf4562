/** The extensions of certificates that Go's crypto/x509 reads: a certificate with a malformed one is none. */
import { parseUrl } from '../util/go-url.js'
import { TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'
import { OID } from './read.js'

const authorityInfoAccess = '1.3.6.1.5.5.7.1.1'

/** Throws a DerError when the value is malformed. */
type Check = (value: DerCursor) => void

const uri = 0x86

const each =
  (tag: number, check: Check): Check =>
  value => {
    const list = value.in(TAG.sequence)
    while (!list.isEmpty) check(list.in(tag))
  }

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  [OID.keyUsage, value => value.bitString()],
  [OID.basicConstraints, checkConstraints],
  [OID.subjectAltName, checkAlternativeNames],
  [OID.nameConstraints, checkNameConstraints],
  ['2.5.29.31', each(TAG.sequence, checkDistributionPoint)],
  [OID.authorityKeyIdentifier, checkAuthorityKey],
  ['2.5.29.36', checkPolicyConstraints],
  [OID.extendedKeyUsage, checkUsages],
  [OID.subjectKeyIdentifier, value => value.take(TAG.octetString)],
  ['2.5.29.32', checkPolicies],
  [
    '2.5.29.33',
    each(TAG.sequence, mapping => {
      mapping.take(TAG.oid)
      mapping.take(TAG.oid)
    })
  ],
  ['2.5.29.54', value => value.natural()],
  [
    authorityInfoAccess,
    each(TAG.sequence, access => {
      access.oid()
      access.optional(uri)
    })
  ]
])

/** Extensions that an authority must not mark as critical. */
const neverCritical: ReadonlySet<string> = new Set([OID.authorityKeyIdentifier, OID.subjectKeyIdentifier, authorityInfoAccess])

export function readExtension(type: string, critical: boolean, value: Buffer): void {
  if (critical && neverCritical.has(type)) throw new DerError(`extension ${type} incorrectly marked critical`)
  checks.get(type)?.(new DerCursor(value))
}

export const isIA5 = (content: Buffer): boolean => content.every(byte => byte < 0x80)

/** Returns the names of a subjectAltName that has been checked. */
export function readAlternativeNames(value: Buffer): { dnsNames: string[]; emailAddresses: string[] } {
  const [dnsNames, emailAddresses]: [string[], string[]] = [[], []]
  const names = new DerCursor(value).in(TAG.sequence)
  while (!names.isEmpty) {
    const { tag, content } = names.any()
    if (tag === 0x82) dnsNames.push(content.toString('latin1'))
    if (tag === 0x81) emailAddresses.push(content.toString('latin1'))
  }
  return { dnsNames, emailAddresses }
}

function checkConstraints(value: DerCursor): void {
  const constraints = value.in(TAG.sequence)
  if (constraints.isNext(TAG.boolean)) constraints.boolean()
  if (constraints.isNext(TAG.integer)) constraints.natural()
}

function checkAlternativeNames(value: DerCursor): void {
  const names = value.in(TAG.sequence)
  while (!names.isEmpty) {
    const { tag, content } = names.any()
    if ((tag === 0x81 || tag === 0x82 || tag === uri) && !isIA5(content)) throw new DerError('malformed alternative name')
    if (tag === uri) checkUri(content.toString('latin1'))
    if (tag === 0x87 && content.length !== 4 && content.length !== 16) throw new DerError('malformed IP address')
  }
}

function checkUri(text: string): void {
  let host: string
  try {
    host = parseUrl(text).host
  } catch {
    throw new DerError('malformed URI')
  }
  if (!isDomain(host, false)) throw new DerError('malformed domain of a URI')
}

/** `isConstraint`: a name that begins with a dot stands for all below it. */
function isDomain(name: string, isConstraint: boolean): boolean {
  if (name === '') return true
  const labels = isConstraint && name.startsWith('.') ? name.slice(1) : name
  if (name.endsWith('.') || !/^[!-~]*$/.test(labels)) return false
  return labels.split('.').every(label => label !== '')
}

function checkNameConstraints(value: DerCursor): void {
  const constraints = value.in(TAG.sequence)
  if (!value.isEmpty) throw new DerError('trailing data')
  const [permitted, excluded] = [constraints.optional(0xa0), constraints.optional(0xa1)]
  if (!constraints.isEmpty || !(permitted?.length || excluded?.length)) throw new DerError('malformed name constraints')
  for (const subtrees of [permitted, excluded]) {
    const list = new DerCursor(subtrees ?? Buffer.alloc(0))
    while (!list.isEmpty) {
      const { tag, content } = list.in(TAG.sequence).any()
      if (!isNameConstraint(tag, content)) throw new DerError('malformed name constraint')
    }
  }
}

function isNameConstraint(tag: number, content: Buffer): boolean {
  const text = content.toString('latin1')
  switch (tag) {
    case 0x82:
    case uri:
      return isIA5(content) && isDomain(text, true) && (tag !== uri || !isAddress(text))
    case 0x81:
      return isIA5(content) && (text.includes('@') ? /^[^@\s]+@[^@\s]+$/.test(text) : isDomain(text, true))
    case 0x87:
      return (content.length === 8 || content.length === 32) && isMask(content.subarray(content.length / 2))
    default:
      return true
  }
}

const isAddress = (text: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || text.includes(':')

function isMask(mask: Buffer): boolean {
  const bits = [...mask].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return /^1*0*$/.test(bits)
}

function checkDistributionPoint(point: DerCursor): void {
  const name = point.optional(0xa0)
  if (name === undefined) return
  const uris = new DerCursor(new DerCursor(name).take(0xa0))
  while (uris.isNext(uri)) uris.any()
}

function checkAuthorityKey(value: DerCursor): void {
  value.in(TAG.sequence).optional(0x80)
}

function checkPolicyConstraints(value: DerCursor): void {
  const constraints = value.in(TAG.sequence)
  for (const tag of [0x80, 0x81]) {
    const number = constraints.optional(tag)
    if (number && (number.length === 0 || number.length > 8)) throw new DerError('malformed policy constraints')
  }
}

function checkUsages(value: DerCursor): void {
  const usages = value.in(TAG.sequence)
  while (!usages.isEmpty) usages.oid()
}

function checkPolicies(value: DerCursor): void {
  const seen = new Set<string>()
  each(TAG.sequence, policy => {
    const type = policy.take(TAG.oid).toString('latin1')
    if (type === '' || type.charCodeAt(type.length - 1) >= 0x80 || seen.has(type)) throw new DerError('malformed policies')
    seen.add(type)
  })(value)
}
