/**
 * Webhooks that mutate, rename, refuse, fail and time out in sequence: configurations with several webhooks each, in front of writes of every sort to built-in
 * kinds and a custom one in two versions. What each webhook receives is compared as well.
 */
import { normal } from '../applies/sequence.mjs'
import { apply, json, merge, strategic } from '../patch-types.mjs'
import { definitions, thingDefinition } from '../thing-definition.mjs'
import { behaviours } from '../webhooks/behaviours.mjs'

export const withHooks = true

const registration = '/apis/admissionregistration.k8s.io/v1'
const group = '$RUN.webhooks.example.com'
const inNamespace = (api, plural) => `/${api}/namespaces/$ID/${plural}`
const podSpec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
const template = { metadata: { labels: { a: 'b' } }, spec: podSpec }
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }

const kinds = [
  {
    group: '',
    resource: 'configmaps',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: inNamespace('api/v1', 'configmaps'),
    fields: [{ data: { a: '1' } }, { data: { a: '2', b: '1' } }, {}]
  },
  {
    group: 'apps',
    resource: 'deployments',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: inNamespace('apis/apps/v1', 'deployments'),
    fields: [1, 2].map(replicas => ({ spec: { replicas, selector: { matchLabels: { a: 'b' } }, template } })),
    status: [{ status: { replicas: 1 } }, { status: { replicas: 2, observedGeneration: 1 } }],
    scales: true
  },
  {
    group: '',
    resource: 'pods',
    apiVersion: 'v1',
    kind: 'Pod',
    path: inNamespace('api/v1', 'pods'),
    fields: [{ spec: podSpec }],
    status: [{ status: { phase: 'Running' } }, { status: { phase: 'Failed', reason: 'r' } }]
  },
  {
    group: 'autoscaling',
    resource: 'horizontalpodautoscalers',
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    path: inNamespace('apis/autoscaling/v2', 'horizontalpodautoscalers'),
    fields: [
      { spec: { maxReplicas: 3, scaleTargetRef: target } },
      { spec: { maxReplicas: 4, minReplicas: 2, scaleTargetRef: target } }
    ]
  },
  ...['v1', 'v2'].map(version => ({
    group,
    resource: 'things',
    apiVersion: `${group}/${version}`,
    kind: 'Thing',
    path: inNamespace(`apis/${group}/${version}`, 'things'),
    fields: [{ spec: { a: '1', replicas: 1 } }, { spec: { a: { b: '1' }, b: [1] } }, { spec: {} }],
    status: [{ status: { phase: 'A' } }, { status: { phase: 'B' } }],
    scales: true
  }))
]

/** Removes the end of a generated name, which is drawn. */
const plainName = text => text.replace(/((?:-g|\bgen)-)[a-z\d]{5}\b/g, '$1')

/** What is compared of an answer, of an object in a review, and of a review itself. */
function shown(body) {
  for (const part of [body, body.metadata, body.details]) if (typeof part?.name === 'string') part.name = plainName(part.name)
  if (typeof body.message === 'string') body.message = plainName(body.message)
  for (const item of body.items ?? []) shown(item)
  return normal(body)
}

export const picks = { shown, message: ({ message }) => message }

export async function area({ random, send }) {
  const spec = { 'x-kubernetes-preserve-unknown-fields': true, properties: { d: { type: 'string', default: 'd' } } }
  await send({ path: definitions, body: thingDefinition(group, spec) })
  for (let tries = 0; tries < 50; tries++) {
    if ((await send({ path: `/apis/${group}/v2/things` })).every(({ status }) => status === 200)) break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return {
    eachResource: true,
    generate: () => sequence(random),
    cleanup: [{ method: 'DELETE', path: `${definitions}/things.${group}` }]
  }
}

function sequence(random) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  const answers = behaviours(random)
  const about = one(...kinds)
  const { path, apiVersion, kind, fields } = about
  const [, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  /** Those of mutating and validating webhooks. */
  const names = { m: [], v: [] }

  const rule = () => ({
    apiGroups: one([about.group], ['*'], [about.group, 'batch']),
    apiVersions: one(['*'], [version], ['v1'], ['v1', 'v2']),
    resources: one(
      [about.resource],
      [about.resource, `${about.resource}/*`],
      ['*/*'],
      [`${about.resource}/status`],
      ['*'],
      ['*/scale']
    ),
    operations: one(['*'], ['*'], ['CREATE'], ['UPDATE'], ['CREATE', 'UPDATE'], ['DELETE'], ['CREATE', 'DELETE'], ['CONNECT']),
    // the servers' own writes, of addresses, have no namespace
    scope: 'Namespaced'
  })
  const condition = () =>
    one(
      'request.operation != "DELETE"',
      'object == null || has(object.metadata.labels)',
      'oldObject == null',
      'object.metadata.labels["x"] == "1"',
      'object.spec.replicas > 1',
      'request.userInfo.username == "admin"',
      'request.dryRun',
      'request.name != "$ID-b"',
      'has(request.subResource) && request.subResource != ""',
      'authorizer.group("").resource("pods").namespace("$ID").check("get").allowed()'
    )
  const selectorOf = (key, values) =>
    one(
      { matchLabels: { [key]: values[0] } },
      { matchExpressions: [{ key, operator: one('In', 'NotIn'), values: [values[0]] }] },
      {
        matchExpressions: [{ key, operator: one('Exists', 'DoesNotExist') }]
      }
    )
  const place = () =>
    one('$HOOKS/$ID/', '$HOOKS/$ID/', '$HOOKS/$ID/', '$HOOKS/$ID/', '$HOOKS/$ID/', '$HOOKS/$ID/', 'https://127.0.0.1:1/')
  const client = name => ({ url: `${place()}${name}`, ...maybe(0.97, { caBundle: '$CA' }) })
  const base = {
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    // as long as a case takes that hangs
    timeoutSeconds: 1
  }
  const ownNamespace = { matchLabels: { case: '$ID' } }
  const hook = sort => {
    const name = `${sort}${names[sort].length}`
    names[sort].push(name)
    const narrowed = selectorOf('team', ['a', 'b'])
    return {
      ...base,
      name: `${name}.example.com`,
      clientConfig: client(name),
      rules: random.chance(0.8) ? [rule()] : [rule(), rule()],
      failurePolicy: one('Fail', 'Fail', 'Ignore'),
      sideEffects: one('None', 'None', 'NoneOnDryRun'),
      namespaceSelector: random.chance(0.25)
        ? {
            matchLabels: { ...ownNamespace.matchLabels, ...narrowed.matchLabels },
            matchExpressions: narrowed.matchExpressions ?? []
          }
        : ownNamespace,
      ...maybe(0.25, { objectSelector: selectorOf('x', ['1', '2']) }),
      ...maybe(0.3, { matchPolicy: one('Exact', 'Equivalent') }),
      ...maybe(0.15, { admissionReviewVersions: one(['v1beta1'], ['v1beta1', 'v1'], ['v2', 'v1']) }),
      ...maybe(0.25, {
        matchConditions: [
          { name: 'c', expression: condition() },
          ...(random.chance(0.2) ? [{ name: 'd', expression: condition() }] : [])
        ]
      }),
      ...(sort === 'm' ? { reinvocationPolicy: one('Never', 'IfNeeded', 'IfNeeded') } : {})
    }
  }

  let turn = 0
  /** Writes a configuration, and waits until it is at work: its last webhook refuses a request that no other case sends. */
  const configure = (sort, suffix, first) => {
    const name = `$ID-${suffix}`
    const plural = sort === 'm' ? 'mutatingwebhookconfigurations' : 'validatingwebhookconfigurations'
    const sign = `sign-${sort}${suffix}-${++turn}`
    const marker = {
      ...base,
      name: 'sign.example.com',
      clientConfig: { url: `$HOOKS/$ID/${sign}`, caBundle: '$CA' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
      namespaceSelector: ownNamespace,
      matchConditions: [{ name: 'sign', expression: `request.name == "sign-${sort}${suffix}"` }]
    }
    const webhooks = [...Array.from({ length: 1 + random.below(2) }, () => hook(sort)), marker]
    const body = { metadata: { name }, webhooks }
    const at = `${registration}/${plural}`
    return [
      { ...(first ? { path: at, body } : { method: 'PUT', path: `${at}/${name}`, body, over: true }), unchecked: true },
      {
        path: `${inNamespace('api/v1', 'configmaps')}?dryRun=All`,
        body: { metadata: { name: `sign-${sort}${suffix}` } },
        hooks: { [sign]: [{ response: { allowed: false, status: { message: sign } } }] },
        unseen: true,
        eventually: true,
        pick: picks.message
      }
    ]
  }
  const configurations = [['m', 'a'], ...(random.chance(0.4) ? [['m', 'b']] : []), ...(random.chance(0.7) ? [['v', 'a']] : [])]

  /** What the webhooks say to one request. Of those that validate at most one says anything: they are called side by side. */
  const script = (sort = kind) => {
    const hooks = {}
    for (const name of names.m)
      if (random.chance(0.7))
        hooks[name] = random.chance(0.3) ? [answers.mutating(sort), answers.mutating(sort)] : [answers.mutating(sort)]
    if (names.v.length > 0 && random.chance(0.25)) hooks[one(...names.v)] = [answers.validating()]
    return hooks
  }
  const objects = ['$ID-a', '$ID-b']
  const metadata = name => ({
    name,
    ...maybe(0.6, { labels: { case: '$ID', x: one('1', '2') } }),
    ...maybe(0.15, { finalizers: ['example.com/f'] })
  })
  const object = name => ({ apiVersion, kind, metadata: metadata(name), ...one(...fields) })
  const query = (...more) => {
    const chosen = [
      ...more,
      ...(random.chance(0.15) ? ['dryRun=All'] : []),
      ...(random.chance(0.15) ? [`fieldValidation=${one('Strict', 'Ignore')}`] : [])
    ]
    return chosen.length > 0 ? `?${chosen.join('&')}` : ''
  }
  const manager = () => `fieldManager=${one('one', 'two')}`
  const patch = (at, body, type, more = []) => ({
    method: 'PATCH',
    path: `${at}${query(manager(), ...more)}`,
    body,
    headers: { 'content-type': type }
  })
  const remove = name => ({
    method: 'DELETE',
    path: `${path}/${name}${query()}`,
    ...maybe(0.5, {
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        ...maybe(0.5, { gracePeriodSeconds: 0 }),
        ...maybe(0.3, { propagationPolicy: one('Orphan', 'Foreground') })
      }
    })
  })
  const create = name => ({
    path: `${path}${query(manager())}`,
    body: random.chance(0.1)
      ? { ...object(name), metadata: { ...metadata(name), name: undefined, generateName: '$ID-g-' } }
      : object(name)
  })
  const writes = name => [
    () => create(name),
    () => create(name),
    () => ({ method: 'PUT', path: `${path}/${name}${query(manager())}`, body: one(...fields), over: true }),
    () => ({ method: 'PUT', path: `${path}/${name}${query(manager())}`, body: object(name) }),
    () => patch(`${path}/${name}`, { metadata: { labels: { x: one('1', '2', null) } } }, merge),
    () => patch(`${path}/${name}`, one(...fields), merge),
    () => patch(`${path}/${name}`, [{ op: one('add', 'remove'), path: '/metadata/labels/x', value: '1' }], json),
    () => patch(`${path}/${name}`, object(name), apply),
    () => patch(`${path}/${name}`, object(name), apply, ['force=true']),
    () => remove(name),
    () => remove(name),
    () => ({ method: 'DELETE', path: `${path}${query('labelSelector=case=$ID')}` }),
    ...(kind === 'Thing' ? [] : [() => patch(`${path}/${name}`, { metadata: { annotations: { s: one('1', '2') } } }, strategic)]),
    ...(about.status
      ? [
          () => patch(`${path}/${name}/status`, one(...about.status), merge),
          () => patch(`${path}/${name}/status`, { apiVersion, kind, metadata: { name }, ...one(...about.status) }, apply),
          () => ({ method: 'PUT', path: `${path}/${name}/status${query(manager())}`, body: one(...about.status), over: true })
        ]
      : []),
    ...(about.scales
      ? [
          () => ({ ...patch(`${path}/${name}/scale`, { spec: { replicas: one(1, 2) } }, merge), hooks: script('Scale') }),
          () => ({
            method: 'PUT',
            path: `${path}/${name}/scale${query(manager())}`,
            body: { spec: { replicas: one(1, 2) } },
            over: true,
            hooks: script('Scale')
          })
        ]
      : []),
    ...(kind === 'Pod'
      ? [
          () => ({ path: `${path}/${name}/eviction`, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } } }),
          () => ({
            path: `${path}/${name}/binding`,
            body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n' } }
          }),
          () => ({ path: `${path}/${name}/${one('exec?command=a', 'attach', 'portforward', 'proxy')}` })
        ]
      : []),
    ...(kind === 'ConfigMap'
      ? [
          () => ({
            path: `${inNamespace('api/v1', 'serviceaccounts')}/default/token${query()}`,
            body: { spec: { expirationSeconds: 600 } }
          })
        ]
      : [])
  ]

  const requests = [
    {
      path: '/api/v1/namespaces',
      body: { metadata: { name: '$ID', labels: { case: '$ID', ...maybe(0.5, { team: one('a', 'b') }) } } },
      unchecked: true
    },
    { path: inNamespace('api/v1', 'serviceaccounts'), body: { metadata: { name: 'default' } }, unchecked: true },
    ...configurations.flatMap(([sort, suffix]) => configure(sort, suffix, true))
  ]
  for (let i = 5 + random.below(4); i > 0; i--) {
    const name = one(...objects)
    if (i < 5 && random.chance(0.15)) requests.push(...configure(...one(...configurations), false))
    const write = random.chance(i > 5 ? 0.8 : 0.2) ? create(name) : one(...writes(name))()
    requests.push({ hooks: script(), pick: shown, ...write })
    requests.push({ path: `${path}/${name}`, pick: shown })
  }
  return {
    requests,
    cleanup: [
      ...configurations.map(([sort, suffix]) => ({
        method: 'DELETE',
        path: `${registration}/${sort === 'm' ? 'mutating' : 'validating'}webhookconfigurations/$ID-${suffix}`
      })),
      ...objects.map(name => patch(`${path}/${name}`, { metadata: { finalizers: null } }, merge)),
      { method: 'DELETE', path },
      { method: 'DELETE', path: '/api/v1/namespaces/$ID' },
      { method: 'PUT', path: '/api/v1/namespaces/$ID/finalize', body: { metadata: { name: '$ID' }, spec: {} } }
    ]
  }
}
