/** What mutations make of objects, and how they fail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const send = async (url: string, body: object) => (await server.inject({ method: 'POST', url, user, body })).json() as any
const group = '/apis/admissionregistration.k8s.io/v1'

const base = {
  metadata: { name: 'x' },
  template: {
    metadata: {},
    spec: {
      containers: [
        { name: 'a', image: 'old' },
        { name: 'b', image: 'b' }
      ],
      nodeSelector: { k: 'v' },
      tolerations: [{ key: 't' }]
    }
  }
}
const call = async (method: string, url: string, body?: object) =>
  (await server.inject({ method, url, user, ...(body ? { body } : {}) })).json() as any
let policies = 0

/** Creates an object under one policy with a mutation. */
async function under(
  expression: string,
  more: object = {},
  url = '/api/v1/namespaces/default/podtemplates',
  object: object = base
) {
  const name = `m${policies++}`
  const resourceRules = [{ apiGroups: ['', 'apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] }]
  const mutation = expression.startsWith('Object')
    ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
    : { patchType: 'JSONPatch', jsonPatch: { expression } }
  const spec = { matchConstraints: { resourceRules }, reinvocationPolicy: 'Never', mutations: [mutation], ...more }
  const made = await send(`${group}/mutatingadmissionpolicies`, { metadata: { name }, spec })
  assert.equal(made.kind, 'MutatingAdmissionPolicy', made.message)
  await send(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } })
  const answer = await send(`${url}?dryRun=All`, object)
  await call('DELETE', `${group}/mutatingadmissionpolicybindings/${name}`)
  return answer.kind === 'Status'
    ? answer.message.replace(`policy '${name}' with binding '${name}' denied request: `, '')
    : answer
}

const spec = (fields: string) => `Object{template: Object.template{spec: Object.template.spec{${fields}}}}`
const applying = 'error applying patch: failed to convert patch object to typed object: '
const unmarshalled = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON: '
const notText = 'expected string, got &value.valueUnstructured{Value:'
const notNumber = '.template.spec.terminationGracePeriodSeconds: expected numeric (int or float), got '
const atomic = 'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .template.spec.'
for (const [expression, expected] of [
  [spec('containers: [Object.template.spec.containers{name: "a", image: "new"}]'), { images: ['new', 'b'] }],
  [spec('containers: [Object.template.spec.containers{name: "c", image: "c"}]'), { images: ['old', 'b', 'c'] }],
  [spec('terminationGracePeriodSeconds: 5'), { seconds: 5 }],
  [spec('terminationGracePeriodSeconds: 5u'), { seconds: 5 }],
  [spec('terminationGracePeriodSeconds: optional.none()'), { seconds: 30 }],
  [spec('terminationGracePeriodSeconds: optional.of(5)'), { seconds: 5 }],
  ['Object{metadata: Object.metadata{labels: {"a": type(1)}}}', { labels: { a: 'int' } }],
  ['Object{metadata: Object.metadata{labels: {"a": "b"}}}', { labels: { a: 'b' } }],
  ['Object{metadata: Object.metadata{labels: Object.metadata.labels{a: "b"}}}', { labels: { a: 'b' } }],
  ['[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]', { labels: { a: 'b' } }],
  ['[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata.labels{a: "b"}}]', { labels: { a: 'b' } }],
  ['[JSONPatch{op: "copy", from: "/metadata/name", path: "/metadata/generateName"}]', { generateName: 'x' }],
  ['[JSONPatch{op: "remove", path: "/kind"}]', {}],
  ['[JSONPatch{op: "add", path: "/metadata/labels"}]', {}],
  [
    '[JSONPatch{op: "test", path: "/metadata/name", value: "y"}, JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]',
    {}
  ],
  [
    '[JSONPatch{op: "test", path: "/metadata/name", value: "x"}, JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]',
    { labels: { a: 'b' } }
  ],
  [spec('tolerations: [Object.template.spec.tolerations{key: "a"}]'), `${atomic}tolerations`],
  [spec('nodeSelector: {"a": "b"}'), `${atomic}nodeSelector`],
  [spec('nodeSelector: Object.template.spec.nodeSelector{a: "b"}'), `${atomic}nodeSelector`],
  [spec('containers: [Object.template.spec.containers{name: "a", command: ["x"]}]'), `${atomic}containers[0].command`],
  ['Object{metadata: dyn(null)}', `${applying}.metadata: expected map, got &{NULL_VALUE}`],
  [spec('containers: dyn(null)'), `${applying}.template.spec.containers: expected list, got &{NULL_VALUE}`],
  [spec('restartPolicy: dyn(null)'), `${applying}.template.spec.restartPolicy: ${notText}0}`],
  [spec('terminationGracePeriodSeconds: dyn(null)'), `${applying}${notNumber}structpb.NullValue`],
  [spec('hostNetwork: dyn(null)'), `${applying}.template.spec.hostNetwork: expected boolean, got &{NULL_VALUE}`],
  ['Object{metadata: Object.metadata{labels: {"a": dyn(null)}}}', `${applying}.metadata.labels.a: ${notText}0}`],
  ['Object{metadata: Object.metadata{labels: {"a": duration("5s")}}}', `${applying}.metadata.labels.a: ${notText}5000000000}`],
  [spec('terminationGracePeriodSeconds: duration("5s")'), `${applying}${notNumber}time.Duration`],
  [spec('terminationGracePeriodSeconds: timestamp("2026-01-02T03:04:05Z")'), `${applying}${notNumber}time.Time`],
  [spec('terminationGracePeriodSeconds: b"abc"'), `${applying}${notNumber}[]uint8`],
  [spec('terminationGracePeriodSeconds: quantity("1")'), `${applying}${notNumber}*resource.Quantity`],
  [spec('hostNetwork: quantity("1.50")'), `${applying}.template.spec.hostNetwork: expected boolean, got &{1500m}`],
  [spec('hostNetwork: ip("::1")'), `${applying}.template.spec.hostNetwork: expected boolean, got &{::1}`],
  [spec('hostNetwork: duration("5400.5s")'), `${applying}.template.spec.hostNetwork: expected boolean, got &{1h30m0.5s}`],
  [
    spec('restartPolicy: timestamp("2026-01-02T03:04:05.25Z")'),
    `${applying}.template.spec.restartPolicy: ${notText}time.Date(2026, time.January, 2, 3, 4, 5, 250000000, time.UTC)}`
  ],
  [
    spec('containers: [Object.template.spec.containers{name: "a", image: b"abc"}]'),
    `${applying}.template.spec.containers[name="a"].image: ${notText}[]uint8{0x61, 0x62, 0x63}}`
  ],
  [
    'Object{metadata: Object.metadata{finalizers: [duration("5s")]}}',
    `${applying}.metadata.finalizers[={{undefined}}]: ${notText}5000000000}`
  ],
  [
    'Object{metadata: Object.metadata{creationTimestamp: timestamp("2026-01-02T03:04:05Z")}}',
    `${applying}.metadata.creationTimestamp: expected any scalar, got &{2026-01-02 03:04:05 +0000 UTC}`
  ],
  ['Object{metadata: Object.metadata{labels: b"abc"}}', `${applying}.metadata.labels: expected map, got &{[97 98 99]}`],
  ['Object{metadata: dyn({"labels": {"a": "b"}})}', `${applying}.metadata.labels: expected map, got &{map[a:b]}`],
  [
    spec('containers: [{"name": "a", "image": "n"}]'),
    `${applying}.template.spec.containers: element 0: associative list with keys may not have non-map elements`
  ],
  [
    'Object{metadata: Object.metadata{labels: {"a": Object.x{b: "c"}}}}',
    'type mismatch: unexpected type name "Object.x", expected "Object.metadata.labels", which matches field name path from root Object type'
  ],
  [
    'Object{metadata: Object.metadata{finalizers: [Object.x{b: "c"}]}}',
    'type mismatch: unexpected type name "Object.x", expected "Object.metadata.finalizers", which matches field name path from root Object type'
  ],
  ['Object{metadata: dyn({1: "b"})}', 'invalid return type: *dynamic.ObjectVal'],
  [
    'Object{metadata: Object.metadata{labels: dyn({1: "b"})}}',
    `${applying}.metadata: expected map, got &{fail to convert field "labels": map key '\\x01' is of type types.Int, not string}`
  ],
  [
    'Object{metadata: Object.metadata{labels: dyn({true: "b"})}}',
    `${applying}.metadata: expected map, got &{fail to convert field "labels": map key %!q(types.Bool=true) is of type types.Bool, not string}`
  ],
  [
    spec('terminationGracePeriodSeconds: "x"'),
    `${applying}.template.spec.terminationGracePeriodSeconds: expected numeric (int or float), got string`
  ],
  [spec('nope: "x"'), `${applying}.template.spec.nope: field not declared in schema`],
  [
    'Object{template: Object.metadata{name: "x"}}',
    'type mismatch: unexpected type name "Object.metadata", expected "Object.template", which matches field name path from root Object type'
  ],
  [
    '[JSONPatch{op: "add", path: "/metadata", value: Object.metadata{labels: Object.labels{a: "b"}}}]',
    'type mismatch: unexpected type name "Object.labels", expected "Object.metadata.labels", which matches field name path from root Object type'
  ],
  [
    '[JSONPatch{op: "add", path: "/metadata/labels", value: {1: "b"}}]',
    `${unmarshalled}unsupported type conversion from 'int' to string`
  ],
  [
    '[JSONPatch{op: "add", path: "/metadata/labels", value: {1u: "b"}}]',
    `${unmarshalled}unsupported type conversion from 'uint' to string`
  ],
  [
    '[JSONPatch{op: "add", path: "/metadata/labels", value: {true: "b"}}]',
    `${unmarshalled}type conversion error from bool to 'string'`
  ],
  [
    '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata.labels{v: {7000u: "x"}}}]',
    `${unmarshalled}fail to convert field "v": map key '᭘' is of type types.Uint, not string`
  ],
  [
    '[JSONPatch{op: "add", path: "/metadata/labels", value: {"v": url("https://a.b/c")}}]',
    `${unmarshalled}type conversion error from 'URL' to '*structpb.Value'`
  ],
  [
    '[JSONPatch{op: "replace", path: "/kind", value: "ConfigMap"}]',
    'Internal error occurred: strict decoding error: unknown field "template"'
  ],
  [
    '[JSONPatch{op: "replace", path: "/apiVersion", value: "v2"}]',
    'Internal error occurred: no kind "PodTemplate" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"'
  ],
  [
    '[JSONPatch{op: "add", path: "/template/spec/nope", value: "x"}]',
    'Internal error occurred: strict decoding error: unknown field "template.spec.nope"'
  ],
  [
    '[JSONPatch{op: "add", path: "/template/spec/restartPolicy", value: 5}]',
    'Internal error occurred: json: cannot unmarshal number into Go struct field PodSpec.template.spec.restartPolicy of type v1.RestartPolicy'
  ]
] as const)
  test(`a mutation applies or fails: ${expression}`, async () => {
    const answer = await under(expression)
    if (typeof expected === 'string') return assert.equal(answer, expected)
    assert.equal(answer.kind, 'PodTemplate', answer)
    const { metadata, template } = answer
    const found = {
      images: template.spec.containers.map(({ image }: { image: string }) => image),
      seconds: template.spec.terminationGracePeriodSeconds,
      labels: metadata.labels,
      generateName: metadata.generateName
    }
    assert.deepEqual(found, { images: ['old', 'b'], seconds: 30, labels: undefined, generateName: undefined, ...expected })
    assert.deepEqual([template.spec.nodeSelector, template.spec.tolerations.length], [{ k: 'v' }, 1])
  })

for (const [value, json] of [
  ['timestamp("2026-01-02T03:04:05Z")', '2026-01-02T03:04:05Z'],
  ['duration("90s")', '90s'],
  ['b"abc"', 'YWJj'],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740993u', '9007199254740993'],
  ['7u', 7],
  ['2.5', 2.5],
  ['null', null],
  ['true', true],
  ['[1, 2]', [1, 2]],
  ['optional.of("x")', 'x'],
  ['optional.none()', null],
  ['{"a": [{"b": 1}]}', { a: [{ b: 1 }] }],
  ['Object.metadata{name: "x"}', { name: 'x' }]
] as const)
  test(`a value of a patch becomes JSON: ${value}`, async () => {
    const patch = `[JSONPatch{op: "add", path: "/data", value: {"v": ${value}}}]`
    const revision = { metadata: { name: 'x' }, revision: 1, data: { a: 1 } }
    const answer = await under(patch, {}, '/apis/apps/v1/namespaces/default/controllerrevisions', revision)
    assert.deepEqual(answer.data, { v: json }, answer)
  })

test('a value of a patch that JSON cannot express is refused', async () => {
  const answer = await under('[JSONPatch{op: "add", path: "/metadata/labels", value: {"v": type(1)}}]')
  assert.match(answer, /could not marshal to JSON: type conversion not supported for 'type'$/)
})

test('a policy applies only as its match conditions and its binding say', async () => {
  const labelled = '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]'
  const labels = async (more: object) => (await under(labelled, more)).metadata.labels
  const when = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] })
  assert.deepEqual(await labels(when('object.metadata.name == "x"')), { a: 'b' })
  assert.equal(await labels(when('object.metadata.name == "y"')), undefined)
  assert.match(await under(labelled, when('object.metadata.labels["q"] == "y"')), /no such key|labels/)
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['*'] }]
  assert.equal(await labels({ matchConstraints: { resourceRules } }), undefined)
})

test('a policy runs again after a later one has changed the object, if it wants to', async () => {
  const add = (key: string, value: string) => `[JSONPatch{op: "add", path: "/data/${key}", value: ${value}}]`
  const rules = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] }
  const only = { matchConditions: [{ name: 'c', expression: 'object.metadata.name == "again"' }] }
  for (const [reinvocationPolicy, seen] of [
    ['Never', 'early'],
    ['IfNeeded', 'late']
  ] as const) {
    const names = [`again-${reinvocationPolicy.toLowerCase()}-1`, `again-${reinvocationPolicy.toLowerCase()}-2`]
    const mutations = [add('seen', 'has(object.data.late) ? "late" : "early"'), add('late', '"x"')]
    for (const [i, name] of names.entries()) {
      const mutation = { patchType: 'JSONPatch', jsonPatch: { expression: mutations[i] } }
      const policy = { matchConstraints: rules, ...only, reinvocationPolicy, mutations: [mutation] }
      await send(`${group}/mutatingadmissionpolicies`, { metadata: { name }, spec: policy })
      await send(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } })
    }
    const answer = await send('/api/v1/namespaces/default/configmaps?dryRun=All', {
      metadata: { name: 'again' },
      data: { k: 'v' }
    })
    assert.equal(answer.data?.seen, seen, JSON.stringify(answer))
    for (const name of names) await call('DELETE', `${group}/mutatingadmissionpolicybindings/${name}`)
  }
})

test('an optional without a value removes an atomic map or list', async () => {
  const fields = async (field: string) => {
    const { template } = await under(spec(`${field}: optional.none()`))
    return [template.spec.nodeSelector, template.spec.tolerations, template.spec.containers.length]
  }
  assert.deepEqual(await fields('nodeSelector'), [undefined, [{ key: 't' }], 2])
  assert.deepEqual(await fields('tolerations'), [{ k: 'v' }, undefined, 2])
  assert.deepEqual(await fields('containers'), [{ k: 'v' }, [{ key: 't' }], 2])
})

test('a value with too many parts is refused', async () => {
  const ten = (value: string) => `[${Array.from({ length: 10 }, () => value).join()}]`
  const variables = [1, 2, 3, 4, 5].map(i => ({ name: `v${i}`, expression: ten(i === 1 ? '1' : `variables.v${i - 1}`) }))
  const patch = (name: string) => `[JSONPatch{op: "add", path: "/data", value: {"v": variables.${name}}}]`
  const revision = { metadata: { name: 'x' }, revision: 1, data: { a: 1 } }
  const made = (name: string) =>
    under(patch(name), { variables }, '/apis/apps/v1/namespaces/default/controllerrevisions', revision)
  assert.equal((await made('v4')).data.v.length, 10)
  assert.match(await made('v5'), /value has more than 100000 parts$/)
})

test('values with too long texts are refused, however they are spread over the operations', async () => {
  const revision = { metadata: { name: 'x' }, revision: 1, data: { a: 'x'.repeat(400_000) } }
  const made = (patch: string) => under(patch, {}, '/apis/apps/v1/namespaces/default/controllerrevisions', revision)
  const operation = (i: number) => `JSONPatch{op: "add", path: "/data/b${i}", value: object.data.a}`
  const several = (length: number) => `[${Array.from({ length }, (_, i) => operation(i)).join()}]`
  assert.equal((await made(several(2))).data.b1.length, 400_000)
  assert.match(await made(several(8)), /value has more than 3145728 characters$/)
})
