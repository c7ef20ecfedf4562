/** The requests that cbor.mjs sends to both servers, in order. */
import { sample } from '../samples.mjs'
import { document, pairs, raw } from './encode.mjs'
import { items } from './items.mjs'

const accept = 'application/cbor'
const widgets = '/apis/cbor.example.com/v1/namespaces/cbor/widgets'
const core = '/api/v1/namespaces/cbor'
const maps = `${core}/configmaps`

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'integer', default: 5, minimum: 1, maximum: 100 },
        f: { type: 'number', maximum: 1000.5, minimum: -100.5 },
        s: { type: 'string', enum: ['a', 'hi'] },
        l: { type: 'array', items: { type: 'string' } },
        replicas: { type: 'integer' },
        x: { 'x-kubernetes-preserve-unknown-fields': true }
      }
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } }
  }
}
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
export const definition = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'widgets.cbor.example.com' },
  spec: {
    group: 'cbor.example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale },
        additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }],
        schema: { openAPIV3Schema: schema }
      }
    ]
  }
}

const widget = (name, spec = {}) => ({ kind: 'Widget', apiVersion: 'cbor.example.com/v1', metadata: { name }, spec })
const configMap = (name, more = {}) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, ...more })
const cbor = (method, path, body, more = {}) => ({
  method,
  path,
  body: Buffer.isBuffer(body) ? body : document(body, more.text),
  headers: { accept, 'content-type': 'application/cbor', ...more.headers }
})
const create = (path, body, more) => cbor('POST', path, body, more)
const apply = (path, body, more) =>
  cbor('PATCH', path, body, { headers: { 'content-type': 'application/apply-patch+cbor' }, ...more })
const json = (method, path, body, headers = {}) => ({ method, path, body, headers: { accept, ...headers } })
const get = (path, accepted = accept) => ({ path, headers: { accept: accepted } })
const dry = path => `${path}?dryRun=All`
const strict = path => `${path}?dryRun=All&fieldValidation=Strict`

function* everyItem() {
  for (const item of items) {
    yield create(dry(widgets), widget('item', { x: raw(item) }))
    yield create(dry(maps), configMap('item', { data: { k: raw(item) } }))
    yield create(dry(maps), configMap('item', { binaryData: { k: raw(item) } }))
    yield create(dry(maps), configMap('item', { data: raw(item) }))
    yield create(dry(maps), raw(item).bytes)
    yield create(dry(widgets), raw(item).bytes)
    yield apply(`${widgets}/item?dryRun=All&fieldManager=m`, widget('item', { x: raw(item) }))
    yield apply(`${maps}/item?dryRun=All&fieldManager=m`, raw(item).bytes)
  }
}

/** Fields of every Go type, with values of every CBOR type. */
function* types() {
  const container = more => ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p' },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', ...more }] }
  })
  const pod = spec => ({ ...container({}), spec: { ...container({}).spec, ...spec } })
  const service = port => ({
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 's' },
    spec: { ports: [{ port: 80, ...port }] }
  })
  const values =
    `00 20 f93c00 f93e00 f4 f6 f7 40 6161 4161 623130 423130 80 8101 a0 a1616101 c06161 c11a514b67b0 d64161 1b7fffffffffffffff 1a80000000
    3a80000000 4431302e35 54323032342d30332d30345430353a30363a30375a c074323031332d30332d32315432303a30343a30305a 18ff 1901f4`.split(
      /\s+/
    )
  for (const value of values.map(raw)) {
    const places = [
      [`${core}/pods`, pod({ terminationGracePeriodSeconds: value })],
      [`${core}/pods`, pod({ priority: value })],
      [`${core}/pods`, pod({ hostNetwork: value })],
      [`${core}/pods`, pod({ nodeName: value })],
      [`${core}/pods`, pod({ containers: value })],
      [`${core}/pods`, pod({ securityContext: value })],
      [`${core}/pods`, pod({ tolerations: [{ key: 'a', operator: value }] })],
      [`${core}/pods`, container({ args: value })],
      [`${core}/pods`, container({ args: [value] })],
      [`${core}/pods`, container({ resources: { requests: { cpu: value } } })],
      [`${core}/pods`, container({ ports: [{ containerPort: value }] })],
      [`${core}/pods`, value],
      [`${core}/services`, service({ targetPort: value })],
      [maps, configMap('m', { immutable: value })],
      [maps, { ...configMap('m'), metadata: value }],
      [maps, { ...configMap('m'), metadata: { name: value } }],
      [maps, { ...configMap('m'), metadata: { name: 'm', labels: value } }],
      [maps, { ...configMap('m'), metadata: { name: 'm', labels: { a: value } } }],
      [maps, { ...configMap('m'), metadata: { name: 'm', creationTimestamp: value } }],
      [maps, { ...configMap('m'), metadata: { name: 'm', generation: value } }],
      [maps, { ...configMap('m'), metadata: { name: 'm', finalizers: value } }],
      [maps, { ...configMap('m'), kind: value }],
      [maps, { ...configMap('m'), apiVersion: value }],
      [
        '/apis/apps/v1/namespaces/cbor/controllerrevisions',
        { kind: 'ControllerRevision', apiVersion: 'apps/v1', metadata: { name: 'r' }, revision: 1, data: value }
      ],
      [
        '/apis/coordination.k8s.io/v1/namespaces/cbor/leases',
        { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'l' }, spec: { renewTime: value } }
      ],
      [widgets, { ...widget('w'), kind: value }],
      [widgets, { ...widget('w'), apiVersion: value }],
      [widgets, { ...widget('w'), metadata: value }],
      [widgets, { ...widget('w'), metadata: { name: value } }],
      [widgets, { ...widget('w'), metadata: { name: 'w', labels: value } }],
      [widgets, { ...widget('w'), metadata: { name: 'w', creationTimestamp: value } }],
      [widgets, { ...widget('w'), metadata: { name: 'w', generation: value } }],
      [widgets, { ...widget('w'), spec: value }],
      [widgets, widget('w', { n: value })],
      [widgets, widget('w', { f: value })],
      [widgets, widget('w', { s: value })],
      [widgets, widget('w', { l: value })]
    ]
    for (const [path, body] of places) yield create(dry(path), body)
  }
}

function* identities() {
  const name = { metadata: { name: 'i' } }
  const bodies = [
    {},
    name,
    { kind: 'ConfigMap' },
    { apiVersion: 'v1' },
    { kind: 'Secret', apiVersion: 'v1', ...name },
    { KIND: 'ConfigMap', ...name }
  ]
  for (const apiVersion of [
    'v1',
    '/v1',
    '/',
    'a/b/c',
    'v2',
    'apps/v1',
    '',
    'cbor.example.com/v2',
    'cbor.example.com/v1',
    'other.example.com/v1'
  ])
    for (const kind of ['ConfigMap', 'Widget', 'Gadget', '']) bodies.push({ kind, apiVersion, ...name })
  for (const body of bodies)
    for (const path of [maps, widgets]) {
      yield create(dry(path), body)
      yield create(dry(path), body, { text: true })
      yield apply(`${path}/i?dryRun=All&fieldManager=m`, body)
    }
}

/** Unknown and repeated fields under every field validation. */
function* validations() {
  const bodies = [
    configMap('v', { foo: 1 }),
    { foo: 1, ...configMap('v') },
    configMap('v', { foo: 1, bar: 2 }),
    { ...configMap('v'), metadata: { name: 'v', foo: 1 } },
    { ...configMap('v'), metadata: { name: 'v', foo: 1 }, bar: { x: 1 } },
    { ...configMap('v'), metadata: { name: 'v', ownerReferences: [{ a: 1 }, { kind: 'A', b: 1 }] } },
    configMap('v', { foo: 1, data: { a: 1 } }),
    configMap('v', { Data: { a: 'b' } }),
    pairs([
      ['kind', 'ConfigMap'],
      ['apiVersion', 'v1'],
      ['metadata', { name: 'v' }],
      ['foo', 1],
      ['foo', 2]
    ]).bytes,
    pairs([
      ['kind', 'ConfigMap'],
      ['kind', 'ConfigMap'],
      ['metadata', { name: 'v' }]
    ]).bytes,
    pairs([
      ['kind', 'ConfigMap'],
      ['metadata', { name: 'v' }],
      ['data', {}],
      ['data', {}]
    ]).bytes,
    configMap('v', {
      data: pairs([
        ['a', 'b'],
        ['a', 'c']
      ])
    }),
    {
      ...configMap('v'),
      metadata: pairs([
        ['name', 'v'],
        ['name', 'v']
      ])
    },
    {
      ...configMap('v'),
      metadata: pairs([
        ['name', 'v'],
        ['x', 1],
        ['x', 1]
      ])
    },
    raw('a301020304a161610b').bytes,
    raw('a3 446b696e64 49436f6e6669674d6170 01 02 01 03').bytes,
    raw('a2 446b696e64 49436f6e6669674d6170 f5 02').bytes
  ]
  const customs = [
    widget('v', { foo: 1 }),
    { ...widget('v'), foo: 1 },
    widget('v', { n: 'x' }),
    widget('v', { s: 'no', n: 0 }),
    { ...widget('v'), metadata: { name: 'v', foo: 1 } },
    widget(
      'v',
      pairs([
        ['n', 1],
        ['n', 2]
      ])
    ),
    widget('v', {
      x: pairs([
        ['n', 1],
        ['n', 2]
      ])
    })
  ]
  for (const validation of ['Strict', 'Warn', 'Ignore', 'Bad']) {
    const query = `?dryRun=All&fieldValidation=${validation}`
    for (const body of bodies) {
      yield create(`${maps}${query}`, body)
      yield apply(`${maps}/v${query}&fieldManager=m`, body)
    }
    for (const body of customs) {
      yield create(`${widgets}${query}`, body)
      yield apply(`${widgets}/v${query}&fieldManager=m`, body)
    }
  }
}

const forms = [
  'application/cbor',
  'application/cbor;stream=watch',
  'application/cbor;stream=other',
  'application/cbor-seq',
  'application/cbor, application/json',
  'application/json, application/cbor',
  'application/json;q=0.5, application/cbor;q=0.9',
  'application/*',
  'application/cbor;as=Table;g=meta.k8s.io;v=v1',
  'application/cbor;as=Table;g=meta.k8s.io;v=v1,application/cbor',
  'application/json;as=Table;g=meta.k8s.io;v=v1,application/cbor',
  'application/cbor;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/cbor;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/cbor;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1',
  'application/cbor;pretty=1',
  'application/foo'
]

function* reads() {
  // at version 0: with an old etcd, kube-apiserver cannot tell whether its cache is current
  const watching = '?watch=1&timeoutSeconds=1&resourceVersion=0'
  yield create(
    widgets,
    widget('one', { n: 3, f: 1.5, s: 'hi', l: ['ä', ''], x: { q: [1, -1, 2.5, null, true, {}, []], big: 2 ** 53 - 1 } })
  )
  yield create(
    `${core}/secrets`,
    { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: 'aGVsbG8=', b: raw('d64568656c6c6f') } },
    {}
  )
  yield create(maps, configMap('one', { data: { k: 'v' }, binaryData: { b: raw('d643ff00fe') } }), { text: false })
  for (const form of forms) {
    for (const path of [widgets, `${core}/secrets`, maps]) {
      for (const below of [
        '/one',
        '/none',
        '?fieldSelector=metadata.name=one',
        '?limit=1',
        '?labelSelector=none=none',
        '?labelSelector=)'
      ])
        yield get(path + below, form)
      yield get(`${path}${watching}&fieldSelector=metadata.name=one`, form)
    }
    for (const path of ['/api/v1', '/apis/apps/v1', '/apis/cbor.example.com/v1', '/apis/apps', '/statusz', '/flagz', '/nothing'])
      if (path !== '/api/v1' || !form.includes('cbor')) yield get(path, form)
  }
  yield get(`${maps}?watch=1&timeoutSeconds=1&resourceVersion=1&fieldSelector=metadata.name=none`)
  yield { ...get('/statusz', 'application/cbor;as=Statusz;g=config.k8s.io;v=v1beta1'), shape: true }
  for (const path of ['/version', '/api', '/apis']) yield get(path)
}

function* writes() {
  const one = `${widgets}/one`
  yield apply(`${widgets}/applied?fieldManager=m`, widget('applied', { n: 7, s: 'hi' }))
  yield apply(`${widgets}/applied?fieldManager=m`, widget('applied', { n: 8 }), {})
  yield apply(`${widgets}/applied?fieldManager=other`, widget('applied', { n: 9 }))
  yield apply(`${widgets}/applied?fieldManager=other&force=true`, widget('applied', { n: 9 }))
  yield apply(`${widgets}/applied`, widget('applied', { n: 9 }))
  yield apply(`${widgets}/applied/status?fieldManager=m`, { ...widget('applied'), status: { replicas: 3 } })
  yield apply(`${maps}/applied?fieldManager=m`, configMap('applied', { data: { a: 'b' }, binaryData: { b: raw('d643ff00fe') } }))
  yield apply(`${maps}/applied?fieldManager=m`, configMap('applied', { binaryData: { b: '/wD+' } }))
  yield cbor('PUT', one, widget('one', { n: 4 }))
  yield cbor('PUT', one, { ...widget('one', { n: 4 }), metadata: { name: 'one', resourceVersion: '1' } })
  yield cbor('PUT', `${maps}/one`, configMap('one', { data: { k: 'w' } }))
  yield cbor('PUT', `${maps}/none`, configMap('none'))
  yield cbor('PUT', `${maps}/one`, configMap('other'))
  yield cbor('PUT', `${one}/status`, { ...widget('one'), status: { replicas: 2 } })
  for (const path of [one, `${maps}/one`]) {
    yield json('PATCH', path, { metadata: { labels: { a: 'b' } } }, { 'content-type': 'application/merge-patch+json' })
    yield json('PATCH', path, [{ op: 'add', path: '/metadata/labels/c', value: 'd' }], {
      'content-type': 'application/json-patch+json'
    })
    yield json('PATCH', path, { metadata: { labels: null } }, { 'content-type': 'application/strategic-merge-patch+json' })
    yield json(
      'PATCH',
      `${path}?fieldManager=y`,
      { metadata: { labels: { e: 'f' } } },
      { 'content-type': 'application/apply-patch+yaml' }
    )
    for (const type of [
      'application/cbor',
      'application/merge-patch+cbor',
      'application/apply-patch+cbor;x=y',
      'application/foo'
    ])
      yield cbor('PATCH', `${path}?fieldManager=m`, {}, { headers: { 'content-type': type } })
    for (const type of ['application/cbor-seq', 'application/cbor;charset=utf-8', 'application/CBOR', 'application/cbor;', ''])
      yield create(dry(path.replace('/one', '')), configMap('t'), { headers: { 'content-type': type } })
  }
  const scaled = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'one', namespace: 'cbor' },
    spec: { replicas: 2 }
  }
  yield get(`${one}/scale`)
  yield cbor('PUT', `${one}/scale`, scaled)
  yield cbor('PUT', `${one}/scale`, { ...scaled, spec: { replicas: 'x' } })
  yield apply(`${one}/scale?fieldManager=m`, scaled)
  yield json('PATCH', `${one}/scale`, { spec: { replicas: 3 } }, { 'content-type': 'application/merge-patch+json' })
  yield create(`${core}/serviceaccounts`, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } })
  yield create(`${core}/serviceaccounts/robot/token`, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    spec: { audiences: ['a'], expirationSeconds: 3600 }
  })
  yield create(`${core}/serviceaccounts/robot/token`, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    spec: { audiences: 1 }
  })
  yield create(`${core}/pods/none/eviction`, { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'none' } })
  for (const body of [
    {},
    { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'x' } },
    { propagationPolicy: 'Bad' },
    { gracePeriodSeconds: 'x' },
    { foo: 1 },
    { kind: 'ConfigMap' },
    null,
    [],
    1
  ])
    for (const path of [`${maps}/one`, one]) yield cbor('DELETE', dry(path), body)
  for (const hex of ['', 'a1', 'a2616101616102', 'ff']) yield cbor('DELETE', dry(`${maps}/one`), raw(hex).bytes)
  yield cbor('DELETE', `${maps}?dryRun=All&labelSelector=none`, { kind: 'DeleteOptions', apiVersion: 'v1' })
  yield json('DELETE', `${maps}/applied`)
  yield json('DELETE', `${widgets}/applied`)
  yield { ...get(maps), headers: { accept, authorization: 'Bearer wrong' } }
  yield { ...get(maps), headers: { accept, 'impersonate-user': 'bob' } }
}

/** A list and an object of every kind, sent as JSON and as CBOR. */
function* kinds(cluster) {
  for (const resource of cluster.resources) {
    const { group, version, namespaced, verbs } = resource
    if (/^(events|nodes|componentstatuses|selfsubjectrulesreviews)$/.test(resource.resource) || group === 'cbor.example.com')
      continue
    const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const path = `${prefix}${namespaced ? '/namespaces/cbor' : ''}/${resource.resource}`
    const text = JSON.stringify(sample(resource)).replaceAll('$ID', 'sample').replaceAll('$NS', 'cbor')
    if (verbs.includes('create'))
      for (const send of [
        json('POST', dry(path), text, { 'content-type': 'application/json' }),
        create(dry(path), JSON.parse(text)),
        create(strict(path), JSON.parse(text), { text: true })
      ])
        yield send
    if (
      verbs.includes('list') &&
      !/apiservices|leases|endpoint|flowschemas|prioritylevel|clusterrole|rolebinding|roles/.test(path)
    )
      yield get(path)
  }
}

export const areas = { reads, writes, identities, validations, types, items: everyItem, kinds }
