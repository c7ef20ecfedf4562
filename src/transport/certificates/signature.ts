/** Verifies signatures of certificates and of requests for them, with the algorithms and the words of Go's x509 package. */
import { constants, type KeyObject, verify } from 'node:crypto'
import { TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'

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
  /** The signed bytes, the algorithm (both with tag and length) and the signature. */
  readonly body: Buffer
  readonly algorithm: Buffer
  readonly signature: Buffer
}

/** Returns, in Go's words, why the signature is not one by the key; undefined when it is. */
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

/** Reads an algorithm with its parameters, which must be well-formed. Returns both as they are. */
export function readAlgorithm(cursor: DerCursor): Buffer {
  const { raw, content } = cursor.whole(TAG.sequence)
  const algorithm = new DerCursor(content)
  algorithm.oid()
  if (!algorithm.isEmpty) algorithm.any()
  return raw
}

function algorithmOf(raw: Buffer): Algorithm | undefined {
  const sequence = new DerCursor(raw).in(TAG.sequence)
  const name = sequence.oid()
  if (name === pss) return pssAlgorithm(sequence)
  if (name === ed25519) return sequence.isEmpty ? { family: 'Ed25519', hash: null } : undefined
  return algorithms.get(name)
}

/** Reads the parameters of RSA-PSS (RFC 4055, 3.1), of which Go accepts the three combinations that are used. */
function pssAlgorithm(algorithm: DerCursor): Algorithm | undefined {
  try {
    const parameters = algorithm.in(TAG.sequence)
    const known = pssHashes.get(hashOf(parameters.in(0xa0).in(TAG.sequence)))
    const mask = parameters.in(0xa1).in(TAG.sequence)
    const good =
      known &&
      mask.oid() === mgf1 &&
      pssHashes.get(hashOf(mask.in(TAG.sequence))) === known &&
      parameters.in(0xa2).natural() === BigInt(known.length) &&
      (parameters.isEmpty || parameters.in(0xa3).natural() === 1n)
    return good ? { family: 'RSA', hash: known.hash, isPss: true } : undefined
  } catch {
    return undefined
  }
}

/** Returns the object identifier of a hash, whose parameters are absent or NULL. */
function hashOf(algorithm: DerCursor): string {
  const type = algorithm.oid()
  if (!algorithm.isEmpty && algorithm.take(TAG.null).length > 0) throw new DerError('unknown parameters of a hash')
  return type
}
