/** Signatures of certificates and requests for them: the algorithms that Go's x509 package has, in its words. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DerElement, readBits, readCount, readElement, TAG } from './der.js'
import { children, readOidElement } from './read.js'

interface Algorithm {
  /** The key type of the algorithm; errors use this name. */
  readonly family: 'RSA' | 'ECDSA' | 'Ed25519' | 'DSA'
  /** Null when the key's type determines it. */
  readonly hash: string | null
  readonly isPss?: boolean
}

const rsa = (hash: string): Algorithm => ({ family: 'RSA', hash })
const ecdsa = (hash: string): Algorithm => ({ family: 'ECDSA', hash })

const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['1.2.840.113549.1.1.4', rsa('md5')],
  ['1.2.840.113549.1.1.5', rsa('sha1')],
  ['1.3.14.3.2.29', rsa('sha1')],
  ['1.2.840.113549.1.1.11', rsa('sha256')],
  ['1.2.840.113549.1.1.12', rsa('sha384')],
  ['1.2.840.113549.1.1.13', rsa('sha512')],
  ['1.2.840.10045.4.1', ecdsa('sha1')],
  ['1.2.840.10045.4.3.2', ecdsa('sha256')],
  ['1.2.840.10045.4.3.3', ecdsa('sha384')],
  ['1.2.840.10045.4.3.4', ecdsa('sha512')],
  ['1.2.840.10040.4.3', { family: 'DSA', hash: 'sha1' }],
  ['2.16.840.1.101.3.4.3.2', { family: 'DSA', hash: 'sha256' }]
])

const ed25519 = '1.3.101.112'
const pss = '1.2.840.113549.1.1.10'
const mgf1 = '1.2.840.113549.1.1.8'

const pssHashes: ReadonlyMap<string, { hash: string; length: number }> = new Map([
  ['2.16.840.1.101.3.4.2.1', { hash: 'sha256', length: 32 }],
  ['2.16.840.1.101.3.4.2.2', { hash: 'sha384', length: 48 }],
  ['2.16.840.1.101.3.4.2.3', { hash: 'sha512', length: 64 }]
])

const unsupported = 'x509: cannot verify signature: algorithm unimplemented'

export interface Signed {
  /** The signed bytes, the algorithm and the signature. */
  readonly body: Buffer
  readonly algorithm: DerElement
  readonly signature: Buffer
}

/** Returns why a signature is not one by the key, in Go's words; undefined when it is. */
export function signatureProblem(signed: Signed, key: KeyObject | undefined, allowsSha1: boolean): string | undefined {
  const algorithm = algorithmOf(signed.algorithm)
  if (!algorithm) return unsupported
  const { family, hash, isPss } = algorithm
  if (hash === 'md5' || (hash === 'sha1' && !allowsSha1))
    return `x509: cannot verify signature: insecure algorithm ${insecureName(algorithm)}`
  const keyType = keyTypes.get(key?.asymmetricKeyType)
  if (!key || !keyType) return unsupported
  if (family !== keyType.family)
    return `x509: signature algorithm specifies an ${family} public key, but have public key of type ${keyType.name}`
  const bits = key.asymmetricKeyDetails?.modulusLength ?? Infinity
  if (bits < minRsaBits)
    return `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`
  const options = isPss
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : { key }
  if (verify(hash, signed.body, options, signed.signature)) return undefined
  return family === 'RSA' ? 'crypto/rsa: verification error' : `x509: ${family} verification failure`
}

const minRsaBits = 1024

const insecureName = ({ family, hash }: Algorithm): string =>
  family === 'RSA' ? `${hash!.toUpperCase()}-RSA` : `${family}-${hash!.toUpperCase()}`

const keyTypes: ReadonlyMap<string | undefined, { family: Algorithm['family']; name: string }> = new Map([
  ['rsa', { family: 'RSA', name: '*rsa.PublicKey' }],
  ['ec', { family: 'ECDSA', name: '*ecdsa.PublicKey' }],
  ['ed25519', { family: 'Ed25519', name: 'ed25519.PublicKey' }]
])

/** The object identifiers of keys, and the curves of elliptic ones: P-224, P-256, P-384, P-521. */
const rsaKey = '1.2.840.113549.1.1.1'
const ecKey = '1.2.840.10045.2.1'
const curves = new Set(['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35'])
const maxRsaBits = 8192

/**
 * Reads a public key with its algorithm. Throws when it is malformed, has parameters of another form than it must, or is so large that
 * verifying with it would take long; undefined for an algorithm that signs no certificates.
 */
export function readPublicKey(der: Buffer): KeyObject | undefined {
  const [algorithm, bits] = children(readElement(der))
  const [type, parameters] = children(algorithm)
  if (bits?.tag !== TAG.bitString) throw new Error('malformed public key')
  const content = readBits(bits)
  switch (readOidElement(type)) {
    case rsaKey:
      if (parameters?.tag !== TAG.null || parameters.content.length > 0) throw new Error('RSA key missing NULL parameters')
      break
    case ecKey:
      if (!curves.has(readOidElement(parameters))) throw new Error('unsupported elliptic curve')
      if (content[0] !== 4) throw new Error('malformed public key')
      break
    case ed25519:
      if (parameters) throw new Error('Ed25519 key encoded with illegal parameters')
      break
    default:
      return undefined
  }
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) > maxRsaBits) throw new Error('the RSA key is too large')
  return key
}

function algorithmOf(element: DerElement): Algorithm | undefined {
  const [type, ...parameters] = children(element)
  const name = readOidElement(type)
  if (name === pss) return pssAlgorithm(parameters[0])
  if (name === ed25519) return parameters.length === 0 ? { family: 'Ed25519', hash: null } : undefined
  return algorithms.get(name)
}

/** RFC 4055, 3.1. Of all that the parameters could say, Go takes the three combinations that are in use. */
function pssAlgorithm(parameters: DerElement | undefined): Algorithm | undefined {
  try {
    const fields = new Map(children(parameters).map(field => [field.tag, children(field)[0]]))
    const known = pssHashes.get(hashOf(fields.get(0xa0)))
    const [mask, maskHash] = children(fields.get(0xa1))
    const salt = fields.get(0xa2)
    const trailer = fields.get(0xa3)
    const good =
      known &&
      readOidElement(mask) === mgf1 &&
      pssHashes.get(hashOf(maskHash)) === known &&
      salt?.tag === TAG.integer &&
      readCount(salt) === known.length &&
      (!trailer || readCount(trailer) === 1)
    return good ? { family: 'RSA', hash: known.hash, isPss: true } : undefined
  } catch {
    return undefined
  }
}

/** Returns the object identifier of a hash, whose parameters are absent or NULL. */
const hashOf = (algorithm: DerElement | undefined): string => {
  const [type, parameters] = children(algorithm)
  if (parameters && (parameters.tag !== TAG.null || parameters.content.length > 0))
    throw new Error('unknown parameters of a hash')
  return readOidElement(type)
}
