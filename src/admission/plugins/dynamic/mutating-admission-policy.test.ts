import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const server = createServer({ log: silentLogger, disableAdmissionPlugins: ['NamespaceLifecycle'] })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const send = async (url: string, body: object) => (await server.inject({ method: 'POST', url, user, body })).json() as any
const group = '/apis/admissionregistration.k8s.io/v1'
const configMap = (data: object) => send('/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name: 'x' }, data })

async function bind(name: string, mutation: object, more: object = {}, binding: object = {}): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
  const spec = { matchConstraints: { resourceRules }, reinvocationPolicy: 'Never', mutations: [mutation], ...more }
  const made = await send(`${group}/mutatingadmissionpolicies`, { metadata: { name }, spec })
  assert.equal(made.kind, 'MutatingAdmissionPolicy', made.message)
  await send(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name, ...binding } })
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

const noting = (note: string) => {
  const expression = `Object{metadata: Object.metadata{annotations: {"${note}": "yes"}}}`
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
}
const rules = (...resources: string[]) => ({
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources }]
})
const only = (name: string, resource = 'configmaps') => ({
  matchConstraints: { ...rules(resource), objectSelector: { matchLabels: { t: name } } }
})
const create = (t: string, url = '/api/v1/namespaces/default/configmaps') =>
  send(`${url}?dryRun=All`, { metadata: { name: 'x', labels: { t } } })
const unknown = { paramKind: { apiVersion: 'example.com/v1', kind: 'Missing' } }
const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }
const denying = { paramRef: { name: 'missing', parameterNotFoundAction: 'Deny' } }

test('a policy or binding that cannot be used refuses the request, unless the failure policy is Ignore', async () => {
  for (const [name, more, binding, message] of [
    [
      'no-kind',
      unknown,
      { paramRef: { name: 'p', parameterNotFoundAction: 'Allow' } },
      'policy "no-kind" denied request: failed to configure policy: ' +
        "failed to find resource referenced by paramKind: 'example.com/v1, Kind=Missing'"
    ],
    [
      'no-params',
      params,
      denying,
      "policy 'no-params' with binding 'no-params' denied request: failed to configure binding: " +
        'no params found for policy binding with `Deny` parameterNotFoundAction'
    ]
  ] as const) {
    await bind(name, noting(name), { ...only(name), ...more }, binding)
    const refused = await create(name)
    assert.deepEqual([refused.code, refused.reason, refused.message], [403, 'Forbidden', message])
    await bind(`lax-${name}`, noting(name), { ...only(`lax-${name}`), ...more, failurePolicy: 'Ignore' }, binding)
    const passed = await create(`lax-${name}`)
    assert.deepEqual([passed.kind, passed.metadata.annotations], ['ConfigMap', undefined])
  }
})

test('a binding may narrow its policy', async () => {
  const narrow = { matchResources: { objectSelector: { matchLabels: { narrow: 'yes' } } } }
  await bind('narrow', noting('narrow'), only('narrow'), narrow)
  const tried = async (labels: object) => {
    const body = { metadata: { name: 'x', labels: { t: 'narrow', ...labels } } }
    return (await send('/api/v1/namespaces/default/configmaps?dryRun=All', body)).metadata.annotations
  }
  assert.equal(await tried({}), undefined)
  assert.deepEqual(await tried({ narrow: 'yes' }), { narrow: 'yes' })
  assert.equal((await create('other')).metadata.annotations, undefined)
})

test('a policy applies to cluster-scoped objects and new namespaces, and not in a namespace that does not exist', async () => {
  const many = { ...rules('nodes', 'namespaces', 'configmaps'), objectSelector: { matchLabels: { t: 'many' } } }
  await bind('many', noting('many'), { matchConstraints: many })
  for (const url of ['/api/v1/nodes', '/api/v1/namespaces', '/api/v1/namespaces/default/configmaps'])
    assert.deepEqual((await create('many', url)).metadata.annotations, { many: 'yes' }, url)
  const { code, message } = await create('many', '/api/v1/namespaces/gone/configmaps')
  assert.deepEqual([code, message], [404, 'namespaces "gone" not found'])
})

for (const [reinvocationPolicy, note] of [
  ['Never', 'early'],
  ['IfNeeded', 'late']
] as const)
  test(`a policy with ${reinvocationPolicy} sees ${note === 'late' ? 'also' : 'not'} what a later one changed`, async () => {
    const name = `sees-${reinvocationPolicy.toLowerCase()}`
    const patch = (path: string, value: string) => ({
      patchType: 'JSONPatch',
      jsonPatch: { expression: `[JSONPatch{op: "add", path: "/metadata/labels/${path}", value: ${value}}]` }
    })
    const more = { ...only(name), reinvocationPolicy }
    await bind(`${name}-1`, patch('seen', 'has(object.metadata.labels.late) ? "late" : "early"'), more)
    await bind(`${name}-2`, patch('late', '"yes"'), { ...only(name), reinvocationPolicy: 'Never' })
    assert.deepEqual((await create(name)).metadata.labels, { t: name, seen: note, late: 'yes' })
  })
