import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { readCertificate } from './certificate.js'
import { extensionValue } from './certificate-extensions.js'
import { element, sequence } from './der.js'
import { DerCursor } from './der-cursor.js'
import { extension, issueCertificate } from './issue.js'
import { OID } from './object-identifiers.js'
import { verifyingKey } from './public-key.js'
import { signRequest } from './sign-request.js'
import { signatureProblem } from './signature.js'
import { readSigningRequest } from './signing-request.js'
import { makeKeys, makeRequest, nameOf } from './testing/make-certificate.js'

const keys = makeKeys.ec('P-256')
const authority = makeKeys.ec('P-256')
const start = Date.parse('2026-01-02T03:04:05Z')
const times = { notBefore: start, notAfter: start + 3_600_000 }
const ca = issueCertificate(
  { ...times, commonName: 'ca', publicKey: createPublicKey(authority.privateKey), usage: 'ca' },
  { key: authority.privateKey }
)
const issuer = { key: authority.privateKey, certificate: ca }

const request = (
  names: (readonly [tag: number, text: string])[] = [],
  subject = nameOf([[OID.commonName, 'x']]),
  signer = keys
) => {
  const extensions = extension(
    OID.subjectAltName,
    false,
    sequence(...names.map(([tag, text]) => element(tag, Buffer.from(text))))
  )
  const wanted = sequence(attributeType, element(0x31, sequence(extensions)))
  return readSigningRequest(
    makeRequest({ subject, keys, signer, signature: { hash: 'sha256' }, attributes: names.length > 0 ? [wanted] : [] })
  )
}
const attributeType = Buffer.from('06092a864886f70d01090e', 'hex')
const sign = (usages: readonly string[], asked = request()) => readCertificate(signRequest(asked, { usages, ...times }, issuer))

describe('a certificate for a request', () => {
  it('has the subject, the key and the times, and is no authority', () => {
    const found = sign(['client auth'])
    assert.deepEqual(found.subject.attributes, [{ type: OID.commonName, value: 'x' }])
    assert.deepEqual(found.issuer, readCertificate(ca).subject)
    assert.deepEqual([found.notBefore, found.notAfter], [start, start + 3_600_000])
    assert.deepEqual(found.publicKey.der, keys.publicKey)
    assert.equal(found.basicConstraints?.ca, false)
    assert.equal(found.extensions.get(OID.basicConstraints)?.critical, true)
    assert.equal(signatureProblem(found, verifyingKey(readCertificate(ca).publicKey), false), undefined)
  })

  for (const [usages, bits] of [
    [[], undefined],
    [['client auth'], undefined],
    [['digital signature'], '03020780'],
    [['signing'], '03020780'],
    [['content commitment'], '03020640'],
    [['digital signature', 'key encipherment'], '030205a0'],
    [['data encipherment'], '03020410'],
    [['key agreement'], '03020308'],
    [['cert sign'], '03020204'],
    [['crl sign'], '03020102'],
    [['encipher only'], '03020001'],
    [['decipher only'], '0303070080'],
    [['decipher only', 'digital signature'], '0303078080']
  ] as const)
    it(`has the usages of its key: ${usages.join(', ') || 'none'}`, () => {
      const found = sign(usages)
      assert.equal(extensionValue(found.extensions, OID.keyUsage)?.toString('hex'), bits)
      if (bits) assert.equal(found.extensions.get(OID.keyUsage)!.critical, true)
    })

  const purpose = '1.3.6.1.5.5.7.3'
  for (const [usages, purposes] of [
    [['digital signature'], []],
    [['any'], ['2.5.29.37.0']],
    [
      ['client auth', 'server auth'],
      [`${purpose}.1`, `${purpose}.2`]
    ],
    [
      ['code signing', 'email protection', 's/mime'],
      [`${purpose}.3`, `${purpose}.4`]
    ],
    [['s/mime'], [`${purpose}.4`]],
    [
      ['ipsec end system', 'ipsec tunnel', 'ipsec user'],
      [`${purpose}.5`, `${purpose}.6`, `${purpose}.7`]
    ],
    [
      ['timestamping', 'ocsp signing'],
      [`${purpose}.8`, `${purpose}.9`]
    ],
    [
      ['microsoft sgc', 'netscape sgc'],
      ['1.3.6.1.4.1.311.10.3.3', '2.16.840.1.113730.4.1']
    ]
  ] as const)
    it(`has purposes: ${usages.join(', ')}`, () => {
      const found = sign(usages)
      assert.deepEqual(found.purposes, purposes)
      assert.equal(found.extensions.get(OID.extendedKeyUsage)?.critical, purposes.length > 0 ? false : undefined)
    })

  it('has the names in the order of their kinds, critical without a subject', () => {
    const names = [
      [0x86, 'https://a'],
      [0x87, 'abcd'],
      [0x82, 'b'],
      [0x81, 'me@a'],
      [0x82, 'a']
    ] as const
    const found = sign([], request([...names]))
    assert.deepEqual(
      found.names.map(({ content }) => content.toString()),
      ['b', 'a', 'me@a', 'abcd', 'https://a']
    )
    assert.equal(found.extensions.get(OID.subjectAltName)!.critical, false)
    assert.equal(sign([], request([...names], nameOf([]))).extensions.get(OID.subjectAltName)!.critical, true)
    assert.equal(sign([]).extensions.has(OID.subjectAltName), false)
  })

  it('has the attributes of its subject in the usual order, those that may be there often sorted', () => {
    const subject = nameOf([
      [OID.commonName, 'first'],
      ['2.5.4.5', 'serial'],
      ['1.2.3', 'unknown'],
      [OID.organization, 'b'],
      ['2.5.4.6', 'C'],
      ['2.5.4.17', 'code'],
      ['2.5.4.9', 'street'],
      ['2.5.4.7', 'L'],
      ['2.5.4.8', 'ST'],
      ['2.5.4.11', 'OU'],
      [OID.organization, 'a'],
      [OID.commonName, 'last']
    ])
    const { attributes, raw } = sign([], request([], subject)).subject
    assert.deepEqual(
      attributes.map(({ value }) => value),
      ['C', 'ST', 'L', 'street', 'code', 'a', 'b', 'OU', 'last', 'serial']
    )
    const sets = new DerCursor(raw).in(0x30)
    let count = 0
    for (; !sets.isEmpty; count++) sets.in(0x31)
    assert.equal(count, 9)
    const empty = nameOf([
      [OID.commonName, 'first'],
      [OID.commonName, '']
    ])
    assert.deepEqual(sign([], request([], empty)).subject.attributes, [])
  })

  it('is refused for usages that are unknown, and for a request by another key', () => {
    assert.throws(() => sign(['client auth', 'x']), { message: 'unrecognized usage values: ["x"]' })
    assert.throws(() => sign(['client auth', 'x', 'y']), { message: 'unrecognized usage values: ["x","y"]' })
    assert.throws(() => sign([], request([], undefined, makeKeys.ec('P-256'))), {
      message: 'unable to verify certificate request signature: x509: ECDSA verification failure'
    })
  })
})
