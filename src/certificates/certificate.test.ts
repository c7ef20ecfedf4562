import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { readCertificate } from './certificate.js'
import { boolean, element, integer, octetString, sequence, TAG } from './der.js'
import { DerCursor } from './der-cursor.js'
import { generalNameTag } from './general-names.js'
import { attributeOf, extension, signCertificate } from './issue.js'
import { OID } from './object-identifiers.js'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const start = Date.parse('2026-01-02T03:04:05Z')

const make = (extensions: Buffer[] = [], change: { subject?: Buffer; publicKey?: Buffer } = {}) =>
  signCertificate(
    {
      subject: sequence(element(TAG.set, attributeOf(OID.commonName, 'x'))),
      publicKey: spki(publicKey),
      notBefore: start,
      notAfter: start + 3_600_000,
      extensions,
      ...change
    },
    { key: privateKey }
  )
const names = (...list: [number, string][]) =>
  extension(OID.subjectAltName, false, sequence(...list.map(([tag, text]) => element(tag, Buffer.from(text, 'latin1')))))
const constraints = (...fields: Buffer[]) => extension(OID.basicConstraints, true, sequence(...fields))

describe('a certificate', () => {
  it('says whether it is an authority, for which names, and how long', () => {
    const found = readCertificate(make([constraints(boolean(true)), names([0x82, 'a.b'], [0x81, 'a@b'])]))
    assert.equal(found.basicConstraints?.ca, true)
    assert.deepEqual(found.names, [
      { tag: generalNameTag.dns, content: Buffer.from('a.b') },
      { tag: generalNameTag.email, content: Buffer.from('a@b') }
    ])
    assert.deepEqual([found.notBefore, found.notAfter], [start, start + 3_600_000])
    assert.ok(found.publicKey.der.equals(spki(publicKey)))
    assert.equal(readCertificate(make([constraints()])).basicConstraints?.ca, false)
    assert.equal(readCertificate(make()).basicConstraints, undefined)
  })

  for (const [what, der] of [
    ['with bytes after it', Buffer.concat([make(), Buffer.of(0)])],
    ['with the same extension twice', make([constraints(), constraints()])],
    ['with a boolean that is neither', make([constraints(element(TAG.boolean, Buffer.of(1)))])],
    ['with a path length below 0', make([constraints(boolean(true), element(TAG.integer, Buffer.of(0x80)))])],
    ['with a padded integer', make([constraints(boolean(true), element(TAG.integer, Buffer.of(0, 1)))])],
    ['with names beyond ASCII', make([names([0x82, '\xe9'])])],
    ['with half an IP address', make([names([0x87, '123'])])],
    ['with a URI of no domain', make([names([0x86, 'http://a../b'])])],
    ['with a critical key id', make([extension(OID.subjectKeyIdentifier, true, octetString(Buffer.of(1)))])],
    ['with an empty name constraint', make([extension(OID.nameConstraints, true, sequence())])],
    ['without the null of RSA', make([], { publicKey: rsaWithoutNull() })],
    ['with a point that is not on its curve', make([], { publicKey: withLast(spki(publicKey), 1) })],
    ['with odd characters', make([], { subject: sequence(element(TAG.set, sequence(...oddText()))) })],
    ['whose length is not in its shortest form', longLength(make())]
  ] as const)
    it(`is none ${what}`, () => assert.throws(() => readCertificate(der)))

  it('may have bytes behind its key, and a key whose bits are shifted is another one', () => {
    const content = new DerCursor(spki(publicKey)).take(TAG.sequence)
    const longer = sequence(content, Buffer.of(5, 0))
    assert.ok(readCertificate(make([], { publicKey: longer })).publicKey.der.equals(spki(publicKey)))
    const info = new DerCursor(content)
    const shifted = sequence(info.any().raw, element(TAG.bitString, Buffer.of(1), info.bits()))
    assert.throws(() => readCertificate(make([], { publicKey: shifted })))
  })

  it('may have a key that nobody knows', () => {
    const key = generateKeyPairSync('x25519').publicKey
    assert.equal(readCertificate(make([], { publicKey: spki(key) })).publicKey.type, 'unknown')
  })
})

function oddText(): Buffer[] {
  return [element(TAG.oid, Buffer.of(0x55, 4, 3)), element(TAG.printableString, Buffer.from('a@b'))]
}

function rsaWithoutNull(): Buffer {
  const key = sequence(integer(Buffer.of(1, 2, 3)), integer(Buffer.of(3)))
  const type = Buffer.from('2a864886f70d010101', 'hex')
  return sequence(sequence(element(TAG.oid, type)), element(TAG.bitString, Buffer.of(0), key))
}

function withLast(der: Buffer, change: number): Buffer {
  const copy = Buffer.from(der)
  copy[copy.length - 1]! ^= change
  return copy
}

/** Writes the length of the whole with one byte more than it needs. */
function longLength(der: Buffer): Buffer {
  assert.equal(der[1], 0x82)
  return Buffer.concat([Buffer.of(der[0]!, 0x83, 0, der[2]!, der[3]!), der.subarray(4)])
}
