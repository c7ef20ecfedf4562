import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const send = async (url: string, body: object) => (await server.inject({ method: 'POST', url, user, body })).json() as any
const group = '/apis/admissionregistration.k8s.io/v1'
const configMap = (data: object) => send('/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name: 'x' }, data })

async function bind(name: string, mutation: object, more: object = {}): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
  const spec = { matchConstraints: { resourceRules }, reinvocationPolicy: 'Never', mutations: [mutation], ...more }
  const made = await send(`${group}/mutatingadmissionpolicies`, { metadata: { name }, spec })
  assert.equal(made.kind, 'MutatingAdmissionPolicy', made.message)
  await send(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } })
}

test('policies change the object with apply configurations and JSON patches', async () => {
  const expression = 'Object{data: Object.data{applied: "yes"}}'
  await bind('apply', { patchType: 'ApplyConfiguration', applyConfiguration: { expression } })
  const patch = '[JSONPatch{op: "add", path: "/data/patched", value: "yes"}]'
  await bind('patch', { patchType: 'JSONPatch', jsonPatch: { expression: patch } })
  assert.deepEqual((await configMap({ own: 'x' })).data, { own: 'x', applied: 'yes', patched: 'yes' })
})

test('a policy that cannot be evaluated refuses the request, unless its failure policy is Ignore', async () => {
  const expression = 'has(object.data.number) ? [JSONPatch{op: "remove", path: "/data/missing"}] : []'
  const mutation = { patchType: 'JSONPatch', jsonPatch: { expression } }
  await bind('ignore', mutation, { failurePolicy: 'Ignore' })
  assert.equal((await configMap({ number: 'x' })).kind, 'ConfigMap')
  await bind('fail', mutation, { failurePolicy: 'Fail' })
  assert.match((await configMap({ number: 'x' })).message, /policy 'fail' with binding 'fail' denied request/)
})
