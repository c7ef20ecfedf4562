/** Makes requests for certificates, each with some faults or oddities: what readers are compared with. */
import { element, integer, octetString, oid, sequence, TAG, utf8String } from '../der.js'
import { extension } from '../issue.js'
import { OID } from '../object-identifiers.js'
import { extensionForms, type Keyring } from './drafts.js'
import { makeRequest, nameOf, type RequestForm } from './make-certificate.js'
import { Random } from './random.js'

interface Draft extends RequestForm {
  readonly keyring: Keyring
  readonly random: Random
  /** Changes the request after it is signed. */
  after: (request: Buffer) => Buffer
}

const wanting = (...extensions: Buffer[]): Buffer => attribute(OID.extensionRequest, sequence(...extensions))
const attribute = (type: string, ...values: Buffer[]): Buffer => sequence(oid(type), element(TAG.set, ...values))
const wantingNames = (...names: (readonly [number, Buffer | string])[]): Buffer =>
  wanting(extension(OID.subjectAltName, false, extensionForms.names(...names).value))

const someNames = [
  [0x82, 'example.com'],
  [0x82, Buffer.from([0x61, 0xe9])],
  [0x81, 'me@example.com'],
  [0x87, Buffer.from([10, 0, 0, 1])],
  [0x87, Buffer.alloc(16, 1)],
  [0x87, Buffer.from([10, 0, 0])],
  [0x86, 'spiffe://example.com/x'],
  [0x86, '%zz'],
  [0x88, Buffer.from([1, 2, 3])]
] as const

const oddities: ReadonlyMap<string, (draft: Draft) => void> = new Map<string, (draft: Draft) => void>([
  ['signed by another key', d => void (d.signer = d.keyring.ec)],
  ['SHA-1', d => withRsa(d, { hash: 'sha1' })],
  ['MD5', d => withRsa(d, { hash: 'md5' })],
  ['SHA-224', d => withRsa(d, { hash: 'sha224' })],
  ['PSS', d => withRsa(d, { hash: 'sha256', saltLength: d.random.pick([32, 20, 64]) })],
  [
    'an unusual key',
    d => {
      d.keys = d.signer = d.random.pick(d.keyring.odd)
      d.signature = { hash: 'sha256' }
    }
  ],
  [
    'names',
    d => void d.attributes.push(wantingNames(...Array.from({ length: 1 + d.random.below(3) }, () => d.random.pick(someNames))))
  ],
  ['two lists of extensions', d => void d.attributes.push(wantingNames(someNames[0]), wantingNames(someNames[3]))],
  [
    'extensions twice',
    d =>
      void d.attributes.push(wanting(...Array.from({ length: 2 }, () => extension('1.2.3.4', false, octetString(Buffer.of(1))))))
  ],
  ['a password', d => void d.attributes.unshift(attribute('1.2.840.113549.1.9.7', utf8String('secret')))],
  ['an attribute of numbers', d => void d.attributes.unshift(attribute('1.2.3.4', integer(Buffer.of(1))))],
  ['an attribute without values', d => void d.attributes.push(attribute('1.2.3.4'))],
  ['no list of extensions', d => void d.attributes.push(attribute(OID.extensionRequest))],
  [
    'several organizations',
    d =>
      void (d.subject = nameOf([
        [OID.organization, 'a'],
        [OID.organization, 'b'],
        [OID.commonName, 'x']
      ]))
  ],
  [
    'several common names',
    d =>
      void (d.subject = nameOf([
        [OID.commonName, 'first'],
        [OID.commonName, 'last']
      ]))
  ],
  ['an empty name', d => void (d.subject = nameOf([]))],
  [
    'names in other encodings',
    d => {
      const value = d.random.pick(['alice', 'a*b', 'Zo\u00eb', '12 3', 'a@b', 'x\0'])
      d.subject = nameOf([[OID.commonName, value, d.random.pick([0x0c, 0x12, 0x13, 0x14, 0x16, 0x1e])]])
    }
  ],
  [
    'a changed bit',
    d =>
      void (d.after = request => {
        const changed = Buffer.from(request)
        changed[d.random.below(changed.length)]! ^= 1 << d.random.below(8)
        return changed
      })
  ],
  ['a byte too many', d => void (d.after = request => Buffer.concat([request, Buffer.of(0)]))],
  ['a byte too few', d => void (d.after = request => request.subarray(0, -1))]
])

const withRsa = (draft: Draft, signature: RequestForm['signature']): void => {
  draft.keys = draft.signer = draft.keyring.rsa
  draft.signature = signature
}

export function makeOddRequest(seed: number, keyring: Keyring): { oddities: readonly string[]; request: Buffer } {
  const random = new Random(seed)
  const keys = random.pick(keyring.ordinary)
  const subject = nameOf([
    [OID.organization, 'group'],
    [OID.commonName, 'user']
  ])
  const signature = { hash: random.pick(['sha256', 'sha384', 'sha512']) }
  const draft: Draft = { keys, signer: keys, subject, signature, attributes: [], keyring, random, after: request => request }
  const names = Array.from({ length: random.below(3) }, () => random.pick([...oddities.keys()]))
  for (const name of names) oddities.get(name)!(draft)
  return { oddities: names, request: draft.after(makeRequest(draft)) }
}
