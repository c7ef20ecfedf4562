/** What policies make of a Scale, which is checked as the last of them has left it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, controllers: [] })
const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body, { user })).body
const registration = '/apis/admissionregistration.k8s.io/v1'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const scale = `${deployments}/d/scale`

before(async () => {
  await server.start()
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  await ask('POST', deployments, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } })
})
after(() => server.stop())

/** The answer to a dry run that writes so many replicas, under a policy that adds `value` at `path` of the Scale. */
async function scaled(method: 'PUT' | 'PATCH', replicas: number, path: string, value: string): Promise<any> {
  const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments/scale'] }
  const expression = `[JSONPatch{op: "add", path: "${path}", value: ${value}}]`
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }]
  }
  await ask('POST', `${registration}/mutatingadmissionpolicies`, { metadata: { name: 'p' }, spec })
  await ask('POST', `${registration}/mutatingadmissionpolicybindings`, { metadata: { name: 'p' }, spec: { policyName: 'p' } })
  const answer = await ask(method, `${scale}?dryRun=All`, { metadata: { name: 'd' }, spec: { replicas } })
  await ask('DELETE', `${registration}/mutatingadmissionpolicybindings/p`)
  await ask('DELETE', `${registration}/mutatingadmissionpolicies/p`)
  return answer
}

test('a uid that a policy sets is a precondition', async () => {
  const { uid } = (await ask('GET', scale)).metadata
  for (const method of ['PUT', 'PATCH'] as const) {
    const { code, message } = await scaled(method, 2, '/metadata/uid', '"u"')
    const why = `Precondition failed: UID in precondition: u, UID in object meta: ${uid}`
    assert.deepEqual([code, message], [409, `Operation cannot be fulfilled on deployments/scale.apps "d": ${why}`])
    assert.equal((await scaled(method, 2, '/metadata/uid', `"${uid}"`)).spec.replicas, 2)
  }
})

test('so is a resourceVersion', async () => {
  assert.equal((await scaled('PATCH', 2, '/metadata/resourceVersion', '"1"')).code, 409)
  assert.equal((await scaled('PATCH', 2, '/metadata/resourceVersion', '"0"')).spec.replicas, 2)
})

test('replicas that a policy sets are validated, and those that it replaces are not', async () => {
  const { code, message } = await scaled('PATCH', 2, '/spec/replicas', '-1')
  const why = 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'
  assert.deepEqual([code, message], [422, `Scale.autoscaling "d" is invalid: ${why}`])
  assert.equal((await scaled('PUT', -1, '/spec/replicas', '3')).spec.replicas, 3)
})
