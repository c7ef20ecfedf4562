import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { issueCertificate, toPem } from './issue.js'
import { loadOrCreatePki, type PkiOptions } from './pki.js'

const day = 24 * 60 * 60 * 1000
const now = Date.parse('2026-11-21T12:00:00Z')
const base: PkiOptions = { servingNames: ['localhost', 'my_host', '127.0.0.1', '::1'], now }
const directories: string[] = []
const newDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-pki-'))
  directories.push(directory)
  return directory
}
after(() => Promise.all(directories.map(directory => rm(directory, { recursive: true }))))

const refuses = (options: Partial<PkiOptions>, message: RegExp): Promise<void> =>
  assert.rejects(loadOrCreatePki({ ...base, ...options }), (error: Error) => {
    assert.ok(error instanceof UserError, error.stack)
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })

const pem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']): string =>
  key.export({ type: 'pkcs8', format: 'pem' }) as string

describe('certificates in memory', () => {
  it('has an authority that signs itself and everything else', async () => {
    const pki = await loadOrCreatePki(base)
    const ca = new X509Certificate(pki.ca.certificate)
    assert.ok(ca.ca && ca.checkIssued(ca) && ca.verify(ca.publicKey))
    assert.equal(Date.parse(ca.validTo) - now, 3652 * day)
    for (const text of [pki.serving.certificate, pki.admin.certificate]) {
      const leaf = new X509Certificate(text)
      assert.ok(leaf.checkIssued(ca) && leaf.verify(ca.publicKey) && !leaf.ca)
      assert.equal(Date.parse(leaf.validTo) - now, 365 * day)
      assert.equal(Date.parse(leaf.validFrom), now - 5 * 60 * 1000)
    }
  })

  it('has a serving certificate for all names and an admin certificate for clients', async () => {
    const pki = await loadOrCreatePki(base)
    const serving = new X509Certificate(pki.serving.certificate)
    assert.equal(serving.subjectAltName, 'DNS:localhost, DNS:my_host, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    assert.deepEqual(serving.keyUsage, ['1.3.6.1.5.5.7.3.1'])
    const admin = new X509Certificate(pki.admin.certificate)
    assert.equal(admin.subject, 'O=system:masters\nCN=kubernetes-admin')
    assert.deepEqual(admin.keyUsage, ['1.3.6.1.5.5.7.3.2'])
    // fabric8 reads elliptic curve keys in this form only
    assert.match(pki.admin.key, /^-----BEGIN EC PRIVATE KEY-----\n/)
  })

  it('has keys for service account tokens', async () => {
    const {
      serviceAccount: { signingKey, publicKeys }
    } = await loadOrCreatePki(base)
    assert.equal(publicKeys.length, 1)
    assert.equal(signingKey.asymmetricKeyType, 'ec')
    assert.ok(verify('sha256', Buffer.from('x'), publicKeys[0]!, sign('sha256', Buffer.from('x'), signingKey)))
  })
})

describe('certificates in a folder', () => {
  it('have an RSA key of 2048 bits for tokens, with which every client can verify them', async () => {
    const { serviceAccount } = await loadOrCreatePki({ ...base, directory: await newDirectory() })
    const { asymmetricKeyType, asymmetricKeyDetails } = serviceAccount.signingKey
    assert.deepEqual([asymmetricKeyType, asymmetricKeyDetails?.modulusLength], ['rsa', 2048])
  })

  it('keeps them, with private keys that only the owner can read', async () => {
    const directory = join(await newDirectory(), 'pki')
    const first = await loadOrCreatePki({ ...base, directory })
    assert.deepEqual(await readdir(directory), [
      'admin.crt',
      'admin.key',
      'apiserver.crt',
      'apiserver.key',
      'ca.crt',
      'ca.key',
      'sa.key'
    ])
    assert.equal((await stat(directory)).mode & 0o777, 0o700)
    for (const name of await readdir(directory)) {
      assert.equal((await stat(join(directory, name))).mode & 0o777, name.endsWith('.key') ? 0o600 : 0o644, name)
    }
    const second = await loadOrCreatePki({ ...base, directory, now: now + 300 * day })
    assert.equal(second.ca.certificate, first.ca.certificate)
    assert.deepEqual(second.serving, first.serving)
    assert.deepEqual(second.admin, first.admin)
    assert.ok(second.serviceAccount.publicKeys[0]!.equals(first.serviceAccount.publicKeys[0]!))
  })

  it('renews certificates with a tenth of their lifetime left, and keeps the authority until its own is due', async () => {
    const directory = await newDirectory()
    const first = await loadOrCreatePki({ ...base, directory })
    const later = await loadOrCreatePki({ ...base, directory, now: now + 330 * day })
    assert.equal(later.ca.certificate, first.ca.certificate)
    assert.notEqual(later.serving.certificate, first.serving.certificate)
    assert.equal(Date.parse(new X509Certificate(later.admin.certificate).validTo), now + 695 * day)
    const muchLater = await loadOrCreatePki({ ...base, directory, now: now + 3400 * day })
    assert.notEqual(muchLater.ca.certificate, first.ca.certificate)
    const ca = new X509Certificate(muchLater.ca.certificate)
    assert.ok(new X509Certificate(muchLater.admin.certificate).verify(ca.publicKey))
  })

  it('reissues certificates when the clock was set back to before their validity', async () => {
    const directory = await newDirectory()
    const first = await loadOrCreatePki({ ...base, directory })
    const atItsStart = await loadOrCreatePki({ ...base, directory, now: now - 5 * 60 * 1000 })
    assert.equal(atItsStart.serving.certificate, first.serving.certificate)
    const earlier = await loadOrCreatePki({ ...base, directory, now: now - 100 * day })
    assert.ok(Date.parse(new X509Certificate(earlier.serving.certificate).validFrom) < now - 100 * day)
  })

  it('issues a new serving certificate when a name is added, and keeps it when a name is removed', async () => {
    const directory = await newDirectory()
    const first = await loadOrCreatePki({ ...base, directory })
    const more = await loadOrCreatePki({
      ...base,
      directory,
      servingNames: [...base.servingNames, 'k8s.example.com', '10.1.2.3']
    })
    assert.notEqual(more.serving.certificate, first.serving.certificate)
    assert.match(new X509Certificate(more.serving.certificate).subjectAltName!, /DNS:k8s\.example\.com, IP Address:10\.1\.2\.3$/)
    assert.equal(more.admin.certificate, first.admin.certificate)
    assert.equal((await loadOrCreatePki({ ...base, directory })).serving.certificate, more.serving.certificate)
  })

  it('carries on after an interruption between writing a key and its certificate', async () => {
    const directory = await newDirectory()
    const first = await loadOrCreatePki({ ...base, directory })
    await Promise.all(['ca.crt', 'admin.crt', 'apiserver.key'].map(name => rm(join(directory, name))))
    const second = await loadOrCreatePki({ ...base, directory })
    const ca = new X509Certificate(second.ca.certificate)
    assert.ok(ca.checkPrivateKey(first.ca.key))
    for (const { certificate } of [second.serving, second.admin]) assert.ok(new X509Certificate(certificate).verify(ca.publicKey))
  })

  it('signs with an existing authority, also with an RSA key', async () => {
    const directory = await newDirectory()
    const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ca = issueCertificate(
      { commonName: 'company', usage: 'ca', publicKey, notBefore: now - day, notAfter: now + 20 * day },
      { key }
    )
    await writeFile(join(directory, 'ca.crt'), toPem(ca))
    await writeFile(join(directory, 'ca.key'), pem(key))
    const pki = await loadOrCreatePki({ ...base, directory })
    assert.equal(pki.ca.certificate, toPem(ca))
    const admin = new X509Certificate(pki.admin.certificate)
    assert.ok(admin.verify(publicKey))
    assert.equal(Date.parse(admin.validTo), now + 20 * day)
    // what it has made with that authority is its own
    await loadOrCreatePki({ ...base, directory, servingNames: [...base.servingNames, 'more'] })
    const serving = new X509Certificate(await readFile(join(directory, 'apiserver.crt'), 'utf8'))
    assert.match(serving.subjectAltName!, /DNS:more/)
    await refuses({ directory, now: now + 21 * day }, /ca\.crt: expired on Dec 11/)
  })

  it('renews certificates of a short life with 30 days left', async () => {
    const directory = await newDirectory()
    const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const life = { notBefore: now - day, notAfter: now + 100 * day }
    await writeFile(
      join(directory, 'ca.crt'),
      toPem(issueCertificate({ commonName: 'company', usage: 'ca', publicKey, ...life }, { key }))
    )
    await writeFile(join(directory, 'ca.key'), pem(key))
    const servingAt = async (time: number) => (await loadOrCreatePki({ ...base, directory, now: time })).serving.certificate
    const first = await servingAt(now)
    assert.equal(await servingAt(now + 70 * day), first)
    assert.notEqual(await servingAt(now + 70 * day + 1000), first)
  })

  it('reports which file cannot be used, and why', async () => {
    const directory = await newDirectory()
    await loadOrCreatePki({ ...base, directory })
    const key = await readFile(join(directory, 'sa.key'), 'utf8')
    await writeFile(join(directory, 'sa.key'), 'rubbish')
    await refuses({ directory }, /sa\.key: holds no PEM private key$/)
    await writeFile(join(directory, 'ca.key'), key)
    await refuses({ directory }, /ca\.crt and .*ca\.key do not belong together$/)
    await rm(join(directory, 'ca.key'))
    await refuses({ directory }, /ca\.crt: its key .*ca\.key is missing/)
    await refuses({ directory: join(directory, 'ca.crt') }, /ca\.crt.*not a directory/)
  })

  it('refuses an authority that is none', async () => {
    const directory = await newDirectory()
    const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const leaf = { commonName: 'web', usage: 'serverAuth', publicKey, notBefore: now, notAfter: now + 100 * day } as const
    await writeFile(join(directory, 'ca.crt'), toPem(issueCertificate(leaf, { key })))
    await writeFile(join(directory, 'ca.key'), pem(key))
    await refuses({ directory }, /ca\.crt: is not the certificate of an authority$/)
  })

  it('makes a new certificate for a new key, and by a new authority', async () => {
    const directory = await newDirectory()
    const first = await loadOrCreatePki({ ...base, directory })
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await writeFile(join(directory, 'apiserver.key'), pem(key))
    const second = await loadOrCreatePki({ ...base, directory })
    assert.ok(new X509Certificate(second.serving.certificate).checkPrivateKey(key))
    assert.equal(second.admin.certificate, first.admin.certificate)
    await Promise.all(['ca.crt', 'ca.key'].map(name => rm(join(directory, name))))
    const third = await loadOrCreatePki({ ...base, directory })
    const ca = new X509Certificate(third.ca.certificate)
    for (const { certificate } of [third.serving, third.admin]) assert.ok(new X509Certificate(certificate).verify(ca.publicKey))
    assert.ok(new X509Certificate(third.serving.certificate).checkPrivateKey(key))
  })

  it('serves with an existing foreign certificate', async () => {
    const directory = await newDirectory()
    const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const foreign = toPem(
      issueCertificate({ commonName: 'web', usage: 'serverAuth', publicKey, notBefore: now, notAfter: now + day }, { key })
    )
    await writeFile(join(directory, 'apiserver.crt'), foreign)
    await refuses({ directory }, /apiserver\.crt: its key .*apiserver\.key is missing/)
    await writeFile(join(directory, 'apiserver.key'), pem(key))
    const { serving } = await loadOrCreatePki({ ...base, directory })
    assert.equal(serving.certificate, foreign)
    assert.equal(serving.trust, foreign)
    assert.equal(serving.tlsServerName, undefined)
    assert.equal(await readFile(join(directory, 'apiserver.crt'), 'utf8'), foreign)
  })
})

describe('keys and certificates given by flags', () => {
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(await newDirectory(), name)
    await writeFile(path, text)
    return path
  }
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issue = (names: string[]): string =>
    toPem(
      issueCertificate(
        { commonName: 'web', usage: 'serverAuth', publicKey: pair.publicKey, notBefore: now, notAfter: now + day, names },
        { key: pair.privateKey }
      )
    )

  it('serves with the given certificate, and provides clients with trust and server name', async () => {
    const tlsCertFile = await write('tls.crt', issue(['k8s.example.com']))
    const tlsPrivateKeyFile = await write('tls.key', pem(pair.privateKey))
    const { serving, ca } = await loadOrCreatePki({ ...base, tlsCertFile, tlsPrivateKeyFile })
    assert.equal(serving.certificate, await readFile(tlsCertFile, 'utf8'))
    assert.equal(serving.trust, serving.certificate)
    assert.equal(serving.tlsServerName, 'k8s.example.com')
    assert.notEqual(ca.certificate, serving.certificate)
    await writeFile(tlsCertFile, issue(['k8s.example.com', '127.0.0.1']))
    assert.equal((await loadOrCreatePki({ ...base, tlsCertFile, tlsPrivateKeyFile })).serving.tlsServerName, undefined)
  })

  it('refuses serving files that are missing, alone, unreadable or not a pair', async () => {
    const tlsCertFile = await write('tls.crt', issue(['localhost']))
    const tlsPrivateKeyFile = await write('other.key', pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey))
    await refuses({ tlsCertFile }, /^--tls-cert-file and --tls-private-key-file must be given together$/)
    await refuses(
      { tlsCertFile, tlsPrivateKeyFile: '/nowhere/tls.key' },
      /^--tls-private-key-file \/nowhere\/tls\.key: no such file or directory$/
    )
    await refuses(
      { tlsCertFile, tlsPrivateKeyFile },
      /^--tls-cert-file .*tls\.crt does not belong to --tls-private-key-file .*other\.key$/
    )
    await refuses({ tlsCertFile: tlsPrivateKeyFile, tlsPrivateKeyFile }, /other\.key: holds no PEM certificate$/)
    const broken = await write('broken.crt', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')
    await refuses({ tlsCertFile: broken, tlsPrivateKeyFile }, /broken\.crt: certificate 1 cannot be read$/)
    const encrypted = await write(
      'enc.key',
      pair.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string
    )
    await refuses({ tlsCertFile, tlsPrivateKeyFile: encrypted }, /enc\.key: the private key is encrypted/)
  })

  it('trusts its own authority and those of --client-ca-file', async () => {
    const clientCAFile = await write('ca.crt', `# two\n${issue(['a'])}\n${issue(['b'])}`)
    const { clientCAs, ca } = await loadOrCreatePki({ ...base, clientCAFile })
    assert.equal(clientCAs.length, 3)
    assert.equal(clientCAs[0], ca.certificate)
    await refuses({ clientCAFile: '/nowhere' }, /^--client-ca-file \/nowhere: no such file or directory$/)
  })

  it('signs tokens with the given key and verifies with all, each once', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const serviceAccountSigningKeyFile = await write('sa.key', pem(pair.privateKey))
    const keys = [pair.publicKey, rsa.publicKey].map(key => key.export({ type: 'spki', format: 'pem' })).join('')
    const serviceAccountKeyFiles = [await write('sa.pub', keys), await write('rsa.key', pem(rsa.privateKey))]
    const { serviceAccount } = await loadOrCreatePki({ ...base, serviceAccountSigningKeyFile, serviceAccountKeyFiles })
    assert.ok(serviceAccount.signingKey.equals(pair.privateKey))
    assert.deepEqual(
      serviceAccount.publicKeys.map(key => key.asymmetricKeyType),
      ['ec', 'rsa']
    )
  })

  it('refuses keys that cannot sign tokens', async () => {
    const serviceAccountSigningKeyFile = await write('ed.key', pem(generateKeyPairSync('ed25519').privateKey))
    await refuses({ serviceAccountSigningKeyFile }, /ed\.key: a key of type ed25519 cannot sign tokens: RSA and ECDSA/)
    const serviceAccountKeyFiles = [serviceAccountSigningKeyFile]
    await refuses({ serviceAccountKeyFiles }, /^--service-account-key-file .*ed\.key: a key of type ed25519 cannot sign tokens/)
    await refuses({ serviceAccountKeyFiles: [await write('empty.pub', '')] }, /empty\.pub: holds no PEM public key$/)
  })
})
