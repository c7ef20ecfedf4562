/**
 * MutatingAdmissionPolicies: apply configurations and JSON Patches that fit and do not, one after the other, in front of writes of every sort to built-in kinds and to a
 * custom one in two versions. The policies are made once; the label of an object chooses its own. kube-apiserver takes several policies in an order that Go draws.
 */
import { normal } from '../applies/sequence.mjs'
import { apply, json, merge } from '../patch-types.mjs'
import { definitions, thingDefinition } from '../thing-definition.mjs'

const registration = '/apis/admissionregistration.k8s.io/v1'
const group = '$RUN.mutations.example.com'
/** Policies of a run. */
const policies = 150
/** By then kube-apiserver knows the schemas of new definitions. */
const learned = 15_000

const operation = (op, path, value) => `JSONPatch{op: "${op}", path: "${path}"${value === undefined ? '' : `, value: ${value}`}}`
const added = (path, value) => `[${operation('add', path, value)}]`
const removed = path => `[${operation('remove', path)}]`

/** For every kind. With another name or version, kube-apiserver tries an update until its deadline. */
const ofMetadata = [
  added('/metadata/labels/added', '"1"'),
  added('/metadata/labels/added', '2'),
  added('/metadata/annotations', '{"a": "1"}'),
  added('/metadata/unknown', '"1"'),
  added('/metadata/uid', '"u"'),
  added('/metadata/generation', '9'),
  added('/metadata/finalizers', '["example.com/f"]'),
  added('/metadata/managedFields', '[]'),
  added('/metadata/labels', '"text"'),
  added('/kind', '"Other"'),
  added('/kind', '"Secret"'),
  added('/kind', '""'),
  added('/apiVersion', '"other.example.com/v1"'),
  added('/extra', '1'),
  removed('/metadata/labels'),
  removed('/metadata'),
  removed('/kind'),
  removed('/nothing'),
  'Object{metadata: Object.metadata{labels: Object.metadata.labels{added: "1"}}}',
  'Object{metadata: Object.metadata{unknown: "1"}}',
  'Object{metadata: Object.metadata{finalizers: ["example.com/g"]}}',
  'Object{kind: "Other"}',
  'Object{extra: "1"}',
  'Object{}'
]
const things = [
  added('/spec/unknown', '"u"'),
  added('/spec/unknown', '{"deep": [1, {"x": "y"}]}'),
  added('/spec/a', 'has(object.spec.unknown) ? "seen" : "unseen"'),
  added('/spec/a', 'has(object.extra) ? "seen" : "unseen"'),
  added('/spec/a', 'has(object.metadata.unknown) ? "seen" : "unseen"'),
  added('/spec/a', 'object.apiVersion'),
  added('/spec/a', '5'),
  added('/spec/a', 'null'),
  added('/spec/n', '"text"'),
  added('/spec/n', '1.0'),
  added('/spec/n', '1.5'),
  added('/spec/n', 'object.spec.n + 1'),
  added('/spec/b', '{}'),
  added('/spec/b', '{"z": "1"}'),
  added('/spec/b/x', '"1"'),
  added('/spec/list/-', '{"name": "z", "unknown": "1"}'),
  added('/spec/list', '[]'),
  added('/spec/set/-', '"s"'),
  added('/spec/free/x', '{"a": null}'),
  added('/spec', 'null'),
  added('/status', '{"phase": "P", "unknown": "1"}'),
  added('/status/phase', '"P"'),
  added('/apiVersion', `"${group}/v1"`),
  added('/apiVersion', `"${group}/v2"`),
  removed('/spec/a'),
  removed('/spec'),
  `[${operation('test', '/spec/a', '"1"')}, ${operation('replace', '/spec/a', '"tested"')}]`,
  `[${operation('add', '/spec/unknown', '"u"')}, ${operation('add', '/spec/a', '"2"')}]`,
  `[JSONPatch{op: "copy", from: "/spec/a", path: "/spec/unknown"}]`,
  `[JSONPatch{op: "move", from: "/spec/unknown", path: "/spec/a"}]`,
  'Object{spec: Object.spec{a: "applied"}}',
  'Object{spec: Object.spec{a: has(object.spec.unknown) ? "seen" : "unseen"}}',
  'Object{spec: Object.spec{unknown: "u"}}',
  'Object{spec: Object.spec{n: "text"}}',
  'Object{spec: Object.spec{n: object.spec.n + 1}}',
  'Object{spec: Object.spec{n: 1.5}}',
  'Object{spec: Object.spec{b: Object.spec.b{x: "1"}}}',
  'Object{spec: Object.spec{list: [Object.spec.list{name: "z"}]}}',
  'Object{spec: Object.spec{list: [Object.spec.list{v: "z"}]}}',
  'Object{spec: Object.spec{set: ["s"]}}',
  'Object{spec: Object.spec{atomic: ["s"]}}',
  'Object{spec: Object.spec{free: Object.spec.free{x: "1"}}}',
  'Object{status: Object.status{phase: "P"}}',
  'Object{spec: Object.spec{replicas: 5}}'
]
const scales = [
  added('/spec/replicas', '5'),
  added('/spec/replicas', '"5"'),
  added('/spec/unknown', '5'),
  'Object{spec: Object.spec{replicas: 5}}',
  'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}',
  'Object{spec: Object.spec{replicas: "5"}}'
]
const deployments = [
  ...scales,
  added('/spec/template/spec/containers/0/image', '"other"'),
  added('/spec/template/spec/containers/-', '{"name": "d", "image": "i"}'),
  added('/spec/template/spec/containers/0/unknown', '"1"'),
  added('/spec/paused', '"yes"'),
  added('/status/replicas', '3'),
  removed('/spec/template'),
  'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "c", image: "other"}]}}}}',
  'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{nodeSelector: Object.spec.template.spec.nodeSelector{a: "1"}}}}}',
  'Object{spec: Object.spec{unknown: "1"}}',
  'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: Object.spec.selector.matchLabels{a: "c"}}}}'
]
const configMaps = [
  added('/data', '{"b": "1"}'),
  added('/data/b', '"1"'),
  added('/data/b', '1'),
  added('/data/a', 'null'),
  added('/immutable', 'true'),
  removed('/data/a'),
  'Object{data: Object.data{b: "1"}}',
  'Object{data: Object.data{b: 1}}',
  'Object{immutable: true}',
  'Object{binaryData: Object.binaryData{c: "YQ=="}}'
]

const inNamespace = (api, plural) => `/${api}/namespaces/$NS/${plural}`
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const thing = version => ({
  rule: { apiGroups: [group], resources: ['things', 'things/status'] },
  apiVersion: `${group}/${version}`,
  kind: 'Thing',
  path: inNamespace(`apis/${group}/${version}`, 'things'),
  fields: [
    { spec: { a: '1', n: 1 } },
    { spec: { b: { x: '1' }, list: [{ name: 'l' }], set: ['t'], free: { y: [1] } } },
    { spec: { unknown: '1' } },
    {}
  ],
  status: [{ status: { phase: 'A' } }, { status: { phase: 'B', unknown: '1' } }],
  scales: true
})
const kinds = [
  thing('v1'),
  thing('v1'),
  thing('v2'),
  {
    rule: { apiGroups: ['apps'], resources: ['deployments', 'deployments/status'] },
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: inNamespace('apis/apps/v1', 'deployments'),
    fields: [1, 2].map(replicas => ({ spec: { replicas, selector: { matchLabels: { a: 'b' } }, template } })),
    status: [{ status: { replicas: 1 } }],
    scales: true
  },
  {
    rule: { apiGroups: [''], resources: ['configmaps'] },
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: inNamespace('api/v1', 'configmaps'),
    fields: [{ data: { a: '1' } }, { data: { a: '2' } }, {}]
  }
]
const expressions = { Thing: things, Deployment: deployments, ConfigMap: configMaps }

export async function area({ random, send }) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  await send({ path: definitions, body: definition() })
  /** The indices of the policies for each kind, and for its scale. */
  const indices = () => ({ Thing: [], Deployment: [], ConfigMap: [] })
  const byKind = indices()
  const byScale = indices()
  const made = Array.from({ length: policies }, (_, index) => {
    const about = one(...kinds)
    const forScale = about.scales && random.chance(0.2)
    ;(forScale ? byScale : byKind)[about.kind].push(index)
    return policy(index, about, forScale)
  })
  for (const { spec, name } of made) {
    await send({ path: `${registration}/mutatingadmissionpolicies`, body: { metadata: { name }, spec } })
    await send({
      path: `${registration}/mutatingadmissionpolicybindings`,
      body: { metadata: { name }, spec: { policyName: name } }
    })
  }
  await new Promise(resolve => setTimeout(resolve, learned))
  return {
    eachResource: true,
    generate: sequence,
    cleanup: [
      ...made.flatMap(({ name }) => [
        { method: 'DELETE', path: `${registration}/mutatingadmissionpolicybindings/${name}` },
        { method: 'DELETE', path: `${registration}/mutatingadmissionpolicies/${name}` }
      ]),
      { method: 'DELETE', path: `${definitions}/things.${group}` }
    ]
  }

  function policy(index, { rule, kind, apiVersion }, forScale) {
    const resources = forScale ? [`${rule.resources[0]}/scale`] : rule.resources
    const mutation = () => {
      const expression = one(...(random.chance(0.7) ? (forScale ? scales : expressions[kind]) : ofMetadata))
      return expression.startsWith('[')
        ? { patchType: 'JSONPatch', jsonPatch: { expression } }
        : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
    }
    const version = apiVersion.split('/').at(-1)
    return {
      name: `$RUN-${String(index).padStart(3, '0')}`,
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              ...rule,
              resources,
              apiVersions: one(['*'], ['*'], [version], ['v1']),
              operations: one(['CREATE', 'UPDATE'], ['CREATE', 'UPDATE'], ['CREATE'], ['UPDATE'])
            }
          ],
          // the scale of an object has no labels
          ...(forScale ? {} : { objectSelector: { matchExpressions: [{ key: `p${index}`, operator: 'Exists' }] } }),
          ...maybe(0.5, { matchPolicy: one('Exact', 'Equivalent') })
        },
        ...(forScale || random.chance(0.2)
          ? {
              matchConditions: [
                {
                  name: 'c',
                  expression: forScale
                    ? `request.name.endsWith("-s${index}")`
                    : one(
                        'oldObject == null',
                        'has(object.metadata.labels.added)',
                        '!has(object.spec.unknown)',
                        'request.dryRun',
                        'object.spec.n > 0'
                      )
                }
              ]
            }
          : {}),
        failurePolicy: one('Fail', 'Fail', 'Ignore'),
        reinvocationPolicy: one('Never', 'IfNeeded'),
        mutations: Array.from({ length: one(1, 1, 2, 3) }, mutation)
      }
    }
  }

  function sequence() {
    const { path, apiVersion, kind, fields, status, scales: hasScale } = one(...kinds)
    const own = one(...byKind[kind])
    const name = byScale[kind].length > 0 ? `$ID-s${one(...byScale[kind])}` : '$ID'
    const labels = () => maybe(0.8, { [`p${own}`]: '1' })
    const object = () => ({ apiVersion, kind, metadata: { name, labels: labels() }, ...one(...fields) })
    const query = () =>
      `fieldManager=${one('one', 'two')}${random.chance(0.1) ? '&dryRun=All' : ''}${random.chance(0.1) ? '&fieldValidation=Strict' : ''}`
    const patch = (at, body, type) => ({ method: 'PATCH', path: `${at}?${query()}`, body, headers: { 'content-type': type } })
    const at = `${path}/${name}`
    const writes = [
      () => ({ method: 'PUT', path: `${at}?${query()}`, body: object(), over: true }),
      () => patch(at, { metadata: { labels: labels() } }, merge),
      () => patch(at, one(...fields), merge),
      () => patch(at, object(), apply),
      () => patch(at, [{ op: 'add', path: '/metadata/annotations', value: { x: one('1', '2') } }], json),
      ...(status ? [() => patch(`${at}/status`, one(...status), merge)] : []),
      ...(hasScale
        ? [
            () => patch(`${at}/scale`, { spec: { replicas: one(1, 2) } }, merge),
            () => ({ method: 'PUT', path: `${at}/scale?${query()}`, body: { spec: { replicas: one(1, 2) } }, over: true })
          ]
        : [])
    ]
    const requests = [{ path: `${path}?${query()}`, body: object(), pick: normal }]
    for (let i = 2 + random.below(3); i > 0; i--) requests.push({ pick: normal, ...one(...writes)() })
    requests.push({ path: at, pick: normal })
    return {
      requests,
      cleanup: [
        patch(at, { metadata: { finalizers: null, labels: null } }, merge),
        { method: 'DELETE', path: at },
        { method: 'DELETE', path: `${path}/renamed` }
      ]
    }
  }
}

function definition() {
  const text = { type: 'string' }
  const properties = {
    a: text,
    n: { type: 'integer' },
    b: { type: 'object', properties: { x: text, y: { ...text, default: 'd' } } },
    list: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: text, v: text } }
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  }
  return thingDefinition(group, { properties })
}
