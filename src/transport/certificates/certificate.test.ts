import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { readCertificate } from './certificate.js'
import { bitString, boolean, element, integer, octetString, oid, sequence, TAG, time } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'
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

  const may = (bits: Buffer) => readCertificate(make([extension(OID.keyUsage, true, bits)])).maySign
  it('may sign others unless it says what else its key is for', () => {
    assert.equal(readCertificate(make()).maySign, true)
    for (const [bytes, unused, expected] of [
      [[0x04], 2, true],
      [[0x06], 1, true],
      [[0xff, 0x80], 7, true],
      [[0x80], 7, false],
      [[0x02], 1, false],
      [[0x01], 0, false],
      [[0x00, 0x80], 7, false],
      [[0x08], 3, false],
      [[0x00], 0, true],
      [[0x00, 0x00], 0, true],
      [[0x00, 0x40], 6, true],
      [[0x00, 0x01], 0, true],
      [[0x01, 0x80], 7, false]
    ] as const)
      assert.equal(may(bitString(Buffer.from(bytes), unused)), expected, `${bytes}`)
    assert.equal(may(bitString(Buffer.alloc(0))), true)
  })

  it('says how many authorities may follow', () => {
    const length = (...fields: Buffer[]) => readCertificate(make([constraints(...fields)])).basicConstraints?.pathLength
    assert.equal(length(boolean(true)), Infinity)
    assert.equal(length(boolean(true), integer(Buffer.of(0))), 0)
    assert.equal(length(boolean(true), integer(Buffer.of(3))), 3)
    assert.equal(length(integer(Buffer.of(3))), 3)
  })

  it('says what it is for', () => {
    const purposes = (...types: string[]) => extension(OID.extendedKeyUsage, false, sequence(...types.map(oid)))
    assert.deepEqual(readCertificate(make()).purposes, [])
    assert.deepEqual(readCertificate(make([purposes(OID.clientAuth, '1.2.3')])).purposes, [OID.clientAuth, '1.2.3'])
    assert.deepEqual(readCertificate(make([purposes()])).purposes, [])
  })

  it('says what its policies are', () => {
    const found = readCertificate(
      make([
        extension(OID.certificatePolicies, false, sequence(sequence(oid('1.2.3')), sequence(oid('2.5.29.32.0'), sequence()))),
        extension(OID.policyMappings, false, sequence(sequence(oid('1.2.3'), oid('1.2.4')))),
        extension(OID.policyConstraints, false, sequence(element(0x80, Buffer.of(1)), element(0x81, Buffer.of(0)))),
        extension(OID.inhibitAnyPolicy, false, integer(Buffer.of(2)))
      ])
    ).policies
    assert.deepEqual(found, {
      policies: new Set(['2a03', '551d2000']),
      mappings: [['2a03', '2a04']],
      requireExplicit: 1,
      inhibitMapping: 0,
      inhibitAny: 2,
      isSelfIssued: true
    })
    const none = {
      policies: new Set(),
      mappings: [],
      requireExplicit: Infinity,
      inhibitMapping: Infinity,
      inhibitAny: Infinity,
      isSelfIssued: true
    }
    assert.deepEqual(readCertificate(make()).policies, none)
    // as in Go, what is below 0 demands nothing
    const below = make([
      extension(OID.policyConstraints, false, sequence(element(0x80, Buffer.of(0xff)), element(0x81, Buffer.of(0x80)))),
      extension(OID.inhibitAnyPolicy, false, element(TAG.integer, Buffer.of(0xff)))
    ])
    assert.deepEqual(readCertificate(below).policies, none)
    const child = signCertificate(
      { subject: sequence(), publicKey: spki(publicKey), notBefore: start, notAfter: start, extensions: [] },
      { key: privateKey, certificate: make() }
    )
    assert.equal(readCertificate(child).policies.isSelfIssued, false)
  })

  const point = (...fields: Buffer[]) => extension(OID.crlDistributionPoints, false, sequence(sequence(...fields)))
  const text = (tag: number) => element(tag, Buffer.from('http://a'))
  for (const [what, extensions] of [
    ['a place of revocation lists', [point(element(0xa0, element(0xa0, text(0x86), text(0x86))))]],
    ['a place without a name', [point(element(0x82, Buffer.of(0)))]],
    ['a place of another form', [point(element(0xa0, element(0xa0, text(0x82))))]],
    ['no places', [extension(OID.crlDistributionPoints, false, sequence())]],
    ['ids of keys', [extension(OID.authorityKeyIdentifier, false, sequence(element(0x80, Buffer.of(1))))]],
    ['an id of another form', [extension(OID.authorityKeyIdentifier, false, sequence(element(0xa1)))]],
    ['access to its authority', [extension(OID.authorityInfoAccess, false, sequence(sequence(oid('1.2.3'), text(0x86))))]],
    ['access by other names', [extension(OID.authorityInfoAccess, false, sequence(sequence(oid('1.2.3'), text(0x82))))]],
    ['an address of IPv6', [names([0x87, '0123456789abcdef'])]],
    ['names of other kinds', [names([0x88, '\xe9'], [0xa0, ''])]],
    ['an unknown extension', [extension('1.2.3', true, Buffer.from('anything'))]],
    ['an unusual name in its subject', [names([0x86, 'urn:x'])]]
  ] as const)
    it(`may have ${what}`, () => assert.ok(readCertificate(only(extensions))))

  const long = (tag: number) => element(tag, Buffer.from('800000000000000000', 'hex'))
  for (const [what, extensions] of [
    ['a place of revocation lists of another form', [point(element(0xa0, element(0xa1, text(0x86))))]],
    ['a malformed list of places', [point(element(0xa0, element(0xa0, Buffer.of(0x86, 5))))]],
    ['a list of places that is none', [extension(OID.crlDistributionPoints, false, octetString(Buffer.of()))]],
    ['a malformed id of its authority', [extension(OID.authorityKeyIdentifier, false, octetString(Buffer.of(1)))]],
    ['an unfinished id of its authority', [extension(OID.authorityKeyIdentifier, false, sequence(Buffer.of(0x80, 5)))]],
    ['a malformed id of its key', [extension(OID.subjectKeyIdentifier, false, sequence())]],
    ['a critical id of its authority', [extension(OID.authorityKeyIdentifier, true, sequence())]],
    ['critical access', [extension(OID.authorityInfoAccess, true, sequence())]],
    ['malformed access', [extension(OID.authorityInfoAccess, false, sequence(sequence()))]],
    ['access that is a list of texts', [extension(OID.authorityInfoAccess, false, sequence(text(0x86)))]],
    ['a malformed key usage', [extension(OID.keyUsage, false, octetString(Buffer.of(1)))]],
    ['malformed purposes', [extension(OID.extendedKeyUsage, false, sequence(octetString(Buffer.of(1))))]],
    ['purposes that are no list', [extension(OID.extendedKeyUsage, false, oid('1.2.3'))]],
    ['a policy twice', [extension(OID.certificatePolicies, false, sequence(sequence(oid('1.2.3')), sequence(oid('1.2.3'))))]],
    ['an empty policy', [extension(OID.certificatePolicies, false, sequence(sequence(element(TAG.oid))))]],
    [
      'an unfinished policy',
      [extension(OID.certificatePolicies, false, sequence(sequence(element(TAG.oid, Buffer.of(0x2a, 0x80)))))]
    ],
    ['half a mapping', [extension(OID.policyMappings, false, sequence(sequence(oid('1.2.3'))))]],
    ['an empty number of policies', [extension(OID.policyConstraints, false, sequence(element(0x80)))]],
    ['a number of policies beyond 63 bits', [extension(OID.policyConstraints, false, sequence(long(0x81)))]],
    ['a padded number of policies', [extension(OID.inhibitAnyPolicy, false, element(TAG.integer, Buffer.of(0, 1)))]],
    ['policies that are no list', [extension(OID.certificatePolicies, false, oid('1.2.3'))]],
    ['names that are no list', [extension(OID.subjectAltName, false, octetString(Buffer.of()))]],
    ['an e-mail address beyond ASCII', [names([0x81, '\xe9'])]],
    ['a URI beyond ASCII', [names([0x86, 'http://\xe9'])]],
    ['a path length beyond 63 bits', [constraints(boolean(true), long(TAG.integer))]]
  ] as const)
    it(`is none with ${what}`, () => assert.throws(() => readCertificate(only(extensions)), DerError))

  it('with a policy identifier in several bytes is one', () => {
    const policy = element(TAG.oid, Buffer.of(0x2a, 0x80, 0x01, 0x7f))
    assert.ok(readCertificate(make([extension(OID.certificatePolicies, false, sequence(sequence(policy)))])))
    const odd = element(TAG.oid, Buffer.of(0x2a, 0x80))
    assert.throws(() => readCertificate(make([extension(OID.certificatePolicies, false, sequence(sequence(odd)))])))
  })

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
/** The parts of a certificate, from the beginning. */
const body = (
  change: Partial<Record<'version' | 'serial' | 'inner' | 'issuer' | 'validity' | 'key', Buffer>>,
  ...more: Buffer[]
) => {
  const parts = {
    version: element(0xa0, integer(Buffer.of(2))),
    serial: integer(Buffer.of(1)),
    inner: algorithm,
    issuer: sequence(),
    validity: sequence(time(start), time(start + 1000)),
    ...change
  }
  return sequence(
    parts.version,
    parts.serial,
    parts.inner,
    parts.issuer,
    parts.validity,
    sequence(),
    change.key ?? spki(publicKey),
    ...more
  )
}
const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
const signature = bitString(Buffer.of(1))
const nothing = Buffer.alloc(0)
/** A certificate that has these extensions, and no others. */
const only = (extensions: readonly Buffer[]) => sequence(body({}, element(0xa3, sequence(...extensions))), algorithm, signature)
const list = sequence(sequence(oid('1.2.3'), octetString(Buffer.of(1))))

describe('the parts of a certificate', () => {
  const versionOf = (version: Buffer, ...more: Buffer[]) => {
    const { version: found, extensions } = readCertificate(sequence(body({ version }, ...more), algorithm, signature))
    return [found, extensions.size]
  }
  const number = (n: number) => element(0xa0, integer(Buffer.of(n)))

  it('are its version, and extensions in the third only', () => {
    assert.deepEqual(versionOf(nothing), [1, 0])
    assert.deepEqual(versionOf(number(0)), [1, 0])
    assert.deepEqual(versionOf(number(1)), [2, 0])
    assert.deepEqual(versionOf(number(2)), [3, 0])
    const ids = [element(0x81, Buffer.of(0)), element(0x82, Buffer.of(0))]
    for (const more of [[], ids, [ids[0]!], [ids[1]!]]) {
      assert.deepEqual(versionOf(number(2), ...more, element(0xa3, list)), [3, 1])
      assert.deepEqual(versionOf(number(1), ...more, element(0xa3, list)), [2, 0])
      assert.deepEqual(versionOf(nothing, ...more, element(0xa3, list)), [1, 0])
    }
    assert.deepEqual(versionOf(nothing, Buffer.of(0x81, 5)), [1, 0])
    assert.throws(() => versionOf(number(1), Buffer.of(0x81, 5)))
    assert.throws(() => versionOf(number(3)))
    assert.throws(() => versionOf(element(0xa0, element(TAG.integer, Buffer.of(0xff)))))
  })

  it('are what is signed, how, and the signature', () => {
    const signed = body({})
    const found = readCertificate(sequence(signed, algorithm, signature))
    assert.deepEqual([found.body, found.algorithm, found.signature], [signed, algorithm, Buffer.of(1)])
    const withParameters = sequence(oid('1.2.3'), sequence())
    assert.ok(readCertificate(sequence(body({ inner: withParameters }), withParameters, signature)))
  })

  const other = sequence(oid('1.2.840.10045.4.3.3'))
  const broken = sequence(oid('1.2.3'), Buffer.of(0x30, 5))
  const bare = sequence()
  for (const [what, whole] of [
    ['another algorithm beside the signature', sequence(body({}), other, signature)],
    ['an algorithm with malformed parameters', sequence(body({ inner: broken }), broken, signature)],
    ['an algorithm without a name', sequence(body({ inner: bare }), bare, signature)],
    ['no signature', sequence(body({}), algorithm)],
    ['a signature that is none', sequence(body({}), algorithm, octetString(Buffer.of(1)))],
    ['a negative serial number', sequence(body({ serial: element(TAG.integer, Buffer.of(0x80)) }), algorithm, signature)],
    ['no serial number', sequence(body({ serial: element(TAG.integer) }), algorithm, signature)],
    ['one time', sequence(body({ validity: sequence(time(start)) }), algorithm, signature)],
    ['a malformed issuer', sequence(body({ issuer: sequence(sequence()) }), algorithm, signature)],
    [
      'an issuer of sets without attributes',
      sequence(body({ issuer: sequence(element(TAG.set, oid('1.2.3'))) }), algorithm, signature)
    ],
    ['no list of extensions', sequence(body({}, element(0xa3, octetString(Buffer.of(1)))), algorithm, signature)],
    ['an extension without a value', sequence(body({}, element(0xa3, sequence(sequence(oid('1.2.3'))))), algorithm, signature)]
  ] as const)
    it(`are none with ${what}`, () => assert.throws(() => readCertificate(whole), DerError))
})
