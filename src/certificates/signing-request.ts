/** Requests for certificates (PKCS #10, RFC 2986): their contents, and proof that the requester has the key. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DerElement, readElement, readOid, TAG } from './der.js'
import { DerCursor } from './der-cursor.js'
import { readPublicKey } from './public-key.js'
import { children, type DistinguishedName, OID, readExtensions, readName } from './read.js'

/** Tags of the alternative names that certificates may contain. */
export const generalNameTag = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const

const generalNameTags: readonly number[] = Object.values(generalNameTag)

export interface GeneralName {
  readonly tag: number
  readonly content: Buffer
}

export interface SigningRequest {
  readonly subject: DistinguishedName
  /** The key with its algorithm, in DER. */
  readonly publicKey: Buffer
  readonly names: readonly GeneralName[]
  /** The signed bytes, the algorithm and the signature. */
  readonly body: Buffer
  readonly algorithm: DerElement
  readonly signature: Buffer
}

/** Reads a request. Throws when it is malformed; does not verify the signature. */
export function readSigningRequest(der: Buffer): SigningRequest {
  const outer = new DerCursor(der)
  const whole = outer.in(TAG.sequence)
  if (!outer.isEmpty) throw malformed()
  const body = whole.any()
  const algorithm = whole.any()
  const signature = whole.bitString()
  const fields = new DerCursor(body.content)
  if (body.tag !== TAG.sequence || algorithm.tag !== TAG.sequence || fields.integer().length > 8) throw malformed()
  const subject = fields.any()
  const publicKey = fields.whole(TAG.sequence)
  readPublicKey(publicKey)
  new DerCursor(algorithm.content).oid()
  checkSubject(subject)
  const attributes = fields.any()
  if (attributes.tag !== 0xa0) throw malformed()
  return { subject: readName(subject), publicKey, names: readNames(attributes), body: body.raw, algorithm, signature }
}

/** Requires shortest lengths and well-formed types, beyond what `readName` asks for. */
function checkSubject({ raw }: DerElement): void {
  const names = new DerCursor(raw).in(TAG.sequence)
  while (!names.isEmpty) {
    const set = names.in(TAG.set)
    while (!set.isEmpty) {
      const attribute = set.in(TAG.sequence)
      attribute.oid()
      attribute.any()
    }
  }
}

/** Returns the values of one attribute of the subject. */
export const valuesOf = ({ subject }: SigningRequest, type: string): string[] =>
  subject.attributes.filter(attribute => attribute.type === type).map(({ value }) => value)

const malformed = () => new Error('malformed certificate request')

function readNames(attributes: DerElement | undefined): GeneralName[] {
  if (attributes?.tag !== 0xa0) return []
  const lists = children(attributes).flatMap(attribute => {
    const [type, values] = children(attribute)
    if (type?.tag !== TAG.oid || readOid(type.content) !== OID.extensionRequest) return []
    return children(children(values)[0])
  })
  const value = readExtensions(lists).get(OID.subjectAltName)?.value
  const names = value ? children(readElement(value)).filter(({ tag }) => generalNameTags.includes(tag)) : []
  for (const { tag, content } of names) {
    const good = tag === generalNameTag.ip ? content.length === 4 || content.length === 16 : content.every(byte => byte < 0x80)
    if (!good) throw malformed()
  }
  return names
}

interface Algorithm {
  /** The key type of the algorithm; errors and Node use this name. */
  readonly family: 'RSA' | 'ECDSA' | 'Ed25519'
  /** Null when the key's type determines it. */
  readonly hash: string | null
  readonly padding?: number
}

const pss = '1.2.840.113549.1.1.10'
const rsa = (hash: string): Algorithm => ({ family: 'RSA', hash })
const ecdsa = (hash: string): Algorithm => ({ family: 'ECDSA', hash })

const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['1.2.840.113549.1.1.5', rsa('sha1')],
  ['1.3.14.3.2.29', rsa('sha1')],
  ['1.2.840.113549.1.1.11', rsa('sha256')],
  ['1.2.840.113549.1.1.12', rsa('sha384')],
  ['1.2.840.113549.1.1.13', rsa('sha512')],
  ['1.2.840.10045.4.1', ecdsa('sha1')],
  ['1.2.840.10045.4.3.2', ecdsa('sha256')],
  ['1.2.840.10045.4.3.3', ecdsa('sha384')],
  ['1.2.840.10045.4.3.4', ecdsa('sha512')],
  ['1.3.101.112', { family: 'Ed25519', hash: null }]
])

const pssHashes: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512']
])

const keyTypes: ReadonlyMap<string | undefined, { family: Algorithm['family']; name: string }> = new Map([
  ['rsa', { family: 'RSA', name: '*rsa.PublicKey' }],
  ['ec', { family: 'ECDSA', name: '*ecdsa.PublicKey' }],
  ['ed25519', { family: 'Ed25519', name: 'ed25519.PublicKey' }]
])

const unsupported = 'x509: cannot verify signature: algorithm unimplemented'

/** Returns why the signature does not prove that the requester has the key, in Kubernetes' words; undefined when it does. */
export function signatureProblem(request: SigningRequest): string | undefined {
  const type = readOid(children(request.algorithm)[0]!.content)
  if (type === '1.2.840.113549.1.1.4') return 'x509: cannot verify signature: insecure algorithm MD5-RSA'
  const algorithm = type === pss ? pssAlgorithm(request.algorithm) : algorithms.get(type)
  const key = publicKeyOf(request)
  const keyType = keyTypes.get(key?.asymmetricKeyType)
  if (!algorithm || !key || !keyType) return unsupported
  const { family, hash, padding } = algorithm
  if (family !== keyType.family)
    return `x509: signature algorithm specifies an ${family} public key, but have public key of type ${keyType.name}`
  const options = padding === undefined ? { key } : { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  if (verify(hash, request.body, options, request.signature)) return undefined
  return family === 'RSA' ? 'crypto/rsa: verification error' : `x509: ${family} verification failure`
}

function publicKeyOf({ publicKey }: SigningRequest): KeyObject | undefined {
  try {
    return createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Reads the hash from the parameters of the algorithm: RFC 4055, 3.1. */
function pssAlgorithm(algorithm: DerElement): Algorithm | undefined {
  try {
    const [, parameters] = children(algorithm)
    const wrapper = children(parameters).find(({ tag }) => tag === 0xa0)
    const hash = pssHashes.get(readOid(children(children(wrapper)[0])[0]!.content))
    return hash === undefined ? undefined : { family: 'RSA', hash, padding: constants.RSA_PKCS1_PSS_PADDING }
  } catch {
    return undefined
  }
}
