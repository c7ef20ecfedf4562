import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { x509Authenticator } from '../../auth/authentication/x509.js'
import { systemClock } from '../../util/clock.js'
import { issueCertificate, toPem } from './issue.js'
import { peerCertificates } from './peer-certificates.js'
import { loadOrCreatePki } from './pki.js'

const now = Date.now()
const pki = await loadOrCreatePki({ servingNames: ['localhost', '127.0.0.1'], now })

/** Returns the certificates that the server sees of a client that connects with these options and verifies the server. */
const meet = async (credentials: { cert?: string; key?: string }): Promise<readonly Buffer[]> => {
  const server = createServer({
    cert: pki.serving.certificate,
    key: pki.serving.key,
    requestCert: true,
    rejectUnauthorized: false
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    ca: pki.serving.trust,
    ...credentials
  })
  try {
    const [[socket]] = (await Promise.all([once(server, 'secureConnection'), once(client, 'secureConnect')])) as [
      [TLSSocket],
      unknown
    ]
    assert.equal(peerCertificates(socket), peerCertificates(socket))
    return peerCertificates(socket)
  } finally {
    client.destroy()
    server.close()
  }
}

describe('certificates on a connection', () => {
  it('authenticate a client with the certificate of the kubeconfig as admin', async () => {
    const chain = await meet({ cert: pki.admin.certificate, key: pki.admin.key })
    const result = x509Authenticator(
      pki.clientCAs,
      systemClock
    )({ headers: {}, rawHeaders: () => [], peerCertificates: () => chain })
    assert.ok(typeof result === 'object')
    assert.equal(result.user.name, 'kubernetes-admin')
    assert.deepEqual(result.user.groups, ['system:masters'])
  })

  it('include the intermediates that the client sends', async () => {
    const [middle, leaf] = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
    ]
    const times = { notBefore: now - 1000, notAfter: now + 60_000 }
    const own = Buffer.from(pki.ca.certificate.replace(/-----.*-----|\n/g, ''), 'base64')
    const middleCertificate = issueCertificate(
      { commonName: 'middle', usage: 'ca', publicKey: middle.publicKey, ...times },
      { key: pki.ca.key, certificate: own }
    )
    const certificate = issueCertificate(
      { commonName: 'alice', usage: 'clientAuth', publicKey: leaf.publicKey, ...times },
      { key: middle.privateKey, certificate: middleCertificate }
    )
    const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const chain = await meet({ cert: toPem(certificate) + toPem(middleCertificate), key })
    assert.deepEqual(chain, [certificate, middleCertificate])
    const result = x509Authenticator(
      pki.clientCAs,
      systemClock
    )({ headers: {}, rawHeaders: () => [], peerCertificates: () => chain })
    assert.equal(typeof result === 'object' && result.user.name, 'alice')
  })

  it('are none for a client without one', async () => assert.deepEqual(await meet({}), []))

  it('are read as they were sent: in any order, with repetitions and strangers, however many', async () => {
    const issue = (commonName: string) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const request = { commonName, usage: 'ca' as const, publicKey, notBefore: now, notAfter: now + 60_000 }
      return { certificate: issueCertificate(request, { key: privateKey }), key: privateKey }
    }
    const [own, one, two] = [issue('own'), issue('one'), issue('two')]
    const sent = [own, one, one, two, own, ...new Array<typeof one>(40).fill(one), two].map(({ certificate }) => certificate)
    const key = own.key.export({ type: 'pkcs8', format: 'pem' }) as string
    assert.deepEqual(await meet({ cert: sent.map(der => toPem(der)).join(''), key }), sent)
  })
})
