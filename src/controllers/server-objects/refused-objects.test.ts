import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'

const user = { name: 'admin', groups: ['system:masters'] }
const tracking = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking'
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const name = 'nothing'
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps', 'namespaces'] }]
const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] } }

test('a server whose own objects are refused starts, says so, and makes them later', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-refused-'))
  const clock = new FakeClock()
  const lines: string[] = []
  const log = { error: (text: string) => void lines.push(text), warn() {}, info() {} }
  const start = async () => {
    const server = createServer({ storageBackend: 'lmdb', dataDir, clock, log })
    await server.start()
    return server
  }
  let server = await start()
  t.after(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const status = async (method: string, url: string, body?: object) =>
    (await server.inject({ method, url, user, ...(body && { body }) })).status
  assert.equal(await status('POST', policies, policy), 201)
  const binding = { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } }
  assert.equal(await status('POST', policies.replace(/ies$/, 'ybindings'), binding), 201)
  assert.equal(await status('DELETE', tracking), 200)
  await server.stop()

  server = await start()
  assert.ok(
    lines.some(line => /^start-legacy-token-tracking-controller: configmaps ".*" is forbidden: .*denied request/.test(line))
  )
  assert.equal(await status('GET', tracking), 404)
  assert.equal(await status('GET', '/readyz'), 500)
  assert.equal(await status('DELETE', `${policies}/${name}`), 200)
  clock.advance(60_000)
  while ((await status('GET', tracking)) !== 200) await new Promise(setImmediate)
  assert.equal(await status('GET', '/readyz'), 200)
})
