import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { readLink } from './chain-link.js'
import { bitString, element, integer, octetString, oid, sequence, TAG } from './der.js'
import { extension, signCertificate } from './issue.js'
import { OID } from './object-identifiers.js'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = publicKey.export({ type: 'spki', format: 'der' })
const make = (extensions: Buffer[], key: Buffer = spki) =>
  readLink(signCertificate({ subject: sequence(), publicKey: key, notBefore: 0, notAfter: 0, extensions }, { key: privateKey }))
const name = (tag: number) => element(tag, Buffer.from('a'))
const constraint = (tag: number) => sequence(element(0xa0, sequence(name(tag))))

describe('a certificate in a chain', () => {
  for (const [what, type, value, isKnown] of [
    ['basic constraints', OID.basicConstraints, sequence(), true],
    ['key usage', OID.keyUsage, bitString(Buffer.of(4), 2), true],
    ['purposes', OID.extendedKeyUsage, sequence(oid('1.2.3')), true],
    ['policies', OID.certificatePolicies, sequence(), true],
    ['mappings of policies', OID.policyMappings, sequence(), true],
    ['demands for policies', OID.policyConstraints, sequence(), true],
    ['an end to any policy', OID.inhibitAnyPolicy, integer(Buffer.of(0)), true],
    ['places of revocation lists', OID.crlDistributionPoints, sequence(), true],
    ['names', OID.subjectAltName, sequence(name(0x82)), true],
    ['two names', OID.subjectAltName, sequence(name(0x82), name(0x88)), true],
    ['no names', OID.subjectAltName, sequence(), false],
    ['names of other kinds', OID.subjectAltName, sequence(name(0x88)), false],
    ['constraints of names', OID.nameConstraints, constraint(0x82), true],
    ['constraints of other names', OID.nameConstraints, constraint(0x88), false],
    ['something unknown', '1.2.3', sequence(), false]
  ] as const)
    it(`has ${isKnown ? 'a rule that is known' : 'an unknown rule'} with critical ${what}`, () => {
      assert.equal(make([extension(type, true, value)]).hasUnknownRule, !isKnown)
      assert.equal(make([extension(type, false, value)]).hasUnknownRule, false)
      assert.equal(make([extension(type, true, value), extension('1.2.4', true, octetString(Buffer.of(1)))]).hasUnknownRule, true)
    })

  it('has a key for verifying, if it is one that can', () => {
    assert.ok(make([]).key!.equals(publicKey))
    assert.equal(make([], sequence(sequence(oid('1.2.3')), bitString(Buffer.of(1)))).key, undefined)
    const huge = sequence(integer(Buffer.alloc(1025, 1)), integer(Buffer.of(3)))
    assert.throws(() => make([], sequence(sequence(oid('1.2.840.113549.1.1.1'), element(TAG.null)), bitString(huge))))
  })
})
