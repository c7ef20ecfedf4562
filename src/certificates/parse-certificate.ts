/**
 * Decides whether a text in DER is a certificate for Go's crypto/x509, which kube-apiserver asks, and reads what validation of
 * kinds needs. Signatures are not verified.
 */
import { isIA5, readAlternativeNames, readExtension } from './certificate-extensions.js'
import { TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'
import { type PublicKey, readPublicKey } from './public-key.js'
import { OID } from './read.js'

export interface Certificate {
  /** Undefined without the extension basicConstraints. */
  readonly isCA: boolean | undefined
  readonly dnsNames: readonly string[]
  readonly emailAddresses: readonly string[]
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly publicKey: PublicKey
}

/** Reads a certificate. Throws a DerError when Go would not read it. */
export function parseCertificate(der: Buffer): Certificate {
  const outer = new DerCursor(der)
  const whole = outer.in(TAG.sequence)
  if (!outer.isEmpty) throw new DerError('trailing data')
  const body = whole.in(TAG.sequence)
  const version = versionOf(body.optional(0xa0))
  if (body.integer()[0]! >= 0x80) throw new DerError('negative serial number')
  const algorithm = body.take(TAG.sequence)
  if (!algorithm.equals(whole.take(TAG.sequence))) throw new DerError('the two signature algorithms differ')
  checkAlgorithm(new DerCursor(algorithm))
  checkName(body.in(TAG.sequence))
  const validity = body.in(TAG.sequence)
  const [notBefore, notAfter] = [validity.time(), validity.time()]
  checkName(body.in(TAG.sequence))
  const publicKey = readPublicKey(body.whole(TAG.sequence))
  const extensions = version > 1 ? extensionsOf(body, version) : new Map<string, Buffer>()
  whole.bitString()
  const constraints = extensions.get(OID.basicConstraints)
  const names = extensions.get(OID.subjectAltName)
  const { dnsNames, emailAddresses } = names ? readAlternativeNames(names) : { dnsNames: [], emailAddresses: [] }
  return {
    isCA: constraints && isAuthority(constraints),
    dnsNames,
    emailAddresses,
    notBefore,
    notAfter,
    publicKey
  }
}

function versionOf(wrapper: Buffer | undefined): number {
  const version = wrapper === undefined ? 0n : new DerCursor(wrapper).natural()
  if (version > 2n) throw new DerError('invalid version')
  return Number(version) + 1
}

function checkAlgorithm(algorithm: DerCursor): void {
  algorithm.oid()
  if (!algorithm.isEmpty) algorithm.any()
}

function isAuthority(extension: Buffer): boolean {
  const constraints = new DerCursor(extension).in(TAG.sequence)
  return constraints.isNext(TAG.boolean) && constraints.boolean()
}

function checkName(name: DerCursor): void {
  while (!name.isEmpty) {
    const set = name.in(TAG.set)
    while (!set.isEmpty) {
      const attribute = set.in(TAG.sequence)
      attribute.oid()
      const { tag, content } = attribute.any()
      if (!isText(tag, content)) throw new DerError('malformed text in a name')
    }
  }
}

const numericString = 0x12

function isText(tag: number, content: Buffer): boolean {
  switch (tag) {
    case TAG.teletexString:
      return true
    case TAG.printableString:
      // the last two are not in the standard, but in certificates
      return /^[A-Za-z0-9'()+,\-./ :=?*&]*$/.test(content.toString('latin1'))
    case TAG.utf8String:
      return Buffer.from(content.toString('utf8')).equals(content)
    case TAG.ia5String:
      return isIA5(content)
    case TAG.bmpString:
      return content.length % 2 === 0 && isBasicMultilingual(content)
    case numericString:
      return /^[0-9 ]*$/.test(content.toString('latin1'))
    default:
      return false
  }
}

function isBasicMultilingual(content: Buffer): boolean {
  const isTerminated = content.length >= 2 && content.readUInt16BE(content.length - 2) === 0
  for (let i = 0; i < content.length - (isTerminated ? 2 : 0); i += 2) {
    const point = content.readUInt16BE(i)
    if (point >= 0xfffe || (point >= 0xfdd0 && point <= 0xfdef) || (point >= 0xd800 && point <= 0xdfff)) return false
  }
  return true
}

/** Returns the values of the extensions by type, each checked. */
function extensionsOf(body: DerCursor, version: number): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  // issuerUniqueID and subjectUniqueID
  for (const tag of [0x81, 0x82]) body.optional(tag)
  const wrapper = version === 3 ? body.optional(0xa3) : undefined
  if (!wrapper) return found
  const list = new DerCursor(wrapper).in(TAG.sequence)
  const read: [type: string, critical: boolean, value: Buffer][] = []
  while (!list.isEmpty) {
    const extension = list.in(TAG.sequence)
    const type = extension.oid()
    const critical = extension.isNext(TAG.boolean) && extension.boolean()
    const value = extension.take(TAG.octetString)
    if (found.has(type)) throw new DerError(`extension ${type} occurs twice`)
    found.set(type, value)
    read.push([type, critical, value])
  }
  for (const [type, critical, value] of read) readExtension(type, critical, value)
  return found
}
