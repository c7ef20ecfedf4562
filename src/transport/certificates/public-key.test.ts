import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { bitString, element, integer, oid, sequence, TAG } from './der.js'
import { DerError } from './der-cursor.js'
import { keyObjectOf, readPublicKey, verifyingKey } from './public-key.js'

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const ec = (namedCurve: string) => spki(generateKeyPairSync('ec', { namedCurve }).publicKey)
const rsaType = sequence(oid('1.2.840.113549.1.1.1'), element(TAG.null))
const rsa = (modulus: Buffer, exponent = integer(Buffer.of(1, 0, 1)), type = rsaType) =>
  sequence(type, bitString(sequence(modulus, exponent)))
const bits = (count: number) =>
  integer(Buffer.concat([Buffer.of(1 << ((count - 1) % 8)), Buffer.alloc(Math.ceil(count / 8) - 1, 1)]))
const dsaType = '1.2.840.10040.4.1'
const numbers = (count: number) => Array.from({ length: count }, () => integer(Buffer.of(5)))
const p256 = ec('P-256')
const curve = (type: string, key: Buffer) => sequence(sequence(oid('1.2.840.10045.2.1'), oid(type)), bitString(key))

describe('a public key', () => {
  for (const [name, curve] of [
    ['P-224', 'P-224'],
    ['P-256', 'P-256'],
    ['P-384', 'P-384'],
    ['P-521', 'P-521']
  ] as const)
    it(`may be of ${name}`, () => {
      const der = ec(curve)
      const key = readPublicKey(der)
      assert.deepEqual([key.type, key.curve], ['ec', name])
      assert.ok(key.der.equals(der))
      assert.ok(verifyingKey(key))
    })

  for (const count of [9, 16, 1023, 1024, 2047, 2048, 3072, 4096, 8192])
    it(`may be of RSA with ${count} bits`, () => {
      const key = readPublicKey(rsa(bits(count)))
      assert.deepEqual([key.type, key.modulusBits], ['rsa', count])
    })

  it('of RSA verifies, unless it is so large that this would take long', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    assert.equal(verifyingKey(readPublicKey(spki(publicKey)))!.asymmetricKeyDetails!.modulusLength, 1024)
    assert.ok(verifyingKey(readPublicKey(rsa(bits(8192)))))
    assert.throws(() => verifyingKey(readPublicKey(rsa(bits(8193)))), DerError)
  })

  it('may be of Ed25519', () => {
    const key = readPublicKey(spki(generateKeyPairSync('ed25519').publicKey))
    assert.equal(key.type, 'ed25519')
    assert.equal(verifyingKey(key)!.asymmetricKeyType, 'ed25519')
  })

  it('of X25519 is known only where it stands alone', () => {
    const der = spki(generateKeyPairSync('x25519').publicKey)
    assert.equal(readPublicKey(der).type, 'unknown')
    const alone = readPublicKey(der, true)
    assert.equal(alone.type, 'other')
    assert.equal(verifyingKey(alone), undefined)
  })

  it('of DSA is read, and verifies nothing', () => {
    const key = readPublicKey(sequence(sequence(oid(dsaType), sequence(...numbers(3))), bitString(numbers(1)[0]!)))
    assert.equal(key.type, 'other')
    assert.equal(verifyingKey(key), undefined)
  })

  it('of an unknown algorithm is kept as it is', () => {
    const der = sequence(sequence(oid('1.2.3')), bitString(Buffer.of(1, 2)))
    const key = readPublicKey(der)
    assert.equal(key.type, 'unknown')
    assert.ok(key.der.equals(der))
    assert.equal(verifyingKey(key), undefined)
    assert.equal(keyObjectOf(key), undefined)
  })

  it('may have bytes behind it only where it does not stand alone', () => {
    const longer = Buffer.concat([p256, Buffer.of(5, 0)])
    assert.ok(readPublicKey(longer).der.equals(p256))
    assert.throws(() => readPublicKey(longer, true), DerError)
  })

  const point = readPoint(p256)
  const compressed = Buffer.concat([Buffer.of(2 + (point.at(-1)! & 1)), point.subarray(1, 33)])
  const ed = spki(generateKeyPairSync('ed25519').publicKey)
  for (const [what, der] of [
    ['of RSA without its NULL', rsa(bits(1024), undefined, sequence(oid('1.2.840.113549.1.1.1')))],
    ['of RSA with other parameters', rsa(bits(1024), undefined, sequence(oid('1.2.840.113549.1.1.1'), sequence()))],
    ['of RSA with a modulus of 0', rsa(integer(Buffer.of(0)))],
    ['of RSA with a negative modulus', rsa(element(TAG.integer, Buffer.of(0x80, 1)))],
    ['of RSA with an exponent of 0', rsa(bits(1024), integer(Buffer.of(0)))],
    ['of RSA with a negative exponent', rsa(bits(1024), element(TAG.integer, Buffer.of(0xff)))],
    ['of RSA with a huge exponent', rsa(bits(1024), integer(Buffer.alloc(9, 1)))],
    ['of an unsupported curve', curve('1.3.132.0.10', point)],
    ['of another curve', curve('1.3.132.0.34', point)],
    ['with a compressed point', curve('1.2.840.10045.3.1.7', compressed)],
    ['with a point of another form', curve('1.2.840.10045.3.1.7', Buffer.concat([Buffer.of(6), point.subarray(1)]))],
    [
      'with a point that is not on its curve',
      curve('1.2.840.10045.3.1.7', Buffer.concat([point.subarray(0, 64), Buffer.of(point[64]! ^ 1)]))
    ],
    ['with half a point', curve('1.2.840.10045.3.1.7', point.subarray(0, 33))],
    ['of Ed25519 with parameters', sequence(sequence(oid('1.3.101.112'), element(TAG.null)), bitString(ed.subarray(-32)))],
    ['of Ed25519 that is too short', sequence(sequence(oid('1.3.101.112')), bitString(ed.subarray(-31)))],
    ['of DSA with two parameters', sequence(sequence(oid(dsaType), sequence(...numbers(2))), bitString(numbers(1)[0]!))],
    [
      'of DSA with a parameter of 0',
      sequence(sequence(oid(dsaType), sequence(...numbers(2), integer(Buffer.of(0)))), bitString(numbers(1)[0]!))
    ],
    ['of DSA without a number', sequence(sequence(oid(dsaType), sequence(...numbers(3))), bitString(Buffer.of(1)))],
    ['of DSA that is 0', sequence(sequence(oid(dsaType), sequence(...numbers(3))), bitString(integer(Buffer.of(0))))],
    ['that is no bit string', sequence(rsaType, sequence())]
  ] as const)
    it(`is none ${what}`, () => {
      assert.throws(() => readPublicKey(der), DerError)
      assert.throws(() => readPublicKey(der, true), DerError)
    })
})

function readPoint(der: Buffer): Buffer {
  return der.subarray(-65)
}
