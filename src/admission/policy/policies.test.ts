import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const send = async (method: string, url: string, body?: object) =>
  (await server.inject({ method, url, user, ...(body ? { body } : {}) })).json() as any
const group = '/apis/admissionregistration.k8s.io/v1'
const configMaps = '/api/v1/namespaces/default/configmaps'

const rule = (more: object = {}) => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['*'],
  resources: ['configmaps'],
  ...more
})

async function bind(kind: 'Validating' | 'Mutating', name: string, spec: any, binding: object = {}): Promise<void> {
  const plural = `${group}/${kind.toLowerCase()}admissionpolic`
  const actions = kind === 'Validating' ? { validationActions: ['Deny'] } : {}
  const { matchConstraints, ...rest } = spec
  const constraints = { objectSelector: { matchLabels: { t: name } }, resourceRules: [rule()], ...matchConstraints }
  await send('POST', `${plural}ies`, { metadata: { name }, spec: { ...rest, matchConstraints: constraints } })
  await send('POST', `${plural}ybindings`, { metadata: { name }, spec: { policyName: name, ...actions, ...binding } })
}

const configMap = (t: string, data: object = {}, name = 'x') => ({ metadata: { name, labels: { t } }, data })
const tried = (object: object) => send('POST', `${configMaps}?dryRun=All`, object)

test('a policy takes effect when its write is acknowledged, and only while it is bound', async () => {
  await bind('Validating', 'at-once', { validations: [{ expression: 'false', message: 'no', reason: 'Forbidden' }] })
  const text = `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'at-once' with binding 'at-once' denied request: no`
  const { message, reason, code } = await tried(configMap('at-once'))
  assert.deepEqual({ message, reason, code }, { message: text, reason: 'Forbidden', code: 403 })
  await send('DELETE', `${group}/validatingadmissionpolicybindings/at-once`)
  assert.equal((await tried(configMap('at-once'))).kind, 'ConfigMap')
})

test('a policy for deletions sees the deleted object', async () => {
  await bind('Validating', 'keep', { validations: [{ expression: 'object != null || oldObject.data.k != "keep"' }] })
  await send('POST', configMaps, configMap('keep', { k: 'keep' }, 'kept'))
  assert.match((await send('DELETE', `${configMaps}/kept`)).message, /failed expression: object != null \|\|/)
  assert.match((await send('DELETE', `${configMaps}?labelSelector=t%3Dkeep`)).message, /^configmaps "Unknown" is forbidden/)
})

test('expressions see the object in the version that the rule names', async () => {
  await bind('Validating', 'version', {
    matchConstraints: { resourceRules: [rule({ apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] })] },
    validations: [{ expression: 'false', messageExpression: 'string(object.apiVersion) + " " + request.requestResource.version' }]
  })
  const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'x', apiVersion: 'apps/v1' } }
  const hpa = { metadata: { name: 'h', labels: { t: 'version' } }, spec }
  const { message } = await send('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', hpa)
  assert.match(message, /denied request: autoscaling\/v1 v2$/)
})

test('variables are computed once, and all expressions share a budget', async () => {
  const ten = '[1,2,3,4,5,6,7,8,9,10]'
  const much = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, a + b + c + d > 0))))`
  const variables = Array.from({ length: 130 }, (_, i) => ({ name: `v${i}`, expression: much }))
  const validations = [{ expression: 'variables.v0 && variables.v0' }]
  await bind('Validating', 'cheap', { variables, validations })
  assert.equal((await tried(configMap('cheap'))).kind, 'ConfigMap')
  await bind('Validating', 'dear', { variables, validations: variables.map(({ name }) => ({ expression: `variables.${name}` })) })
  assert.match(
    (await tried(configMap('dear'))).message,
    /validation failed due to running out of cost budget, no further validation rules will be run$/
  )
})

test('parameters come from the namespace of the request, and a binding may deny when there are none', async () => {
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [{ expression: 'false', messageExpression: '"param " + string(params.data.p)' }]
  }
  await bind('Validating', 'params', spec, { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } })
  assert.match((await tried(configMap('params'))).message, /failed to configure binding: no params found/)
  await send('POST', configMaps, { metadata: { name: 'p' }, data: { p: 'one' } })
  assert.match((await tried(configMap('params'))).message, /denied request: param one$/)
})

test('mutations run one after the other, and a policy with IfNeeded runs again', async () => {
  const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } })
  const count = apply('Object{data: {"n": string(int(object.data.n) + 1)}}')
  const patch = { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "copy", from: "/data/n", path: "/data/m"}]' } }
  await bind('Mutating', 'never', { reinvocationPolicy: 'Never', mutations: [count, patch] })
  assert.deepEqual((await tried(configMap('never', { n: '1' }))).data, { n: '2', m: '2' })
  await bind('Mutating', 'again', { reinvocationPolicy: 'IfNeeded', mutations: [count, patch] })
  assert.deepEqual((await tried(configMap('again', { n: '1' }))).data, { n: '3', m: '3' })
})

const refusals = {
  'Object{data: {"a": object.data.nope}}': 'resulted in error: no such key: nope',
  'Object{metadata: Object.spec{labels: {"a": "b"}}}':
    'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type',
  'Object{date: {"a": "b"}}':
    'error applying patch: failed to convert patch object to typed object: .date: field not declared in schema',
  '[JSONPatch{op: "remove", path: "/data/nope"}]':
    "JSON Patch: error in remove for path: '/data/nope': Unable to remove nonexistent key: nope: missing value",
  '[JSONPatch{op: "add", path: "/nope/x", value: 1}]':
    'JSON Patch: add operation does not apply: doc is missing path: "/nope/x": missing value'
}

test('a mutation that cannot be applied refuses the request', async () => {
  for (const [i, [expression, why]] of Object.entries(refusals).entries()) {
    const mutation = expression.startsWith('[')
      ? { patchType: 'JSONPatch', jsonPatch: { expression } }
      : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
    await bind('Mutating', `refuses-${i}`, { reinvocationPolicy: 'Never', mutations: [mutation] })
    const { message, code, reason } = await tried(configMap(`refuses-${i}`, { a: 'b' }))
    assert.ok(message.startsWith(`policy 'refuses-${i}' with binding 'refuses-${i}' denied request: `), message)
    assert.ok(message.endsWith(why), message)
    assert.deepEqual([code, reason], [403, 'Invalid'])
  }
})

test('policies decide in the order of their names', async () => {
  const objectSelector = { matchLabels: { t: 'order' } }
  for (const name of ['order-b', 'order-a', 'order-c'])
    await bind('Validating', name, {
      matchConstraints: { objectSelector },
      validations: [{ expression: 'false', message: name }]
    })
  assert.match((await tried(configMap('order'))).message, /'order-a' with binding 'order-a' denied request: order-a$/)
})

test('a policy without a binding decides nothing, even where its parameters are of an unknown kind', async () => {
  const spec = { paramKind: { apiVersion: 'example.com/v1', kind: 'Missing' }, validations: [{ expression: 'false' }] }
  await bind('Validating', 'unbound', spec)
  assert.match((await tried(configMap('unbound'))).message, /failed to find resource referenced by paramKind/)
  await send('DELETE', `${group}/validatingadmissionpolicybindings/unbound`)
  assert.equal((await tried(configMap('unbound'))).kind, 'ConfigMap')
})
