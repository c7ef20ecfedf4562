import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { bitString, element, integer, oid, sequence, TAG } from './der.js'
import { issueCertificate, signCertificate, toPem } from './issue.js'
import {
  isSameKey,
  isTokenKey,
  parseAuthorities,
  parseCertificates,
  parsePrivateKey,
  parsePublicKeys,
  pemCertificates,
  privateKeyPem,
  readFlagFile
} from './key-files.js'
import { directoryFiles } from './pki-files.js'

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const pair = ec('P-256')
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
const ed = generateKeyPairSync('ed25519')
const times = { notBefore: 0, notAfter: 1 }
const certificate = toPem(
  issueCertificate({ commonName: 'x', publicKey: pair.publicKey, usage: 'ca', ...times }, { key: pair.privateKey })
)
const refuses = (run: () => unknown, message: string) =>
  assert.throws(run, (error: Error) => error instanceof UserError && error.message === message)
const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

describe('files of keys and certificates', () => {
  it('hold certificates among other things', () => {
    const key = privateKeyPem(pair.privateKey)
    assert.deepEqual(parseCertificates('f', `text\n${key}${certificate}${certificate}`), [certificate, certificate])
    assert.deepEqual(pemCertificates(key), [])
    refuses(() => parseCertificates('f', key), 'f: holds no PEM certificate')
    refuses(() => parseCertificates('f', certificate + broken), 'f: certificate 2 cannot be read')
  })

  it('hold authorities that clients can be verified with', () => {
    assert.deepEqual(parseAuthorities('f', certificate), [certificate])
    const huge = sequence(integer(Buffer.alloc(1025, 1)), integer(Buffer.of(3)))
    const publicKey = sequence(sequence(oid('1.2.840.113549.1.1.1'), element(TAG.null)), bitString(huge))
    const bad = signCertificate({ ...times, subject: sequence(), publicKey, extensions: [] }, { key: pair.privateKey })
    assert.equal(parseCertificates('f', toPem(bad)).length, 1)
    refuses(() => parseAuthorities('f', certificate + toPem(bad)), 'f: certificate 2 cannot be read')
  })

  it('hold a private key that is not encrypted', () => {
    for (const type of ['sec1', 'pkcs8'] as const)
      assert.ok(
        parsePrivateKey('f', certificate + (pair.privateKey.export({ type, format: 'pem' }) as string)).equals(pair.privateKey)
      )
    refuses(() => parsePrivateKey('f', certificate), 'f: holds no PEM private key')
    for (const type of ['pkcs8', 'sec1'] as const) {
      const secret = pair.privateKey.export({ type, format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }) as string
      refuses(() => parsePrivateKey('f', secret), 'f: the private key is encrypted; give it without a pass phrase')
    }
    const bad = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'
    refuses(() => parsePrivateKey('f', bad), 'f: the private key cannot be read')
  })

  it('hold public keys, also those of private ones and certificates', () => {
    const spki = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string
    const keys = parsePublicKeys('f', spki + privateKeyPem(pair.privateKey) + certificate)
    assert.equal(keys.length, 3)
    for (const key of keys) assert.ok(isSameKey(key, pair.publicKey))
    refuses(() => parsePublicKeys('f', 'x'), 'f: holds no PEM public key')
    refuses(() => parsePublicKeys('f', spki + broken), 'f: key 2 cannot be read')
  })

  it('are for tokens when there is an algorithm for them', () => {
    for (const curve of ['P-256', 'P-384', 'P-521']) assert.equal(isTokenKey(ec(curve).publicKey), true, curve)
    assert.equal(isTokenKey(rsa.publicKey), true)
    assert.equal(isTokenKey(rsa.privateKey), true)
    for (const key of [ec('secp256k1').publicKey, ed.publicKey, generateKeyPairSync('x25519').publicKey])
      assert.equal(isTokenKey(key), false)
  })

  it('are the same or others', () => {
    assert.equal(isSameKey(pair.publicKey, ec('P-256').publicKey), false)
    assert.equal(isSameKey(pair.publicKey, rsa.publicKey), false)
    assert.equal(isSameKey(rsa.publicKey, rsa.publicKey), true)
  })

  it('are written as the tools of Kubernetes write them', () => {
    assert.match(privateKeyPem(pair.privateKey), /^-----BEGIN EC PRIVATE KEY-----/)
    assert.match(privateKeyPem(rsa.privateKey), /^-----BEGIN RSA PRIVATE KEY-----/)
    assert.match(privateKeyPem(ed.privateKey), /^-----BEGIN PRIVATE KEY-----/)
  })

  it('are named when they cannot be read', async context => {
    await assert.rejects(readFlagFile('--x', '/nowhere/y'), { message: '--x /nowhere/y: no such file or directory' })
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-keys-'))
    context.after(() => rm(folder, { recursive: true }))
    assert.equal(await directoryFiles(folder).read('missing'), undefined)
    await assert.rejects(directoryFiles(folder).read('.'), UserError)
  })
})
