/** Client certificates whose subjects have any bytes, beside a reading of their own: who the user is, and of which groups. */
import { generateKeyPairSync } from 'node:crypto'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { pick } from '../../../testkit/random.js'
import { element, oid, sequence, TAG } from '../../../transport/certificates/der.js'
import { signCertificate, toPem } from '../../../transport/certificates/issue.js'
import { makeEntity, start } from '../../../transport/certificates/testing/make-entity.js'
import { issueUserCertificate } from '../../../transport/certificates/user-certificate.js'
import { x509Authenticator } from '../x509.js'

const lifetime = { notBefore: start, notAfter: start + 1000 }
const clock = { now: () => start + 500, setTimeout: () => ({ cancel() {} }) as never }
const [commonName, organization, uid] = ['2.5.4.3', '2.5.4.10', '1.3.6.1.4.1.57683.2']
const types = [
  commonName,
  commonName,
  organization,
  organization,
  organization,
  uid,
  '2.5.4.6',
  '2.5.4.11',
  '1.2.840.113549.1.9.1'
]

const decoded = (encoding: string, bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
const matched = (bytes: Buffer, form: RegExp) => (form.test(bytes.toString('latin1')) ? bytes.toString('latin1') : undefined)
/** Each type of text as Go reads it; undefined for what it refuses. */
const readers: Readonly<Record<number, (bytes: Buffer) => string | undefined>> = {
  [TAG.utf8String]: bytes => decoded('utf-8', bytes),
  [TAG.printableString]: bytes => matched(bytes, /^[a-zA-Z0-9 '()+,./:=?*&-]*$/),
  [TAG.ia5String]: bytes => matched(bytes, /^[^\x80-\xff]*$/),
  [TAG.numericString]: bytes => matched(bytes, /^[ 0-9]*$/),
  [TAG.teletexString]: bytes => bytes.toString('latin1'),
  [TAG.bmpString]: bytes => {
    const units = Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readUInt16BE(2 * i))
    if (bytes.length % 2 !== 0) return undefined
    if (units.at(-1) === 0) units.pop()
    const isWrong = (unit: number) => (unit >= 0xd800 && unit < 0xe000) || (unit >= 0xfdd0 && unit < 0xfdf0) || unit >= 0xfffe
    return units.some(isWrong) ? undefined : String.fromCharCode(...units)
  }
}
const tags = [...Object.keys(readers).map(Number), TAG.utf8String, TAG.utf8String, TAG.utf8String]

interface Attribute {
  readonly type: string
  readonly tag: number
  readonly bytes: Buffer
}

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = publicKey.export({ type: 'spki', format: 'der' })
const authority = makeEntity({ commonName: 'ca', usage: 'ca' })
const issuer = { key: authority.key, certificate: authority.certificate }

function attributeOf({ next, text }: { readonly next: (below: number) => number; readonly text: () => string }): Attribute {
  const type = pick(next, types)
  if (next(3) > 0) return { type, tag: TAG.utf8String, bytes: Buffer.from(text()) }
  const tag = next(25) === 0 ? pick(next, [TAG.octetString, TAG.sequence, 0x1c]) : pick(next, tags)
  const bytes = pick(next, [
    () => Buffer.from(text()),
    () => Buffer.from(text(), tag === TAG.bmpString ? 'utf16le' : 'latin1'),
    () => Buffer.from(pick(next, ['alice', 'system:masters', '', 'system:node:a', '12 3', 'a\0b', 'a,O=system:masters'])),
    () => Buffer.from(pick(next, ['alice', 'bob', 'a']), 'utf16le').swap16(),
    () => Buffer.from(Array.from({ length: next(6) }, () => next(256)))
  ])()
  return { type, tag, bytes }
}

/** What Go makes of a subject: the last common name is the user's, all organizations are groups, and at most one UID counts. */
function expected(attributes: readonly Attribute[]): string {
  const texts = attributes.map(({ type, tag, bytes }) => [type, readers[tag]?.(bytes)] as const)
  if (texts.some(([, text]) => text === undefined)) return '"unauthorized"'
  const of = (type: string) => texts.filter(([one]) => one === type).map(([, text]) => text!)
  const name = of(commonName).at(-1)
  if (!name) return 'undefined'
  const uids = of(uid)
  if (uids.length > 1 || uids[0] === '') return '"unauthorized"'
  return JSON.stringify({ name, uid: uids[0], groups: of(organization) })
}

const shown = (certificate: Buffer): string => {
  const found = x509Authenticator(
    [toPem(authority.certificate)],
    clock
  )({
    ...{ headers: {}, rawHeaders: () => [], peerCertificates: () => [certificate] }
  })
  if (typeof found !== 'object') return String(JSON.stringify(found))
  const { name, uid, groups } = found.user
  return JSON.stringify({ name, uid, groups })
}

/** Returns what is wrong with the user of a seed's certificate; undefined when nothing is. */
export function subjectProblem(seed: number): string | undefined {
  const values = new HostileValues(seed)
  const { next } = values
  const attributes = Array.from({ length: next(5) }, () => attributeOf({ next, text: () => values.text() }))
  const sets = attributes.map(({ type, tag, bytes }) => sequence(oid(type), element(tag, bytes)))
  // some stand in one set
  const subject = next(4) === 0 ? sequence(element(TAG.set, ...sets)) : sequence(...sets.map(set => element(TAG.set, set)))
  const wanted = attributes.length === 0 || next(4) > 0 ? expected(attributes) : undefined
  const problem = (found: string, of: string) =>
    `subject, seed ${seed}: ${found} in place of ${of}\n${JSON.stringify(attributes.map(({ type, tag, bytes }) => [type, tag, bytes.toString('latin1')]))}`
  if (wanted !== undefined) {
    const certificate = signCertificate({ subject, publicKey: spki, extensions: [], ...lifetime }, issuer)
    const found = shown(certificate)
    return found === wanted ? undefined : problem(found, wanted)
  }
  // what the server itself issues says what it was asked for
  const [name, groups] = [values.wellFormed() || 'x', [values.wellFormed(), 'system:masters']]
  const ca = { certificate: toPem(authority.certificate), key: authority.key }
  const { certificate } = issueUserCertificate(ca, name, groups, start + 500)
  const der = Buffer.from(certificate.replace(/-----.*-----|\s/g, ''), 'base64')
  const own = JSON.stringify({ name, groups })
  return shown(der) === own ? undefined : problem(shown(der), own)
}
