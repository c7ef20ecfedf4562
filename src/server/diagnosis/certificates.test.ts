import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../index.js'
import { issueCertificate, toPem } from '../../transport/certificates/issue.js'
import { privateKeyPem } from '../../transport/certificates/key-files.js'
import { loadOrCreatePki, rotateLeaves } from '../../transport/certificates/pki.js'
import { directoryFiles } from '../../transport/certificates/pki-files.js'
import { silentLogger } from '../../util/logger.js'
import { certificateReports } from './certificates.js'

const dayMs = 24 * 60 * 60 * 1000
const now = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'binnacle-certificates-'))
after(() => rmSync(folder, { recursive: true }))

const dataDir = join(folder, 'data')
const pki = join(dataDir, 'pki')
const at = (name: string) => join(pki, name)
before(() => loadOrCreatePki({ directory: pki, servingNames: ['localhost', '10.1.2.3', '::1'], now, makesFrontProxy: true }))

const check = (more: object = {}, time = now, within = 30 * dayMs) =>
  certificateReports({ dataDir, ...more }, { now: time, within })
const problems = async (...args: Parameters<typeof check>) =>
  Object.fromEntries(
    (await check(...args)).filter(report => report.problems.length > 0).map(report => [report.source, report.problems])
  )

/** Writes a certificate with its key, signed by itself or by an issuer. */
function issued(name: string, days: number, issuer?: { key: any; certificate: Buffer }) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const request = { commonName: name, usage: issuer ? ('serverAuth' as const) : ('ca' as const), names: [`${name}.example.com`] }
  const validity = { notBefore: now - dayMs, notAfter: now + days * dayMs }
  const certificate = issueCertificate(
    { ...request, ...validity, publicKey: createPublicKey(privateKey) },
    issuer ?? { key: privateKey }
  )
  writeFileSync(join(folder, `${name}.crt`), toPem(certificate))
  writeFileSync(join(folder, `${name}.key`), privateKeyPem(privateKey))
  return { key: privateKey, certificate }
}

describe('certificates', () => {
  it('of a data folder are described', async () => {
    const reports = await check()
    assert.deepEqual(
      reports.map(({ source }) => source),
      ['ca', 'apiserver', 'admin', 'front-proxy-ca', 'front-proxy-client'].map(name => at(`${name}.crt`))
    )
    assert.deepEqual(
      reports.flatMap(report => report.problems),
      []
    )
    const { certificate } = reports[1]!
    assert.equal(certificate!.subject, 'CN=kube-apiserver')
    assert.equal(certificate!.issuer, 'CN=binnacle-ca')
    assert.deepEqual(certificate!.uses, ['server'])
    assert.deepEqual(certificate!.names, ['localhost', '10.1.2.3', '0:0:0:0:0:0:0:1'])
    assert.equal(certificate!.daysLeft, 364)
    assert.deepEqual(reports[0]!.certificate!.uses, ['authority'])
  })

  it('are a problem when they expire soon, have expired or are not valid yet', async () => {
    const leaves = ['apiserver', 'admin', 'front-proxy-client'].map(name => at(`${name}.crt`))
    assert.deepEqual(Object.keys(await problems({}, now + 340 * dayMs)), leaves)
    assert.deepEqual((await problems({}, now + 340 * dayMs))[leaves[0]!], ['expires in 24 days'])
    assert.deepEqual(await problems({}, now + 340 * dayMs, 20 * dayMs), {})
    assert.match((await problems({}, now + 366 * dayMs))[leaves[0]!]![0]!, /^expired on \d{4}-\d\d-\d\dT/)
    assert.match((await problems({}, now - dayMs))[leaves[0]!]![0]!, /^not valid before .*: is the clock right\?$/)
  })

  it('are a problem with the key of another, or without one', async () => {
    issued('mine', 100)
    issued('other', 100)
    const [tlsCertFile, other] = [join(folder, 'mine.crt'), join(folder, 'other.key')]
    assert.deepEqual(await problems({ tlsCertFile, tlsPrivateKeyFile: join(folder, 'mine.key') }), {})
    assert.deepEqual(await problems({ tlsCertFile, tlsPrivateKeyFile: other }), {
      [`--tls-cert-file ${tlsCertFile}`]: [`the key --tls-private-key-file ${other} belongs to another certificate`]
    })
    const clientCAFile = join(folder, 'none.crt')
    assert.deepEqual(await problems({ clientCAFile }), {
      [`--client-ca-file ${clientCAFile}`]: [`--client-ca-file ${clientCAFile}: no such file or directory`]
    })
  })

  it('are a problem when their issuer has not signed them', async () => {
    const root = issued('root', 1000)
    issued('leaf', 100, root)
    issued('stranger', 1000)
    const chain = (...names: string[]) => {
      const path = join(folder, 'chain.crt')
      writeFileSync(path, names.map(name => readFileSync(join(folder, `${name}.crt`), 'utf8')).join(''))
      return { tlsCertFile: path, tlsPrivateKeyFile: join(folder, `${names[0]}.key`) }
    }
    assert.deepEqual(await problems(chain('leaf', 'root')), {})
    assert.deepEqual(await problems(chain('leaf')), {})
    assert.deepEqual(Object.values(await problems(chain('leaf', 'stranger'))).flat(), [
      'the file has other certificates, but not that of its issuer, CN=root'
    ])
    // of the same name, with another key
    issued('root', 1000)
    assert.deepEqual(Object.values(await problems(chain('leaf', 'root'))).flat(), [
      'its signature was not made by the CN=root that is there'
    ])
  })

  it('of another authority in the data folder are a problem', async () => {
    const copy = join(folder, 'copy')
    cpSync(dataDir, copy, { recursive: true })
    const other = join(folder, 'elsewhere')
    await loadOrCreatePki({ directory: other, servingNames: [], now })
    for (const name of ['ca.crt', 'ca.key']) cpSync(join(other, name), join(copy, 'pki', name))
    const found = await certificateReports({ dataDir: copy }, { now, within: 0 })
    assert.deepEqual(
      found.flatMap(report => report.problems),
      Array(2).fill('its signature was not made by the CN=binnacle-ca that is there')
    )
  })

  it('are made anew with new keys, which a running server takes into use', async () => {
    const home = join(folder, 'running')
    const server = createServer({ dataDir: home, log: silentLogger })
    await server.start()
    try {
      const shown = async () => {
        const { connect } = await import('node:tls')
        const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', ca: server.caCertificate })
        await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
        const { fingerprint256, pubkey } = socket.getPeerX509Certificate()!.toLegacyObject() as any
        socket.destroy()
        return [fingerprint256, pubkey.toString('base64')]
      }
      const before = await shown()
      const files = directoryFiles(join(home, 'pki'))
      const ca = await files.read('ca.crt')
      const names = new X509Certificate((await files.read('apiserver.crt'))!).subjectAltName
      assert.deepEqual(await rotateLeaves(files, now), ['apiserver', 'admin', 'front-proxy-client'])
      assert.equal(await files.read('ca.crt'), ca)
      assert.equal(new X509Certificate((await files.read('apiserver.crt'))!).subjectAltName, names)
      assert.deepEqual(await shown(), before)
      await server.reload()
      const after = await shown()
      assert.notEqual(after[0], before[0])
      assert.notEqual(after[1], before[1])
      assert.deepEqual(
        (await certificateReports({ dataDir: home }, { now, within: 0 })).flatMap(report => report.problems),
        []
      )
    } finally {
      await server.stop()
    }
  })
})
