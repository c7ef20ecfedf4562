/** The controllers of bootstrap tokens in a whole server. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'
import { signature } from './bootstrap-signer.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const secrets = '/api/v1/namespaces/kube-system/secrets'
const maps = '/api/v1/namespaces/kube-public/configmaps'

it('expired tokens are deleted, others sign cluster-info', async () => {
  const controllers = ['*', 'bootstrapsigner', 'tokencleaner']
  const server = createServer({ log: silentLogger, controllers })
  await server.start()
  const until = (url: string, wanted: (object: any) => boolean) =>
    eventually(`${url} is as wanted`, async () => (await server.inject({ url, user })).json(), wanted)
  try {
    const token = (id: string, more: object) => ({
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more }
    })
    await server.inject({ url: maps, user, body: { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'x' } } })
    for (const body of [token('aaaaaa', {}), token('bbbbbb', { expiration: '2020-01-01T00:00:00Z' })])
      assert.equal((await server.inject({ url: secrets, user, body })).status, 201)
    await until(`${secrets}/bootstrap-token-bbbbbb`, ({ code }) => code === 404)
    const { data } = await until(`${maps}/cluster-info`, map => map.data['jws-kubeconfig-aaaaaa'] !== undefined)
    assert.deepEqual(data, { kubeconfig: 'x', 'jws-kubeconfig-aaaaaa': signature('x', 'aaaaaa', '0123456789abcdef') })
  } finally {
    await server.stop()
  }
})

it('a signature leaves out the signed text', () => {
  const [header, content, mac] = signature('x', 'aaaaaa', 'key').split('.')
  assert.deepEqual(JSON.parse(Buffer.from(header!, 'base64url').toString()), { alg: 'HS256', kid: 'aaaaaa' })
  assert.equal(content, '')
  assert.equal(Buffer.from(mac!, 'base64url').length, 32)
})
