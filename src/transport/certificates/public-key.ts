/** Reads public keys with their algorithm (SubjectPublicKeyInfo), and refuses those that Go's crypto/x509 refuses. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { bitString, oid, sequence, TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'

export interface PublicKey {
  /** 'other' are keys that Go reads and that nobody can sign with here; 'unknown' are those it cannot read. */
  readonly type: 'rsa' | 'ec' | 'ed25519' | 'other' | 'unknown'
  /** The curve's name in Go: "P-256". */
  readonly curve?: string
  readonly modulusBits?: number
  /** The key with its algorithm as DER, without what may follow them. */
  readonly der: Buffer
}

const curves: ReadonlyMap<string, { readonly name: string; readonly bytes: number }> = new Map([
  ['1.3.132.0.33', { name: 'P-224', bytes: 28 }],
  ['1.2.840.10045.3.1.7', { name: 'P-256', bytes: 32 }],
  ['1.3.132.0.34', { name: 'P-384', bytes: 48 }],
  ['1.3.132.0.35', { name: 'P-521', bytes: 66 }]
])
const asn1Null = Buffer.of(5, 0)

type Read = (parameters: Buffer, key: Buffer, der: Buffer) => PublicKey

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['1.2.840.113549.1.1.1', rsaKey],
  ['1.2.840.10045.2.1', ecKey],
  ['1.3.101.112', (parameters, key, der) => ({ ...curveKey(parameters, key, der), type: 'ed25519' })],
  ['1.2.840.10040.4.1', dsaKey]
])

const x25519 = '1.3.101.110'

/**
 * Reads a key with its algorithm. Throws a DerError when it is malformed. `isAlone`: it is not part of a certificate or a request,
 * in which Go does not look at keys of X25519.
 */
export function readPublicKey(der: Buffer, isAlone = false): PublicKey {
  const outer = new DerCursor(der)
  const info = outer.in(TAG.sequence)
  if (isAlone && !outer.isEmpty) throw new DerError('trailing data')
  const algorithm = info.in(TAG.sequence)
  const type = algorithm.oid()
  const parameters = algorithm.isEmpty ? Buffer.alloc(0) : algorithm.any().raw
  const key = info.bitString()
  const plain = sequence(sequence(oid(type), parameters), bitString(key))
  if (type === x25519 && isAlone) return curveKey(parameters, key, plain)
  return readers.get(type)?.(parameters, key, plain) ?? { type: 'unknown', der: plain }
}

/** Returns the key for verification; undefined when OpenSSL cannot use it. */
export function keyObjectOf({ der }: PublicKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

const maxRsaBits = 8192
const verifying: ReadonlySet<PublicKey['type']> = new Set(['rsa', 'ec', 'ed25519'])

/**
 * Returns the key for verifying certificates or requests; undefined for an algorithm that signs none. Throws when it is so large that
 * verifying with it would take long.
 */
export function verifyingKey(key: PublicKey): KeyObject | undefined {
  if ((key.modulusBits ?? 0) > maxRsaBits) throw new DerError('the RSA key is too large')
  return verifying.has(key.type) ? keyObjectOf(key) : undefined
}

function rsaKey(parameters: Buffer, key: Buffer, der: Buffer): PublicKey {
  if (!parameters.equals(asn1Null)) throw new DerError('RSA key missing NULL parameters')
  const numbers = new DerCursor(key).in(TAG.sequence)
  const modulus = positive(numbers)
  if (numbers.natural() === 0n) throw new DerError('RSA public exponent is not a positive number')
  return { type: 'rsa', modulusBits: bitLength(modulus), der }
}

/** Refuses points that are not on their curve. */
function ecKey(parameters: Buffer, key: Buffer, der: Buffer): PublicKey {
  const curve = curves.get(new DerCursor(parameters).oid())
  if (!curve) throw new DerError('unsupported elliptic curve')
  const result: PublicKey = { type: 'ec', curve: curve.name, der }
  if (key[0] !== 4 || key.length !== 2 * curve.bytes + 1 || !keyObjectOf(result)) throw new DerError('invalid point')
  return result
}

function curveKey(parameters: Buffer, key: Buffer, der: Buffer): PublicKey {
  if (parameters.length > 0 || key.length !== 32) throw new DerError('malformed key of Curve25519')
  return { type: 'other', der }
}

function dsaKey(parameters: Buffer, key: Buffer, der: Buffer): PublicKey {
  positive(new DerCursor(key))
  const numbers = new DerCursor(parameters).in(TAG.sequence)
  for (let i = 0; i < 3; i++) positive(numbers)
  return { type: 'other', der }
}

function positive(cursor: DerCursor): Buffer {
  const bytes = cursor.integer()
  if (bytes[0]! >= 0x80 || bytes.every(byte => byte === 0)) throw new DerError('not a positive number')
  return bytes
}

function bitLength(bytes: Buffer): number {
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes
  return digits.length * 8 - Math.clz32(digits[0] ?? 0) + 24
}
