/** The controllers of CertificateSigningRequests in a whole server. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { createServer } from '../../server/server.js'
import { requestKey, signingRequest } from '../../testkit/signing-request.js'
import { OID } from '../../transport/certificates/object-identifiers.js'
import { silentLogger } from '../../util/logger.js'
import { deadline } from './csr-cleaner.js'

const api = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const node = { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] }
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

describe('CertificateSigningRequests', () => {
  const server = createServer({ log: silentLogger })
  before(() => server.start())
  after(() => server.stop())

  const make = (name: string, spec: object, user: UserInfo = admin) =>
    server.inject({ url: api, user, body: { metadata: { name }, spec } })
  const approve = async (name: string) => {
    const body = { status: { conditions: [{ type: 'Approved', status: 'True' }] } }
    const headers = { 'content-type': 'application/merge-patch+json' }
    assert.equal(
      (await server.inject({ method: 'PATCH', url: `${api}/${name}/approval`, user: admin, headers, body })).status,
      200
    )
  }
  const statusOf = async (name: string, wanted: (status: any) => unknown) => {
    for (;;) {
      const { status } = (await server.inject({ url: `${api}/${name}`, user: admin })).json()
      if (wanted(status)) return status
      await setImmediate()
    }
  }
  const failureOf = async (name: string) => {
    const { conditions } = await statusOf(name, status => status.conditions?.some((c: any) => c.type === 'Failed'))
    return conditions.at(-1)
  }
  const certificateOf = async (name: string) =>
    new X509Certificate(Buffer.from((await statusOf(name, status => status.certificate)).certificate, 'base64'))
  const client = 'kubernetes.io/kube-apiserver-client'
  const kubelet = `${client}-kubelet`
  const kubeletUsages = ['digital signature', 'client auth']

  it('are signed once approved, with the requested lifetime and usages', async () => {
    const spec = {
      request: signingRequest('dev', 'alice', 'a.example'),
      signerName: client,
      usages: ['client auth'],
      expirationSeconds: 3600
    }
    await make('alice', spec)
    await approve('alice')
    const certificate = await certificateOf('alice')
    assert.equal(certificate.subject, 'O=dev\nCN=alice')
    assert.equal(certificate.subjectAltName, 'DNS:a.example')
    assert.deepEqual(certificate.keyUsage, [OID.clientAuth])
    assert.equal(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom), 65 * 60 * 1000)
    assert.ok(certificate.checkPrivateKey(requestKey) && !certificate.ca)
  })

  it('fail with the reason why the signer refuses them', async () => {
    await make('server', { request: signingRequest('dev', 'alice'), signerName: client, usages: ['server auth'] })
    await make('dev', { request: signingRequest('dev', 'system:node:n'), signerName: kubelet, usages: kubeletUsages })
    const serving = 'kubernetes.io/kubelet-serving'
    await make('nameless', {
      request: signingRequest('system:nodes', 'system:node:n'),
      signerName: serving,
      usages: ['server auth']
    })
    for (const [name, message] of [
      ['server', 'invalid usage for client certificate: server auth'],
      ['dev', 'subject organization is not system:nodes'],
      ['nameless', 'DNS or IP subjectAltName is required']
    ] as const) {
      await approve(name)
      const { reason, message: why } = await failureOf(name)
      assert.deepEqual([reason, why], ['SignerValidationFailure', message])
    }
  })

  it('of kubelets are approved automatically when RBAC permits the requester', async () => {
    const spec = { request: signingRequest('system:nodes', node.name), signerName: kubelet, usages: kubeletUsages }
    const group = 'rbac.authorization.k8s.io'
    const role = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient'
    const binding = {
      metadata: { name: 'self' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', apiGroup: group, name: node.name }]
    }
    await server.inject({ url: `/apis/${group}/v1/clusterrolebindings`, user: admin, body: binding })
    assert.equal((await make('node', spec, node)).status, 201)
    assert.equal((await certificateOf('node')).subject, `O=system:nodes\nCN=${node.name}`)
    const { conditions } = await statusOf('node', () => true)
    assert.equal(conditions[0].message, 'Auto approving self kubelet client certificate after SubjectAccessReview.')
  })

  it('must be signed with their own key', async () => {
    const request = signingRequest('dev', 'alice', undefined, stranger)
    const { status, body } = await make('forged', { request, signerName: client, usages: ['client auth'] })
    assert.equal(status, 422)
    assert.match(String(body), /x509: ECDSA verification failure/)
  })
})

it('undecided requests are kept for a day, decided ones for an hour or until the certificate expires', () => {
  const start = Date.parse('2026-01-01T00:00:00Z')
  const hours = (status: object) =>
    (deadline({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, status } as any) - start) / (60 * 60 * 1000)
  const condition = (type: string) => ({ type, lastUpdateTime: '2026-01-01T02:00:00Z' })
  assert.equal(hours({}), 24)
  assert.equal(hours({ conditions: [condition('Denied')] }), 3)
  assert.equal(hours({ conditions: [condition('Approved'), condition('Failed')] }), 3)
  assert.equal(hours({ conditions: [condition('Approved')] }), 26)
  assert.equal(hours({ conditions: [condition('Approved')], certificate: 'eA==' }), 3)
  assert.equal(hours({ conditions: [{ type: 'Other', lastUpdateTime: null }] }), Number.POSITIVE_INFINITY)
})
