import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { readCertificate } from './certificate.js'
import { extensionValue } from './certificate-extensions.js'
import { octetString, sequence } from './der.js'
import { extension, issueCertificate, signCertificate, toPem } from './issue.js'
import { OID } from './object-identifiers.js'

const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicKey = createPublicKey(key)
const times = { notBefore: Date.parse('2026-01-02T03:04:05Z'), notAfter: Date.parse('2051-01-02T03:04:05Z') }
const issue = (
  more: Partial<Parameters<typeof issueCertificate>[0]> = {},
  issuer: Parameters<typeof issueCertificate>[1] = { key }
) => issueCertificate({ commonName: 'x', publicKey, usage: 'clientAuth', ...times, ...more }, issuer)
const valueIn = (der: Buffer, type: string) => extensionValue(readCertificate(der).extensions, type)

describe('an issued certificate', () => {
  it('has a serial number of 16 bytes that is neither negative nor shorter', () => {
    const numbers = Array.from({ length: 40 }, () => new X509Certificate(issue()).serialNumber)
    for (const number of numbers) assert.match(number, /^[4-7][0-9A-F]{31}$/)
    assert.equal(new Set(numbers).size, 40)
    for (const first of ['4', '5', '6', '7'])
      assert.ok(
        numbers.some(number => number.startsWith(first)),
        first
      )
  })

  it('names a user with groups', () => {
    const found = readCertificate(issue({ organizations: ['b', 'a'] }))
    assert.deepEqual(
      found.subject.attributes.map(({ type, value }) => [type, value]),
      [
        [OID.organization, 'b'],
        [OID.organization, 'a'],
        [OID.commonName, 'x']
      ]
    )
    assert.deepEqual([found.version, found.notBefore, found.notAfter], [3, times.notBefore, times.notAfter])
  })

  for (const [usage, isAuthority, maySign, purposes, keyUsage] of [
    ['ca', true, true, [], '03020186'],
    ['serverAuth', false, false, [OID.serverAuth], '03020780'],
    ['clientAuth', false, false, [OID.clientAuth], '03020780']
  ] as const)
    it(`is for ${usage}`, () => {
      const found = readCertificate(issue({ usage }))
      assert.deepEqual([found.basicConstraints?.ca, found.maySign, found.purposes], [isAuthority, maySign, purposes])
      assert.equal(extensionValue(found.extensions, OID.keyUsage)?.toString('hex'), keyUsage)
      const critical = [...found.extensions].filter(([, { critical }]) => critical).map(([type]) => type)
      assert.deepEqual(critical, [OID.basicConstraints, OID.keyUsage])
    })

  it('has names and addresses, if there are any', () => {
    const found = readCertificate(issue({ names: ['a.b', '10.0.0.1', '::1'] }))
    assert.deepEqual(
      found.names.map(({ tag, content }) => [tag, content.toString('hex')]),
      [
        [0x82, '612e62'],
        [0x87, '0a000001'],
        [0x87, `${'00'.repeat(15)}01`]
      ]
    )
    assert.equal(found.extensions.get(OID.subjectAltName)!.critical, false)
    assert.equal(readCertificate(issue({ names: [] })).extensions.has(OID.subjectAltName), false)
  })

  it('names the key that signed it as the authority does itself', () => {
    const content = { subject: sequence(), publicKey: publicKey.export({ type: 'spki', format: 'der' }), ...times }
    const odd = extension(OID.subjectKeyIdentifier, false, octetString(Buffer.from('odd')))
    const authority = signCertificate({ ...content, extensions: [odd] }, { key })
    const idOf = (der: Buffer) => valueIn(der, OID.authorityKeyIdentifier)?.toString('hex')
    assert.equal(idOf(issue({}, { key, certificate: authority })), `3005${'80'}03${Buffer.from('odd').toString('hex')}`)
    const nameless = signCertificate({ ...content, extensions: [] }, { key })
    assert.equal(idOf(issue({}, { key, certificate: nameless })), undefined)
    // one that signs itself has the id of its own key
    const own = issue({ usage: 'ca' })
    assert.equal(idOf(own), `30168014${valueIn(own, OID.subjectKeyIdentifier)!.toString('hex').slice(4)}`)
    assert.deepEqual(readCertificate(issue({}, { key, certificate: own })).issuer, readCertificate(own).subject)
  })

  it('is signed by RSA or ECDSA', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
    for (const [signer, verifier] of [
      [rsa.privateKey, rsa.publicKey],
      [key, publicKey]
    ] as const)
      assert.equal(new X509Certificate(issue({}, { key: signer })).verify(verifier), true)
    const ed = generateKeyPairSync('ed25519')
    assert.throws(() => issue({}, { key: ed.privateKey }), /cannot sign certificates with a key of type ed25519/)
  })

  it('is PEM with lines of 64 characters', () => {
    assert.equal(toPem(Buffer.alloc(48)), `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\n-----END CERTIFICATE-----\n`)
    assert.equal(toPem(Buffer.alloc(51), 'X'), `-----BEGIN X-----\n${'A'.repeat(64)}\nAAAA\n-----END X-----\n`)
  })
})
