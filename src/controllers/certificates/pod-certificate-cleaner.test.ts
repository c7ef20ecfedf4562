import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const minute = 60_000

it('PodCertificateRequests are deleted a quarter of an hour after their creation', async () => {
  const clock = new FakeClock()
  const server = createServer({
    log: silentLogger,
    clock,
    featureGates: { PodCertificateRequest: true },
    runtimeConfig: { 'certificates.k8s.io/v1beta1': true }
  })
  await server.start()
  try {
    const url = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests'
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const spec = {
      signerName: 'a.b/c',
      podName: 'p',
      podUID: 'u',
      serviceAccountName: 'a',
      serviceAccountUID: 'u',
      nodeName: 'n',
      nodeUID: 'u',
      pkixPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      proofOfPossession: sign(null, Buffer.from('u'), privateKey).toString('base64')
    }
    const create = async (name: string) => {
      const answer = await server.inject({ url, user: admin, body: { metadata: { name }, spec } })
      assert.equal(answer.status, 201, answer.json().message)
    }
    const names = async () => (await server.inject({ url, user: admin })).json().items.map((item: any) => item.metadata.name)
    await create('old')
    clock.advance(6 * minute)
    await create('new')
    assert.deepEqual(await names(), ['new', 'old'])
    // the cleaner looks every five minutes
    for (let i = 0; i < 2; i++) {
      clock.advance(5 * minute)
      for (let turn = 0; turn < 20; turn++) await setImmediate()
    }
    while ((await names()).length > 1) await setImmediate()
    assert.deepEqual(await names(), ['new'])
  } finally {
    await server.stop()
  }
})
