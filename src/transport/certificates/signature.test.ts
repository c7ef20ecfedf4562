import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { element, integer, oid, sequence, TAG } from './der.js'
import { DerCursor } from './der-cursor.js'
import { readAlgorithm, signatureProblem } from './signature.js'
import { algorithmOf, type Keys, makeKeys, signatureBy } from './testing/make-certificate.js'

const body = Buffer.from('signed')
const rsa = makeKeys.rsa(1024)
const ec = makeKeys.ec('P-256')
const ed = makeKeys.ed25519()
const keyOf = ({ publicKey }: Keys) => createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
const signed = (keys: Keys, form: { hash: string; saltLength?: number }, algorithm = algorithmOf(keys, form)) => ({
  body,
  algorithm,
  signature: signatureBy(keys, body, form)
})
const unsupported = 'x509: cannot verify signature: algorithm unimplemented'
const insecure = (name: string) => `x509: cannot verify signature: insecure algorithm ${name}`

describe('a signature', () => {
  for (const [what, keys, form] of [
    ...['sha256', 'sha384', 'sha512'].flatMap(hash => [
      [`RSA and ${hash}`, rsa, { hash }] as const,
      [`ECDSA and ${hash}`, ec, { hash }] as const
    ]),
    ['RSA-PSS and sha256', rsa, { hash: 'sha256', saltLength: 32 }],
    ['RSA-PSS and sha384', rsa, { hash: 'sha384', saltLength: 48 }],
    ['RSA-PSS and sha512', makeKeys.rsa(2048), { hash: 'sha512', saltLength: 64 }],
    ['Ed25519', ed, { hash: '' }]
  ] as const)
    it(`by ${what} is good for what is signed, by the key`, () => {
      const good = signed(keys, form)
      const family = keys === ec ? 'ECDSA' : 'Ed25519'
      const failure = keys === ec || keys === ed ? `x509: ${family} verification failure` : 'crypto/rsa: verification error'
      assert.equal(signatureProblem(good, keyOf(keys), false), undefined)
      assert.equal(signatureProblem({ ...good, body: Buffer.from('Signed') }, keyOf(keys), false), failure)
      const changed = Buffer.from(good.signature)
      changed[changed.length - 1]! ^= 1
      assert.equal(signatureProblem({ ...good, signature: changed }, keyOf(keys), false), failure)
      assert.equal(signatureProblem(good, undefined, false), unsupported)
    })

  for (const [what, keys, name, other] of [
    ['RSA', rsa, 'SHA1-RSA', '1.3.14.3.2.29'],
    ['ECDSA', ec, 'ECDSA-SHA1', undefined]
  ] as const)
    it(`by ${what} and SHA-1 is good only where that is allowed`, () => {
      for (const algorithm of [
        algorithmOf(keys, { hash: 'sha1' }),
        ...(other ? [sequence(oid(other), element(TAG.null))] : [])
      ]) {
        const good = signed(keys, { hash: 'sha1' }, algorithm)
        assert.equal(signatureProblem(good, keyOf(keys), true), undefined)
        assert.equal(signatureProblem(good, keyOf(keys), false), insecure(name))
      }
    })

  it('by MD5 is never good', () => {
    const good = signed(rsa, { hash: 'md5' })
    for (const allowed of [true, false]) assert.equal(signatureProblem(good, keyOf(rsa), allowed), insecure('MD5-RSA'))
  })

  it('by DSA is never good', () => {
    const dsa = (type: string) => ({ ...signed(ec, { hash: 'sha256' }), algorithm: sequence(oid(type)) })
    assert.equal(signatureProblem(dsa('1.2.840.10040.4.3'), keyOf(ec), false), insecure('DSA-SHA1'))
    const words = 'x509: signature algorithm specifies an DSA public key, but have public key of type *ecdsa.PublicKey'
    assert.equal(signatureProblem(dsa('1.2.840.10040.4.3'), keyOf(ec), true), words)
    assert.equal(signatureProblem(dsa('2.16.840.1.101.3.4.3.2'), keyOf(ec), false), words)
    const { publicKey } = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })
    assert.equal(signatureProblem(dsa('2.16.840.1.101.3.4.3.2'), publicKey, false), unsupported)
  })

  for (const [made, keys, name] of [
    [rsa, ec, '*ecdsa.PublicKey'],
    [ec, ed, 'ed25519.PublicKey'],
    [ed, rsa, '*rsa.PublicKey']
  ] as const)
    it(`is not good for a key of another kind: ${name}`, () => {
      const family = made === rsa ? 'RSA' : made === ec ? 'ECDSA' : 'Ed25519'
      assert.equal(
        signatureProblem(signed(made, { hash: 'sha256' }), keyOf(keys), false),
        `x509: signature algorithm specifies an ${family} public key, but have public key of type ${name}`
      )
    })

  it('by a short RSA key is not good', () => {
    const short = makeKeys.rsa(1016)
    assert.equal(
      signatureProblem(signed(short, { hash: 'sha256' }), keyOf(short), true),
      'crypto/rsa: 1016-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)'
    )
  })

  it('by unknown algorithms is not good', () => {
    for (const algorithm of [
      sequence(oid('1.2.3')),
      algorithmOf(rsa, { hash: 'sha224' }),
      algorithmOf(ec, { hash: 'sha224' }),
      sequence(oid('1.3.101.112'), element(TAG.null))
    ])
      assert.equal(signatureProblem({ ...signed(ed, { hash: '' }), algorithm }, keyOf(ed), true), unsupported)
  })

  const sha256 = '2.16.840.1.101.3.4.2.1'
  const mgf1 = '1.2.840.113549.1.1.8'
  const hash = (type: string, ...parameters: Buffer[]) => sequence(oid(type), ...parameters)
  const pss = (digest: Buffer, mask: Buffer, salt: Buffer, ...more: Buffer[]) =>
    sequence(oid('1.2.840.113549.1.1.10'), sequence(element(0xa0, digest), element(0xa1, mask), element(0xa2, salt), ...more))
  const [digest, salt] = [hash(sha256), integer(Buffer.of(32))]
  const mask = sequence(oid(mgf1), digest)
  for (const [what, algorithm, good] of [
    ['the usual ones', pss(digest, mask, salt), true],
    [
      'a NULL beside the hashes',
      pss(hash(sha256, element(TAG.null)), sequence(oid(mgf1), hash(sha256, element(TAG.null))), salt),
      true
    ],
    ['the trailer field that is the default', pss(digest, mask, salt, element(0xa3, integer(Buffer.of(1)))), true],
    ['another trailer field', pss(digest, mask, salt, element(0xa3, integer(Buffer.of(2)))), false],
    ['something else behind them', pss(digest, mask, salt, element(0xa4)), false],
    ['another salt', pss(digest, mask, integer(Buffer.of(33))), false],
    ['a salt that is no number', pss(digest, mask, sequence()), false],
    ['another hash', pss(hash('1.3.14.3.2.26'), mask, salt), false],
    ['another hash in the mask', pss(digest, sequence(oid(mgf1), hash('2.16.840.1.101.3.4.2.2')), salt), false],
    ['another mask', pss(digest, sequence(oid('1.2.3'), digest), salt), false],
    ['other parameters of a hash', pss(hash(sha256, sequence()), mask, salt), false],
    ['a NULL with bytes', pss(hash(sha256, element(TAG.null, Buffer.of(0))), mask, salt), false],
    ['none', sequence(oid('1.2.840.113549.1.1.10')), false],
    ['the defaults', sequence(oid('1.2.840.113549.1.1.10'), sequence()), false]
  ] as const)
    it(`by RSA-PSS is ${good ? 'good' : 'not good'} with ${what} as parameters`, () =>
      assert.equal(
        signatureProblem(signed(rsa, { hash: 'sha256', saltLength: 32 }, algorithm), keyOf(rsa), false),
        good ? undefined : unsupported
      ))

  it('has an algorithm that is well-formed', () => {
    const read = (raw: Buffer) => readAlgorithm(new DerCursor(raw))
    for (const good of [
      sequence(oid('1.2.3')),
      sequence(oid('1.2.3'), sequence()),
      sequence(oid('1.2.3'), sequence(), Buffer.of(9))
    ])
      assert.deepEqual(read(Buffer.concat([good, Buffer.of(1)])), good)
    for (const bad of [sequence(), sequence(sequence()), sequence(oid('1.2.3'), Buffer.of(0x30, 1)), oid('1.2.3')])
      assert.throws(() => read(bad))
  })
})
