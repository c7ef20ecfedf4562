/**
 * Random bodies, options and verbs: every request gets a valid answer, and none triggers a bug in the server. The
 * seed is printed; SEED=… repeats a run, TEST_ROUNDS=10 makes it longer.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { emitYaml } from '../../apimachinery/formats/yaml-emit.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { pick as pickFrom, random, times } from '../../testkit/random.js'
import { exactJson } from '../../util/exact-json.js'
import { isObject, type JsonObject } from '../../util/json.js'

const seed = Number(process.env.SEED ?? 1)
const rounds = times(500)
const user = { name: 'fuzz', groups: ['system:masters', 'system:authenticated'] }

const below = random(seed)
const pick = <T>(items: readonly T[]): T => pickFrom(below, items)
const oneIn = (n: number) => below(n) === 0

const container = { name: 'c', image: 'i', resources: { requests: { cpu: '1' } }, ports: [{ containerPort: 80 }] }
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
const selector = { matchLabels: { a: 'b' } }
const ports = [{ port: 80, name: 'web', protocol: 'TCP' }]
const meta = { name: 'x', labels: { l: 'v' }, annotations: { a: 'v' }, finalizers: ['e.io/f'], generation: 1 }

/** Valid objects to start from, by the path of their collection. */
const sound: Readonly<Record<string, JsonObject>> = {
  '/api/v1/namespaces/default/configmaps': { data: { k: 'v' }, binaryData: { b: 'AAAA' } },
  '/api/v1/namespaces/default/secrets': { type: 'Opaque', stringData: { k: 'v' } },
  '/api/v1/namespaces/default/services': { spec: { selector: { a: 'b' }, ports, type: 'NodePort' } },
  '/api/v1/namespaces/default/pods': {
    spec: {
      ...template.spec,
      terminationGracePeriodSeconds: 30,
      volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }],
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }]
    }
  },
  '/api/v1/namespaces/default/persistentvolumeclaims': {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  },
  '/api/v1/namespaces/default/resourcequotas': { spec: { hard: { pods: '900', 'requests.cpu': '9000' }, scopes: [] } },
  '/api/v1/namespaces/default/limitranges': { spec: { limits: [{ type: 'Container', max: { cpu: '90' }, min: {} }] } },
  '/api/v1/namespaces/default/events': { involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' }, count: 1 },
  '/api/v1/nodes': { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } },
  '/apis/apps/v1/namespaces/default/deployments': { spec: { selector, template, replicas: 1, strategy: { type: 'Recreate' } } },
  '/apis/apps/v1/namespaces/default/statefulsets': { spec: { selector, template, serviceName: 's' } },
  '/apis/batch/v1/namespaces/default/jobs': {
    spec: { completions: 1, template: { spec: { ...template.spec, restartPolicy: 'Never' } } }
  },
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers': {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 }
  },
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers': {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, behavior: { scaleDown: {} } }
  },
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses': {
    spec: {
      rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }] } }]
    }
  },
  '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims': {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', count: 1 } }] } }
  },
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas': {
    spec: { priorityLevelConfiguration: { name: 'l' }, rules: [{ subjects: [{ kind: 'User', user: { name: 'u' } }] }] }
  },
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  '/apis/coordination.k8s.io/v1/namespaces/default/leases': {
    spec: { holderIdentity: 'h', renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 5 }
  },
  '/apis/fuzz.io/v1/namespaces/default/widgets': { spec: { n: 1, list: [{ k: 'a', v: 1 }], set: [1], any: { a: [1] } } },
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': {
    spec: {
      group: 'g.io',
      scope: 'Cluster',
      names: { plural: 'xs', kind: 'X' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
    }
  }
}
const paths = Object.keys(sound)

const widgets = {
  metadata: { name: 'widgets.fuzz.io' },
  spec: {
    group: 'fuzz.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  n: { type: 'integer', minimum: 0, multipleOf: 1 },
                  list: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['k'],
                    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'number' } } }
                  },
                  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { 'x-kubernetes-int-or-string': true } },
                  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
                }
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
            }
          }
        }
      }
    ]
  }
}

const odd: readonly unknown[] = [
  null,
  '',
  'x',
  '1',
  'a b',
  '\u0000',
  'é\ud800',
  'x'.repeat(70_000),
  '-1Gi',
  '9e99',
  '2026-01-01T00:00:00Z',
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  2n ** 63n - 1n,
  -(2n ** 63n),
  1e300,
  true,
  [],
  [null],
  [[]],
  {},
  { a: null },
  { '': {} },
  { constructor: 1, toString: 'x' },
  JSON.parse('{"__proto__":{"a":1}}')
]

/** Changes one place of a document: a value, a key, or the items of a list. */
function mutate(value: unknown): unknown {
  if (oneIn(6) || (typeof value !== 'object' && value !== undefined) || value === null) return pick(odd)
  if (Array.isArray(value)) {
    if (value.length === 0 || oneIn(4)) return [...value, ...(oneIn(2) ? value : [pick(odd)])]
    const at = below(value.length)
    return value.map((v, i) => (i === at ? mutate(v) : v))
  }
  if (!isObject(value)) return pick(odd)
  const keys = Object.keys(value)
  const key = keys.length === 0 || oneIn(8) ? pick(['spec', 'metadata', 'status', 'kind', 'odd', '$patch', '']) : pick(keys)
  const copy: JsonObject = { ...value }
  if (oneIn(8)) delete copy[key]
  else Object.defineProperty(copy, key, { value: mutate(copy[key]), enumerable: true, configurable: true, writable: true })
  return copy
}

function spoil(text: string): string {
  const at = below(text.length + 1)
  return oneIn(2)
    ? text.slice(0, at)
    : text.slice(0, at) + pick(['{', '"', '\\', ',', '&a *a', '\u0000', ': -', '\n\t', '}]']) + text.slice(at)
}

const pointer = () =>
  pick(['', '/', '/spec', '/spec/-', '/metadata/labels/l', '/spec/ports/0', '/a/~2', '/metadata/finalizers/-1'])
const operation = () => ({
  op: pick(['add', 'remove', 'replace', 'test', 'move', 'copy', 'x']),
  path: pointer(),
  from: pointer(),
  value: pick(odd)
})

function options(): string {
  const given = [
    ['dryRun', ['All', '', 'x']],
    ['fieldValidation', ['Strict', 'Warn', 'Ignore', 'x']],
    ['fieldManager', ['m', '\u0001', 'x'.repeat(200)]],
    ['force', ['true', 'x']],
    ['gracePeriodSeconds', ['0', '-5', '9223372036854775807', '99999999999999999999', 'x']],
    ['propagationPolicy', ['Orphan', 'Foreground', 'x']],
    ['limit', ['1', '-1', 'x']],
    ['continue', ['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ']],
    ['resourceVersion', ['0', '1', '-1']],
    ['resourceVersionMatch', ['Exact', 'NotOlderThan', 'x']],
    ['labelSelector', ['a in (b', '!!', 'a=b,c notin (d)']],
    ['fieldSelector', ['x', 'metadata.name=x', 'spec.x=1', '\\']],
    ['pretty', ['x']]
  ] as const
  const chosen = given.filter(() => oneIn(9)).map(([name, values]) => `${name}=${encodeURIComponent(pick<string>(values))}`)
  return chosen.length > 0 ? `?${chosen.join('&')}` : ''
}

interface Attempt {
  readonly method: string
  readonly url: string
  readonly body?: Buffer
  readonly headers: Record<string, string>
}

function attempt(): Attempt {
  const path = pick(paths)
  const name = path.endsWith('definitions') ? 'xs.g.io' : pick(['x', 'y', 'widget'])
  const document = { metadata: { ...meta, name }, ...sound[path] }
  const subresource = oneIn(4) ? pick(['/status', '/scale', '/eviction', '/binding', '/token', '/approval', '/x']) : ''
  const method = pick(['POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE', 'GET'])
  const url = `${path}${method === 'POST' && !subresource ? '' : oneIn(9) ? '' : `/${name}${subresource}`}${options()}`
  const accept: Record<string, string> = oneIn(4)
    ? {
        accept: pick([
          'application/yaml',
          'application/vnd.kubernetes.protobuf',
          'application/json;as=Table;v=v1;g=meta.k8s.io',
          'x',
          '*/*'
        ])
      }
    : {}
  if (method === 'GET') return { method, url, headers: accept }
  let value: unknown = method === 'DELETE' ? { gracePeriodSeconds: 1, preconditions: { uid: 'u' } } : document
  for (let changes = below(4); changes > 0; changes--) value = mutate(value)
  let type = pick(['application/json', 'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'x/y'])
  if (method === 'PATCH') {
    type = pick([
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/json-patch+json',
      'application/apply-patch+yaml'
    ])
    if (type === 'application/json-patch+json' && !oneIn(8)) value = Array.from({ length: below(4) }, operation)
  }
  const yaml = /yaml/.test(type) && oneIn(2)
  let text = exactJson(value) ?? 'null'
  if (yaml) text = emitYaml(value)
  if (oneIn(6)) text = spoil(text)
  const body = /protobuf/.test(type) ? Buffer.concat([Buffer.from('k8s\0'), Buffer.from(text)]) : Buffer.from(text)
  return { method, url, body, headers: { ...accept, 'content-type': type } }
}

let server: BinnacleServer
const logged: string[] = []

before(async () => {
  const log = { info() {}, warn() {}, error: (text: string) => void logged.push(text) }
  server = createServer({ log: log as never })
  await server.start()
  const url = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await server.inject({ method: 'POST', url, user, body: widgets, headers: { 'content-type': 'application/json' } })
})
after(() => server.stop())

test(`no request breaks the server (seed ${seed}, ${rounds} requests)`, async () => {
  for (let i = 0; i < rounds; i++) {
    const request = attempt()
    const response = await server.inject({ ...request, user })
    const shown = () =>
      `request ${i} of seed ${seed}: ${request.method} ${request.url} ${JSON.stringify(request.headers)}\n${request.body?.toString().slice(0, 2000)}\n→ ${response.status} ${response.body.toString().slice(0, 1000)}`
    // the server logs its bugs, but not the requests that kube-apiserver itself answers with 500
    assert.deepEqual(logged, [], shown())
    if (response.status >= 500 && !request.headers.accept) assert.equal(response.json().kind, 'Status', shown())
  }
})
