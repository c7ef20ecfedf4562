/** Makes certificates and requests of any form, right and wrong, for tests. */
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bitString, boolean, element, integer, octetString, oid, sequence, TAG, time } from '../der.js'

export interface Keys {
  /** The key with its algorithm, in DER. */
  readonly publicKey: Buffer
  readonly privateKey: KeyObject
}

export const makeKeys = {
  ec: (namedCurve: string): Keys => exported(generateKeyPairSync('ec', { namedCurve })),
  rsa: (modulusLength: number): Keys => exported(generateKeyPairSync('rsa', { modulusLength })),
  ed25519: (): Keys => exported(generateKeyPairSync('ed25519')),
  ed448: (): Keys => exported(generateKeyPairSync('ed448'))
}

const exported = ({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Keys => ({
  publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  privateKey
})

const nullElement = element(TAG.null)
const hashOids: Readonly<Record<string, string>> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3'
}

const rsaOids: Readonly<Record<string, string>> = {
  md5: '1.2.840.113549.1.1.4',
  sha1: '1.2.840.113549.1.1.5',
  sha224: '1.2.840.113549.1.1.14',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13'
}

const ecOids: Readonly<Record<string, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha224: '1.2.840.10045.4.3.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4'
}

/** The algorithm identifier of a signature with this key. MD5 exists for RSA only, and the salt of PSS is as long as the hash unless given. */
export function algorithmOf({ privateKey }: Keys, { hash, saltLength }: SignatureForm): Buffer {
  const type = privateKey.asymmetricKeyType
  if (type === 'ed25519') return sequence(oid('1.3.101.112'))
  if (type === 'ed448') return sequence(oid('1.3.101.113'))
  if (type === 'ec') return sequence(oid(ecOids[hash] ?? ecOids.sha1!))
  if (saltLength === undefined) return sequence(oid(rsaOids[hash]!), nullElement)
  const digest = sequence(oid(hashOids[hash]!), nullElement)
  return sequence(
    oid('1.2.840.113549.1.1.10'),
    sequence(
      element(0xa0, digest),
      element(0xa1, sequence(oid('1.2.840.113549.1.1.8'), digest)),
      element(0xa2, integer(Buffer.of(saltLength)))
    )
  )
}

export interface SignatureForm {
  readonly hash: string
  /** RSA-PSS instead of PKCS #1. */
  readonly saltLength?: number | undefined
}

export function signatureBy({ privateKey }: Keys, body: Buffer, { hash, saltLength }: SignatureForm): Buffer {
  const type = privateKey.asymmetricKeyType
  if (type === 'ed25519' || type === 'ed448') return sign(null, body, privateKey)
  const digest = type === 'ec' && !(hash in ecOids) ? 'sha1' : hash
  return saltLength === undefined
    ? sign(digest, body, privateKey)
    : sign(digest, body, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })
}

/** Attributes are [type, value] or [type, value, tag]. */
export type NameForm = readonly (readonly [string, string, number?])[]

export const nameOf = (attributes: NameForm): Buffer =>
  sequence(...attributes.map(([type, value, tag]) => element(TAG.set, sequence(oid(type), textElement(value, tag)))))

const textElement = (value: string, tag: number = TAG.utf8String): Buffer =>
  element(
    tag,
    tag === TAG.bmpString
      ? Buffer.from(value, 'utf16le').swap16()
      : Buffer.from(value, tag === TAG.utf8String ? 'utf8' : 'latin1')
  )

export interface CertificateForm {
  version: number
  serial: Buffer
  issuer: Buffer
  subject: Buffer
  notBefore: number
  notAfter: number
  keys: Keys
  signer: Keys
  signature: SignatureForm
  /** By object identifier; the value is DER. */
  extensions: Map<string, { critical: boolean; value: Buffer }>
  /** An extension that stands there twice. */
  repeated?: string | undefined
}

export function makeCertificate(form: CertificateForm): Buffer {
  const algorithm = algorithmOf(form.signer, form.signature)
  const types = [...form.extensions.keys(), ...(form.repeated === undefined ? [] : [form.repeated])]
  const extensions = types.map(type => {
    const { critical, value } = form.extensions.get(type)!
    return sequence(oid(type), ...(critical ? [boolean(true)] : []), octetString(value))
  })
  const body = sequence(
    ...(form.version === 1 ? [] : [element(0xa0, integer(Buffer.of(form.version - 1)))]),
    integer(form.serial),
    algorithm,
    form.issuer,
    sequence(time(form.notBefore), time(form.notAfter)),
    form.subject,
    form.keys.publicKey,
    ...(extensions.length === 0 ? [] : [element(0xa3, sequence(...extensions))])
  )
  return sequence(body, algorithm, bitString(signatureBy(form.signer, body, form.signature)))
}

export interface RequestForm {
  subject: Buffer
  keys: Keys
  signer: Keys
  signature: SignatureForm
  /** DER of attributes. */
  attributes: Buffer[]
}

export function makeRequest({ subject, keys, signer, signature, attributes }: RequestForm): Buffer {
  const body = sequence(integer(Buffer.of(0)), subject, keys.publicKey, element(0xa0, ...attributes))
  return sequence(body, algorithmOf(signer, signature), bitString(signatureBy(signer, body, signature)))
}
