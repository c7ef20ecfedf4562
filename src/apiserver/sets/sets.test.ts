/** Sets are written all or nothing. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { AdmissionPlugin } from '../../apimachinery/request/admission.js'
import { forbidden } from '../../apimachinery/status/status.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { type EtcdProcess, startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'
import { entryFields } from './entry.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const path = '/binnacle/v1/sets'

/** Refuses objects with the label refuse. */
const refuser: AdmissionPlugin = {
  name: 'Refuser',
  operations: ['CREATE', 'UPDATE'],
  validate({ resource, name, object }) {
    if (object.metadata.labels?.refuse) throw forbidden(resource, name, 'it is labelled refuse')
  }
}

const configMap = (name: string, data: Record<string, string> = {}, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...more },
  data
})
const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec }
})
const list = (...items: unknown[]) => ({ apiVersion: 'v1', kind: 'List', items })
const set = (...entries: unknown[]) => ({ apiVersion: 'binnacle.dev/v1', kind: 'Set', entries })

interface Engine {
  readonly name: string
  readonly skip?: string | undefined
  /** `again`: on what it has stored before. */
  start(again?: boolean): Promise<BinnacleServer>
  stop?(): Promise<void>
}

let directory = ''
let etcd: EtcdProcess | undefined
const started = async (options: Parameters<typeof createServer>[0]) => {
  const server = createServer({ log: silentLogger, admissionPlugins: [refuser], ...options })
  await server.start()
  return server
}
const engines: readonly Engine[] = [
  { name: 'memory', start: () => started({}) },
  {
    name: 'LMDB',
    async start(again) {
      if (!again) directory = await mkdtemp(join(tmpdir(), 'binnacle-sets-'))
      return started({ dataDir: directory })
    },
    stop: () => rm(directory, { recursive: true })
  },
  {
    name: 'etcd',
    skip: withoutEtcd,
    async start(again) {
      if (!again) etcd = await startEtcd()
      return started({ storageBackend: 'etcd3', etcdServers: [etcd!.url] })
    },
    stop: async () => void (await etcd?.remove())
  }
]

for (const engine of engines) {
  describe(`sets: ${engine.name}`, { skip: engine.skip ?? false }, () => {
    let server: BinnacleServer
    before(async () => {
      server = await engine.start()
    })
    after(async () => {
      await server.stop()
      await engine.stop?.()
    })
    const ask = async (method: string, url: string, body?: unknown, as: any = user) => {
      const answer = await server.inject({ method, url, user: as, ...(body === undefined ? {} : { body }) })
      return { status: answer.status, body: answer.json(), headers: answer.headers }
    }
    const apply = (body: unknown, query = '', as?: any) => ask('POST', `${path}?fieldManager=me${query}`, body, as)
    const get = (name: string, resource = 'configmaps') => ask('GET', `/api/v1/namespaces/default/${resource}/${name}`)

    test('all objects have one resourceVersion, and a watcher sees them side by side', async () => {
      const { metadata } = (await ask('GET', '/api/v1/configmaps')).body
      const noise = Promise.all(
        Array.from({ length: 20 }, (_, i) => ask('POST', '/api/v1/namespaces/default/configmaps', configMap(`noise-${i}`)))
      )
      const answer = await apply(list(...Array.from({ length: 30 }, (_, i) => configMap(`a-${i}`, { i: String(i) }))))
      await noise
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.equal(answer.body.kind, 'SetResult')
      const versions = new Set(answer.body.items.map((item: any) => item.object.metadata.resourceVersion))
      assert.deepEqual([...versions], [answer.body.metadata.resourceVersion])
      assert.deepEqual(new Set(answer.body.items.map((item: any) => item.result)), new Set(['created']))
      assert.equal(answer.body.items[3].object.metadata.managedFields[0].operation, 'Apply')
      const watched = await server.inject({
        url: `/api/v1/configmaps?watch=true&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`,
        user
      })
      const events = watched.body
        .toString()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).object.metadata)
      const ours = events.flatMap(({ name }, i) => (name.startsWith('a-') ? [i] : []))
      assert.equal(ours.length, 30)
      assert.equal(ours.at(-1)! - ours[0]!, 29)
      assert.equal((await get('a-7')).body.metadata.resourceVersion, answer.body.metadata.resourceVersion)
    })

    /** Returns the names that a watch from a version on shows within a second. */
    const namesFrom = async (version: string | number, url = '/api/v1/configmaps', query = '') => {
      const watched = await server.inject({ url: `${url}?watch=true&timeoutSeconds=1&resourceVersion=${version}${query}`, user })
      const lines = watched.body.toString().split('\n').filter(Boolean)
      return lines.map(line => JSON.parse(line)).map(({ type, object }) => `${type} ${object.metadata?.name ?? object.message}`)
    }
    const inPublic = { ...configMap('j-2'), metadata: { name: 'j-2', namespace: 'kube-public' } }

    test('a watch from the version of a set on has all of it again, since a client may have seen a part', async () => {
      await ask('POST', '/api/v1/namespaces/default/configmaps', configMap('j-old'))
      const labels = { app: 'j' }
      const { body } = await apply(
        set(...[configMap('j-0', {}, { labels }), configMap('j-1', {}, { labels }), inPublic].map(object => ({ object })), {
          operation: 'delete',
          object: configMap('j-old')
        })
      )
      const { resourceVersion } = body.metadata
      const later = await ask('POST', '/api/v1/namespaces/default/configmaps', configMap('j-later'))
      const afterwards = ['ADDED j-later']
      const all = ['ADDED j-0', 'ADDED j-1', 'ADDED j-2', 'DELETED j-old']
      assert.deepEqual(
        await Promise.all([
          namesFrom(resourceVersion),
          namesFrom(resourceVersion, '/api/v1/namespaces/default/configmaps'),
          namesFrom(resourceVersion, undefined, '&labelSelector=app'),
          // these have seen all that they select, and so has who has seen a single write
          namesFrom(resourceVersion, '/api/v1/namespaces/kube-public/configmaps'),
          namesFrom(resourceVersion, undefined, '&fieldSelector=metadata.name%3Dj-0'),
          namesFrom(later.body.metadata.resourceVersion)
        ]),
        [[...all, ...afterwards], [...all.filter(line => line !== 'ADDED j-2'), ...afterwards], all.slice(0, 2), [], [], []]
      )
    })

    test('so has a watch that began before this server had seen the set', async () => {
      for (;;) {
        const next = Number((await ask('GET', '/api/v1/configmaps')).body.metadata.resourceVersion) + 1
        const watches = Promise.all([namesFrom(next), namesFrom(next, '/api/v1/namespaces/kube-public/configmaps')])
        const { body } = await apply(
          list(configMap('k-0', { next: String(next) }), configMap('k-1', { next: String(next) }), inPublic)
        )
        const shown = await watches
        // another write came first
        if (body.metadata.resourceVersion !== String(next)) continue
        assert.deepEqual(
          shown.map(names => names.map(name => name.split(' ')[1])),
          [['k-0', 'k-1'], []]
        )
        return
      }
    })

    test('applied again, nothing changes; where one changes, the others keep their version', async () => {
      const objects = [configMap('b-0', { a: '1' }), configMap('b-1', { a: '1' })]
      const first = (await apply(list(...objects))).body
      const again = (await apply(list(...objects))).body
      assert.deepEqual(
        again.items.map((item: any) => [item.result, item.object.metadata.resourceVersion]),
        [
          ['unchanged', first.metadata.resourceVersion],
          ['unchanged', first.metadata.resourceVersion]
        ]
      )
      assert.equal(again.metadata.resourceVersion, undefined)
      const third = (await apply(list(objects[0], configMap('b-1', { a: '2' })))).body
      assert.deepEqual(
        third.items.map((item: any) => [item.result, item.object.metadata.resourceVersion]),
        [
          ['unchanged', first.metadata.resourceVersion],
          ['configured', third.metadata.resourceVersion]
        ]
      )
    })

    test('every object that is refused is named, in the words of its own request, and nothing is written', async () => {
      await ask('PATCH', '/api/v1/namespaces/default/configmaps/owned?fieldManager=other', undefined)
      await apply(list(configMap('owned', { a: 'theirs' })))
      const theirs = await server.inject({
        method: 'PATCH',
        url: '/api/v1/namespaces/default/configmaps/owned?fieldManager=other&force=true',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: configMap('owned', { a: 'other' }),
        user
      })
      assert.equal(theirs.status, 200)
      const answer = await apply(
        list(
          configMap('c-0', { a: '1' }),
          configMap('owned', { a: 'mine' }),
          configMap('C_1'),
          configMap('c-2', {}, { labels: { refuse: 'yes' } }),
          { ...configMap('c-3'), metadata: { name: 'c-3', namespace: 'nowhere' } },
          service('c-4')
        )
      )
      assert.equal(answer.status, 409)
      assert.equal(answer.body.reason, 'Conflict')
      const causes = answer.body.details.causes
      assert.deepEqual(
        causes.map(({ field, reason }: any) => [field, reason]),
        [
          ['items[1]', 'Conflict'],
          ['items[1].data.a', 'FieldManagerConflict'],
          ['items[2]', 'Invalid'],
          ['items[2].metadata.name', 'FieldValueInvalid'],
          ['items[3]', 'Forbidden'],
          ['items[4]', 'NotFound']
        ]
      )
      assert.equal(causes[0].message, 'Apply failed with 1 conflict: conflict with "other": .data.a')
      assert.equal(causes[4].message, 'configmaps "c-2" is forbidden: it is labelled refuse')
      assert.equal(causes[5].message, 'namespaces "nowhere" not found')
      assert.equal((await get('c-0')).status, 404)
      assert.equal((await get('c-4', 'services')).status, 404)
      assert.equal((await get('owned')).body.data.a, 'other')
      assert.equal((await apply(list(configMap('owned', { a: 'mine' })), '&force=true')).status, 200)
    })

    test('addresses and ports of Services are given back when the set fails', async () => {
      const wanted = { clusterIP: '10.0.0.99', ports: [{ port: 80, nodePort: 30099 }] }
      const failed = await apply(list(service('d-0', wanted), configMap('d-1', {}, { labels: { refuse: 'yes' } })))
      assert.equal(failed.status, 403)
      assert.equal((await ask('GET', '/apis/networking.k8s.io/v1/ipaddresses/10.0.0.99')).status, 404)
      const good = await apply(list(service('d-2', wanted), service('d-3')))
      assert.equal(good.status, 200, JSON.stringify(good.body))
      assert.equal((await ask('GET', '/apis/networking.k8s.io/v1/ipaddresses/10.0.0.99')).status, 200)
      const ports = good.body.items.map((item: any) => item.object.spec.ports[0].nodePort)
      // on a shared store both are in the allocation, and nobody else gets them
      for (const nodePort of ports) {
        const taken = await ask(
          'POST',
          '/api/v1/namespaces/default/services',
          service('d-4', { ports: [{ port: 80, nodePort }] })
        )
        assert.equal(taken.status, 422)
        assert.match(taken.body.message, /provided port is already allocated/)
      }
    })

    test('an object sees those before it: a namespace, and its labels', async () => {
      const namespace = {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'fresh', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }
      }
      const inside = { ...configMap('e-0'), metadata: { name: 'e-0', namespace: 'fresh' } }
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'web', namespace: 'fresh' } }
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'fresh' },
        spec: { serviceAccountName: 'web', containers: [{ name: 'web', image: 'nginx' }] }
      }
      const early = await apply(list(inside, namespace))
      assert.equal(early.status, 404)
      const insecure = await apply(list(namespace, account, pod))
      assert.equal(insecure.status, 403)
      assert.match(insecure.body.details.causes[0].message, /violates PodSecurity "restricted:latest"/)
      assert.equal((await ask('GET', '/api/v1/namespaces/fresh')).status, 404)
      const { labels: _, ...metadata } = namespace.metadata
      const good = await apply(list({ ...namespace, metadata }, inside, account, pod))
      assert.equal(good.status, 200, JSON.stringify(good.body))
      assert.equal(new Set(good.body.items.map((item: any) => item.object.metadata.resourceVersion)).size, 1)
    })

    test('a quota counts all objects of the set, in a dry run, too, and none of a set that fails', async () => {
      const quotas = '/api/v1/namespaces/default/resourcequotas'
      const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard: { secrets: '2' } } }
      await ask('POST', quotas, quota)
      const used = async () => (await ask('GET', `${quotas}/few`)).body.status?.used?.secrets
      await eventually('the quota has counted', used, count => count !== undefined)
      const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' } })
      for (const query of ['', '&dryRun=All']) {
        const many = await apply(list(secret('s-0'), secret('s-1'), secret('s-2')), query)
        assert.equal(many.status, 403)
        assert.match(
          many.body.details.causes[0].message,
          /exceeded quota: few, requested: secrets=1, used: secrets=2, limited: secrets=2/
        )
        assert.equal(many.body.details.causes[0].field, 'items[2]')
      }
      assert.equal(await used(), '0')
      assert.equal((await apply(list(secret('s-0'), secret('s-1')), '&dryRun=All')).status, 200)
      assert.equal(await used(), '0')
      const good = await apply(list(secret('s-0'), secret('s-1')))
      assert.equal(good.status, 200, JSON.stringify(good.body))
      assert.equal(await used(), '2')
      await ask('DELETE', `${quotas}/few`)
    })

    test('a dry run writes nothing', async () => {
      const dry = await apply(list(configMap('f-0'), service('f-1')), '&dryRun=All')
      assert.equal(dry.status, 200)
      assert.deepEqual(
        dry.body.items.map((item: any) => item.result),
        ['created', 'created']
      )
      assert.equal(dry.body.metadata.resourceVersion, undefined)
      assert.equal((await get('f-0')).status, 404)
      const wrong = await apply(list(configMap('f-0'), configMap('f-2', {}, { labels: { refuse: 'yes' } })), '&dryRun=All')
      assert.equal(wrong.status, 403)
    })

    test('creates, updates, patches and deletes in one set', async () => {
      await apply(list(configMap('g-0', { a: '1' }), configMap('g-1', { a: '1' }), configMap('g-2'), configMap('g-3')))
      const { body: old } = await get('g-0')
      const entries = (resourceVersion: string) =>
        set(
          { operation: 'create', object: { ...configMap(''), metadata: { generateName: 'g-new-', namespace: 'default' } } },
          { operation: 'update', object: configMap('g-0', { a: '2' }, { resourceVersion }) },
          { operation: 'patch', object: configMap('g-1'), patch: { data: { b: '2' } } },
          { operation: 'delete', object: configMap('g-2') },
          { operation: 'delete', object: configMap('g-3'), options: { propagationPolicy: 'Foreground' } }
        )
      const stale = await apply(entries('1'))
      assert.equal(stale.status, 409)
      assert.match(stale.body.details.causes[0].message, /the object has been modified/)
      assert.equal((await get('g-2')).status, 200)
      const good = await apply(entries(old.metadata.resourceVersion))
      assert.equal(good.status, 200, JSON.stringify(good.body))
      assert.deepEqual(
        good.body.items.map((item: any) => item.result),
        ['created', 'configured', 'configured', 'deleted', 'deleting']
      )
      assert.match(good.body.items[0].object.metadata.name, /^g-new-/)
      assert.deepEqual((await get('g-1')).body.data, { a: '1', b: '2' })
      assert.equal((await get('g-2')).status, 404)
    })

    test('sets that race with each other and with single writes lose nothing', async () => {
      await apply(list(configMap('h-0', { start: '' }), configMap('h-1', { start: '' })))
      const patch = (data: object) => ({ data })
      const sets = Array.from({ length: 8 }, (_, i) =>
        apply(
          set(
            ...['h-0', 'h-1'].map(name => ({ operation: 'patch', object: configMap(name), patch: patch({ [`set-${i}`]: 'x' }) }))
          )
        )
      )
      const singles = Array.from({ length: 8 }, (_, i) =>
        server.inject({
          method: 'PATCH',
          url: '/api/v1/namespaces/default/configmaps/h-1',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: patch({ [`single-${i}`]: 'x' }),
          user
        })
      )
      const answers = await Promise.all([...sets, ...singles])
      const good = answers.slice(0, 8).flatMap(({ status }, i) => (status === 200 ? [`set-${i}`] : []))
      assert.ok(good.length > 0)
      for (const { status } of answers.slice(0, 8)) assert.ok(status === 200 || status === 409)
      assert.deepEqual(Object.keys((await get('h-0')).body.data).sort(), [...good, 'start'].sort())
      assert.deepEqual(
        Object.keys((await get('h-1')).body.data).sort(),
        [...good, ...singles.map((_, i) => `single-${i}`), 'start'].sort()
      )
    })

    if (engine.name === 'etcd')
      test('a set that etcd cannot take in one transaction is refused with its limit', async () => {
        const answer = await apply(list(...Array.from({ length: 129 }, (_, i) => configMap(`many-${i}`))))
        assert.equal(answer.status, 413)
        assert.match(answer.body.message, /the set needs 129 writes of .*--max-txn-ops, 128 by default/)
        assert.equal((await get('many-0')).status, 404)
        const most = await apply(list(...Array.from({ length: 128 }, (_, i) => configMap(`many-${i}`))))
        assert.equal(most.status, 200, JSON.stringify(most.body))
      })

    if (engine.name !== 'memory')
      test('a watch goes on from a set after a new start, too', async () => {
        const { body } = await apply(list(configMap('l-0'), configMap('l-1')))
        await server.stop()
        server = await engine.start(true)
        assert.deepEqual((await namesFrom(body.metadata.resourceVersion)).slice(0, 2), ['ADDED l-0', 'ADDED l-1'])
      })

    test('each object needs its own permission', async () => {
      const rbac = 'rbac.authorization.k8s.io/v1'
      const role = (name: string, rules: unknown[], kind: string, metadata: object) => ({
        apiVersion: rbac,
        kind,
        metadata: { name, ...metadata },
        rules
      })
      const subjects = [{ kind: 'User', name: 'sam', apiGroup: 'rbac.authorization.k8s.io' }]
      const bind = (kind: string, name: string, metadata: object) => ({
        apiVersion: rbac,
        kind: `${kind}Binding`,
        metadata: { name, ...metadata },
        subjects,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name }
      })
      const sam = { name: 'sam', groups: ['system:authenticated'] }
      const objects = list(configMap('i-0'), { ...configMap('i-1'), kind: 'Secret', data: {} })
      const door = await apply(objects, '', sam)
      assert.equal(door.status, 403)
      assert.match(door.body.message, /cannot post path/)
      const inDefault = { namespace: 'default' }
      const setUp = await apply(
        list(
          role('sets', [{ verbs: ['post'], nonResourceURLs: [path] }], 'ClusterRole', {}),
          bind('ClusterRole', 'sets', {}),
          role('writer', [{ verbs: ['create', 'patch'], apiGroups: [''], resources: ['configmaps'] }], 'Role', inDefault),
          bind('Role', 'writer', inDefault)
        )
      )
      assert.equal(setUp.status, 200, JSON.stringify(setUp.body))
      const half = await apply(objects, '', sam)
      assert.equal(half.status, 403)
      assert.deepEqual(
        half.body.details.causes.map(({ field, message }: any) => [field, message]),
        [
          [
            'items[1]',
            'secrets "i-1" is forbidden: User "sam" cannot patch resource "secrets" in API group "" in the namespace "default"'
          ]
        ]
      )
      assert.equal((await get('i-0')).status, 404)
      assert.equal((await apply(list(configMap('i-0')), '', sam)).status, 200)
    })
  })
}

describe('sets that cannot be', () => {
  let server: BinnacleServer
  before(async () => {
    server = await started({})
  })
  after(() => server.stop())
  const apply = async (body: unknown, headers: Record<string, string> = {}, query = '') => {
    const answer = await server.inject({ method: 'POST', url: `${path}?fieldManager=me${query}`, user, body, headers })
    return { status: answer.status, body: answer.json() }
  }
  const cases: readonly [string, unknown, number, RegExp][] = [
    ['no list', { kind: 'ConfigMap', apiVersion: 'v1' }, 400, /must be a List of objects/],
    ['no items', list(), 400, /must be a list that is not empty/],
    [
      'an unknown operation',
      set({ operation: 'replace', object: configMap('a') }),
      400,
      /entries\[0\]\.operation: must be one of/
    ],
    ['an unknown field', set({ objekt: configMap('a') }), 400, /entries\[0\]\.objekt: unknown field; did you mean object\?/],
    ['too many', list(...Array.from({ length: 1001 }, (_, i) => configMap(`a-${i}`))), 400, /at most 1000 objects/],
    ['one object twice', list(configMap('a'), configMap('b'), configMap('a')), 400, /it stands at items\[0\], too/],
    [
      'no namespace',
      list({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
      400,
      /metadata\.namespace is required/
    ],
    [
      'an unknown kind',
      list({ apiVersion: 'x/v1', kind: 'Y', metadata: { name: 'a' } }),
      404,
      /no matches for kind "Y" in version "x\/v1"/
    ]
  ]
  for (const [name, body, status, message] of cases) {
    test(name, async () => {
      const answer = await apply(body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.match(answer.body.message, message)
    })
  }

  test('a definition with its objects', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'courses.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'courses', kind: 'Course' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
      }
    }
    const course = { apiVersion: 'example.com/v1', kind: 'Course', metadata: { name: 'a', namespace: 'default' } }
    const answer = await apply(list(definition, course))
    assert.equal(answer.status, 404)
    assert.match(answer.body.message, /the set has its CustomResourceDefinition/)
  })

  test('a store that fails leaves nothing behind, and gives addresses back', async () => {
    const objects = list(configMap('x-0'), service('x-1', { clusterIP: '10.0.0.77' }))
    const fault = server.faults.add({ storage: 'noQuorum', times: 1 })
    const failed = await apply(objects)
    fault.remove()
    assert.equal(failed.status, 500)
    assert.match(failed.body.message, /request timed out/)
    assert.equal((await server.inject({ url: '/api/v1/namespaces/default/configmaps/x-0', user })).status, 404)
    assert.equal((await apply(objects)).status, 200)
  })

  test('the list of paths is that of kube-apiserver', async () => {
    const { paths } = (await server.inject({ url: '/', user })).json()
    assert.ok(paths.includes('/version') && !paths.some((one: string) => one.startsWith('/binnacle')))
    const { paths: documents } = (await server.inject({ url: '/openapi/v3', user })).json()
    assert.ok(!Object.keys(documents).some(one => one.startsWith('binnacle')))
  })

  test('an OpenAPI document describes them', async () => {
    const url = '/binnacle/v1/openapi.json'
    const document = (await server.inject({ url, user })).json()
    const { schemas } = document.components
    const { post } = document.paths[path]
    for (const [, name] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) assert.ok(schemas[name!], name)
    assert.deepEqual(Object.keys(schemas.SetEntry.properties).sort(), [...entryFields].sort())
    assert.equal(schemas.Set.properties.entries.maxItems, 1000)
    assert.deepEqual(Object.keys(post.requestBody.content), ['application/json', 'application/yaml'])
    const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force', 'namespace']
    assert.deepEqual(
      post.parameters.map(({ name }: { name: string }) => name),
      parameters
    )
    const answer = (await apply(set({ object: configMap('described') }))).body
    assert.deepEqual(Object.keys(answer).sort(), Object.keys(schemas.SetResult.properties).sort())
    const item = schemas.SetResult.properties.items.items.$ref.split('/').at(-1)
    for (const name of Object.keys(answer.items[0])) assert.ok(schemas[item].properties[name], name)
    assert.equal((await server.inject({ url, user, method: 'POST' })).status, 405)
    assert.equal((await server.inject({ url, user: { name: 'nobody', groups: [] } })).status, 403)
  })

  test('their objects are counted, with their own answers', async () => {
    const counts = async () => {
      const text = (await server.inject({ url: '/metrics', user })).body.toString()
      const lines = [...text.matchAll(/^binnacle_set_objects_total\{(.*)\} (\d+)$/gm)]
      return new Map(lines.map(([, labels, count]) => [labels!.replaceAll('"', ''), Number(count)]))
    }
    const before = await counts()
    await apply(
      set(
        { object: configMap('counted-0') },
        { operation: 'create', object: configMap('counted-1') },
        { operation: 'create', object: service('counted-2') }
      )
    )
    await apply(set({ operation: 'delete', object: configMap('counted-0') }), {}, '&dryRun=All')
    await apply(set({ object: configMap('counted-0') }, { operation: 'delete', object: configMap('none') }))
    const after = await counts()
    const labels = (verb: string, dryRun: string, resource: string, code: number) =>
      `code=${code},dry_run=${dryRun},group=,resource=${resource},subresource=,verb=${verb},version=v1`
    const counted = Object.fromEntries(
      [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]).filter(([, n]) => n)
    )
    assert.deepEqual(counted, {
      [labels('APPLY', '', 'configmaps', 201)]: 1,
      [labels('POST', '', 'configmaps', 201)]: 1,
      [labels('POST', '', 'services', 201)]: 1,
      [labels('DELETE', 'All', 'configmaps', 200)]: 1,
      [labels('APPLY', '', 'configmaps', 424)]: 1,
      [labels('DELETE', '', 'configmaps', 404)]: 1
    })
  })

  test('YAML is a body, too, and another method is not allowed', async () => {
    const text =
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: yam, namespace: default}\n'
    assert.equal((await apply(text, { 'content-type': 'application/yaml' })).status, 200)
    assert.equal((await server.inject({ url: path, user })).status, 405)
  })
})
