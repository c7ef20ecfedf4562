/** What policies make of custom resources: documents until the last policy, whatever the definition has. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, controllers: [] })
const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body, { user })).body
const registration = '/apis/admissionregistration.k8s.io/v1'
const things = '/apis/example.com/v1/namespaces/default/things'
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'object', properties: { x: { type: 'string', default: 'd' } } },
          replicas: { type: 'integer' }
        }
      },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } }
    }
  }
}
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const versions = ['v1', 'v2'].map(name => ({
  name,
  served: true,
  storage: name === 'v1',
  schema,
  subresources: { status: {}, scale }
}))

before(async () => {
  await server.start()
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions }
  })
})
after(() => server.stop())

let policies = 0

/** The answer to a request under one policy with these mutations, without what says which policy it was. */
async function under(
  expressions: readonly string[],
  request: () => Promise<any>,
  resource = 'things',
  reinvocationPolicy = 'Never'
): Promise<any> {
  const name = `p${policies++}`
  const mutations = expressions.map(expression =>
    expression.startsWith('[')
      ? { patchType: 'JSONPatch', jsonPatch: { expression } }
      : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
  )
  const resourceRules = [
    { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] }
  ]
  const spec = { matchConstraints: { resourceRules }, reinvocationPolicy, mutations }
  const made = await ask('POST', `${registration}/mutatingadmissionpolicies`, { metadata: { name }, spec })
  assert.equal(made.kind, 'MutatingAdmissionPolicy', made.message)
  await ask('POST', `${registration}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } })
  const answer = await request()
  await ask('DELETE', `${registration}/mutatingadmissionpolicybindings/${name}`)
  await ask('DELETE', `${registration}/mutatingadmissionpolicies/${name}`)
  const denied = `policy '${name}' with binding '${name}' denied request: `
  return answer.kind === 'Status' ? { ...answer, message: answer.message.replace(denied, '') } : answer
}

const create = (...expressions: string[]) =>
  under(expressions, () =>
    ask('POST', `${things}?dryRun=All`, {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
      spec: { a: '1' }
    })
  )
const add = (path: string, value: string) => `[JSONPatch{op: "add", path: "${path}", value: ${value}}]`
const applying = 'error applying patch: failed to convert'

test('later mutations see fields that the definition lacks, and no object is stored with them', async () => {
  const seen = add('/spec/a', 'has(object.spec.unknown) ? "seen" : "unseen"')
  const { spec } = await create(add('/spec/unknown', '"u"'), seen)
  assert.deepEqual(spec, { a: 'seen' })
  const { message } = await create(add('/spec/unknown', '"u"'), 'Object{spec: Object.spec{a: "x"}}')
  assert.equal(message, `${applying} original object to typed object: .spec.unknown: field not declared in schema`)
})

test('the validation finds what does not fit, after all mutations', async () => {
  const wrong = await create(add('/spec/a', '5'), add('/spec/b', '{}'))
  assert.deepEqual([wrong.code, wrong.details.causes[0].field], [422, 'spec.a'])
  const { message } = await create(add('/spec/a', '5'), 'Object{spec: Object.spec{b: Object.spec.b{x: "1"}}}')
  assert.equal(
    message,
    `${applying} original object to typed object: .spec.a: expected string, got &value.valueUnstructured{Value:5}`
  )
  assert.deepEqual((await create(add('/spec/a', '5'), add('/spec/a', '"6"'))).spec, { a: '6' })
  const labels = await create(add('/metadata/labels', '{"a": 2}'))
  assert.deepEqual([labels.code, labels.details.causes[0].field], [422, 'metadata'])
})

test('defaults are there for the next mutation', async () => {
  const { spec } = await create(add('/spec/b', '{}'), add('/spec/a', 'object.spec.b.x'))
  assert.deepEqual(spec, { a: 'd', b: { x: 'd' } })
})

test('a document of another version is converted at the end, and of another group not at all', async () => {
  assert.equal((await create(add('/apiVersion', '"example.com/v2"'))).apiVersion, 'example.com/v1')
  const { message } = await create(add('/apiVersion', '"example.com/v2"'), 'Object{spec: Object.spec{a: "x"}}')
  assert.equal(message, `${applying} patch object to typed object: no corresponding type for example.com/v2, Kind=Thing`)
  const other = await create(add('/apiVersion', '"other.example.com/v1"'))
  assert.deepEqual(
    [other.code, other.message],
    [
      500,
      'Internal error occurred: failed to convert object: other.example.com/v1, Kind=Thing is unstructured and is not suitable for converting to "example.com/v1"'
    ]
  )
  const none = await create('[JSONPatch{op: "remove", path: "/kind"}]')
  assert.match(none.message, /^Internal error occurred: Object 'Kind' is missing in /)
})

test('what cannot be converted is to become the version of the request, not that of the policy', async () => {
  const thing = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 't' } }
  const url = '/apis/example.com/v2/namespaces/default/things?dryRun=All'
  const { message } = await under([add('/apiVersion', '"other.example.com/v1"')], () => ask('POST', url, thing))
  assert.match(message, /is not suitable for converting to "example\.com\/v2"$/)
})

test('metadata that a policy removes are not there when it is asked again', async () => {
  await ask('POST', things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'm' } })
  const mutations = [add('/metadata/finalizers', '["example.com/f"]'), '[JSONPatch{op: "remove", path: "/metadata"}]']
  const change = () => ask('PATCH', `${things}/m`, { spec: { a: '2' } })
  const { code, details } = await under(mutations, change, 'things', 'IfNeeded')
  const causes = details.causes.map(({ message }: any) => message.replace(/.*JSON Patch: /, ''))
  assert.equal(code, 403)
  assert.deepEqual(causes, [
    'add operation does not apply: doc is missing path: "/metadata/finalizers": missing value',
    "error in remove for path: '/metadata': Unable to remove nonexistent key: metadata: missing value"
  ])
})

test('no mutation of the scale of a custom resource succeeds, unless its test fails', async () => {
  await ask('POST', things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 's' }, spec: { replicas: 1 } })
  const url = `${things}/s/scale`
  const scaled = async (expression: string) =>
    under([expression], async () => ask('PUT', url, { ...(await ask('GET', url)), spec: { replicas: 2 } }), 'things/scale')
  const unconverted = 'request to convert CR to an invalid group/version: autoscaling/v1'
  assert.equal((await scaled(add('/spec/replicas', '3'))).message, unconverted)
  assert.equal((await scaled('[JSONPatch{op: "test", path: "/spec/replicas", value: 2}]')).message, unconverted)
  const applied = await scaled('Object{spec: Object.spec{replicas: 3}}')
  assert.equal(applied.message, `${applying} patch object to typed object: no corresponding type for autoscaling/v1, Kind=Scale`)
  const other = 'other.example.com/v1, Kind=Scale is unstructured and is not suitable for converting to "autoscaling/v1"'
  assert.equal((await scaled(add('/apiVersion', '"other.example.com/v1"'))).message, other)
  assert.equal((await scaled('[JSONPatch{op: "test", path: "/spec/replicas", value: 9}]')).spec.replicas, 2)
  for (const [patch, kind] of [
    ['[JSONPatch{op: "remove", path: "/kind"}]', ''],
    [add('/kind', '""'), '"kind":"",']
  ] as const) {
    const metadata = '"metadata":{"name":"s","namespace":"default","uid":'
    const { message } = await scaled(patch)
    assert.ok(message.includes(`Object 'Kind' is missing in '{"apiVersion":"autoscaling/v1",${kind}${metadata}`), message)
  }
})
