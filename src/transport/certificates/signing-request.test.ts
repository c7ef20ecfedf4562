import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bitString, element, integer, octetString, oid, sequence, TAG, utf8String } from './der.js'
import { extension } from './issue.js'
import { OID } from './object-identifiers.js'
import { readSigningRequest, requestProblem, valuesOf } from './signing-request.js'
import { algorithmOf, makeKeys, makeRequest, nameOf, signatureBy } from './testing/make-certificate.js'

const keys = makeKeys.ec('P-256')
const subject = nameOf([
  [OID.organization, 'a'],
  [OID.organization, 'b'],
  [OID.commonName, 'x']
])
const signature = { hash: 'sha256' }
const make = (attributes: Buffer[] = [], signer = keys) => makeRequest({ subject, keys, signer, signature, attributes })
const attribute = (type: string, ...values: Buffer[]) => sequence(oid(type), element(TAG.set, ...values))
const names = (...texts: string[]) =>
  extension(OID.subjectAltName, false, sequence(...texts.map(text => element(0x82, Buffer.from(text)))))
const wanting = (...extensions: Buffer[]) => attribute(OID.extensionRequest, sequence(...extensions))
const namesOf = (...attributes: Buffer[]) => readSigningRequest(make(attributes)).names.map(({ content }) => content.toString())

/** Makes a request of other parts. */
const assemble = (fields: readonly Buffer[], ...rest: Buffer[]) => {
  const body = sequence(...fields)
  return sequence(
    body,
    ...(rest.length > 0 ? rest : [algorithmOf(keys, signature), bitString(signatureBy(keys, body, signature))])
  )
}
const version = integer(Buffer.of(0))

describe('a request for a certificate', () => {
  it('has a subject and a key, and is signed by it', () => {
    const request = readSigningRequest(make())
    assert.deepEqual(valuesOf(request, OID.organization), ['a', 'b'])
    assert.deepEqual(valuesOf(request, OID.commonName), ['x'])
    assert.deepEqual(request.publicKey.der, keys.publicKey)
    assert.equal(requestProblem(request), undefined)
    assert.equal(requestProblem(readSigningRequest(make([], makeKeys.ec('P-256')))), 'x509: ECDSA verification failure')
  })

  it('may be signed with SHA-1', () => {
    const rsa = makeKeys.rsa(1024)
    const request = makeRequest({ subject, keys: rsa, signer: rsa, signature: { hash: 'sha1' }, attributes: [] })
    assert.equal(requestProblem(readSigningRequest(request)), undefined)
  })

  it('asks for names in its extensions', () => {
    assert.deepEqual(namesOf(), [])
    assert.deepEqual(namesOf(wanting()), [])
    assert.deepEqual(namesOf(wanting(names('a', 'b'))), ['a', 'b'])
    assert.deepEqual(namesOf(wanting(extension('1.2.3', false, octetString(Buffer.of(1)))), wanting(names('a'))), ['a'])
    // of several values the first counts
    assert.deepEqual(namesOf(attribute(OID.extensionRequest, sequence(names('a')), sequence(names('b')))), ['a'])
  })

  for (const [what, other] of [
    ['of another type', attribute('1.2.3', sequence(names('a')))],
    ['without values', attribute(OID.extensionRequest)],
    ['that is a text', utf8String('x')],
    ['without a type', sequence(utf8String('x'))],
    ['whose values are no set', sequence(oid(OID.extensionRequest), sequence(sequence(names('a'))))],
    ['with a broken value', attribute(OID.extensionRequest, sequence(names('a')), Buffer.of(0x30, 1))]
  ] as const)
    it(`may have an attribute ${what}, which asks for nothing`, () => {
      assert.deepEqual(namesOf(other), [])
      assert.deepEqual(namesOf(other, wanting(names('b'))), ['b'])
    })

  const good = [version, subject, keys.publicKey, element(0xa0)]
  const algorithm = algorithmOf(keys, signature)
  const bits = bitString(Buffer.of(1))
  for (const [what, request] of [
    ['a byte behind it', Buffer.concat([make(), Buffer.of(0)])],
    ['a byte too few', make().subarray(0, -1)],
    ['more behind the signature', assemble(good, algorithm, bits, version)],
    ['no signature', assemble(good, algorithm)],
    ['a signature that is none', assemble(good, algorithm, octetString(Buffer.of(1)))],
    ['an algorithm without a type', assemble(good, sequence(), bits)],
    ['no version', assemble(good.slice(1))],
    ['no attributes', assemble(good.slice(0, 3))],
    ['attributes of another form', assemble([...good.slice(0, 3), element(0xa1)])],
    ['a broken key', assemble([version, subject, sequence(), element(0xa0)])],
    ['a subject that is none', assemble([version, utf8String('x'), keys.publicKey, element(0xa0)])],
    ['an extension twice', make([wanting(names('a')), wanting(names('b'))])],
    ['extensions that are none', make([attribute(OID.extensionRequest, utf8String('x'))])],
    ['a malformed extension', make([wanting(sequence(utf8String('x')))])],
    ['malformed names', make([wanting(extension(OID.subjectAltName, false, utf8String('x')))])],
    ['a broken attribute', make([Buffer.of(0x30, 5)])]
  ] as const)
    it(`is none with ${what}`, () => assert.throws(() => readSigningRequest(request)))

  it('may have more in its body, and an odd version', () => {
    assert.ok(readSigningRequest(assemble([...good, version])))
    assert.ok(readSigningRequest(assemble([integer(Buffer.of(7)), ...good.slice(1)])))
  })
})
