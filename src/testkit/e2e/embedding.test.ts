/** What a program gives to the server that it embeds, one test for each option, through the public face alone. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  type AdmissionPlugin,
  type AdmissionRequest,
  type Authorizer,
  type BinnacleServer,
  type Clock,
  createServer,
  defineKind,
  FieldErrors,
  forbidden,
  invalidObject,
  type KubeObject,
  type Logger,
  openMemoryStore,
  Path,
  type ServerOptions,
  type Store,
  StoreUnavailableError,
  type TokenAuthenticator,
  TokenError,
  tooManyRequests,
  UserError,
  type Write
} from '../../index.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const silent: Logger = { error() {}, warn() {}, info() {} }
const configMaps = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data })

async function serve(t: TestContext, options: ServerOptions): Promise<BinnacleServer> {
  const server = createServer({ log: silent, ...options })
  await server.start()
  t.after(() => server.stop())
  return server
}

describe('an authenticator of one’s own', () => {
  const sessions: TokenAuthenticator = {
    async authenticateToken(token) {
      if (token === 'session-over') throw new TokenError('the session has ended')
      if (token !== 'session-alice') return undefined
      return { user: { name: 'alice', groups: ['developers'] }, warnings: ['this session ends today'] }
    }
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const whoAmI = { url: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: review }

  test('recognises its tokens', async t => {
    const server = await serve(t, { authenticators: [sessions] })
    const answer = await server.inject({ ...whoAmI, headers: bearer('session-alice') })
    assert.equal(answer.status, 201)
    const { username, groups } = answer.json().status.userInfo
    assert.deepEqual({ username, groups }, { username: 'alice', groups: ['developers', 'system:authenticated'] })
    assert.match(String(answer.headers.warning), /this session ends today/)
  })

  test('refuses tokens of its kind, and leaves others alone', async t => {
    const server = await serve(t, { authenticators: [sessions] })
    for (const token of ['session-over', 'other'])
      assert.equal((await server.inject({ ...whoAmI, headers: bearer(token) })).status, 401)
    const url = '/apis/authentication.k8s.io/v1/tokenreviews'
    const spec = { token: 'session-over' }
    const reviewed = await server.inject({ url, user: admin, body: { spec } })
    assert.match(reviewed.json().status.error, /the session has ended/)
  })
})

describe('an authorizer of one’s own', () => {
  const ownNamespace: Authorizer = {
    async authorize({ user, namespace, verb }) {
      if (namespace === '' || namespace !== user.name) return { allowed: false, reason: 'not your namespace' }
      return verb === 'delete' ? undefined : { allowed: true, reason: 'own namespace' }
    },
    rulesFor: () => ({
      resourceRules: [{ verbs: ['get', 'list'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [],
      incomplete: true,
      problems: []
    })
  }
  const alice = { name: 'alice', groups: ['system:authenticated'] }

  test('allows what no role allows, and says why it does not', async t => {
    const server = await serve(t, { authorizers: [ownNamespace] })
    const get = (url: string, method = 'GET') => server.inject({ method, url, user: alice })
    assert.equal((await get('/api/v1/namespaces/alice/pods')).status, 200)
    const refused = await get('/api/v1/namespaces/bob/pods')
    assert.equal(refused.status, 403)
    assert.match(refused.json().message, /User "alice" cannot list resource "pods".*: not your namespace/)
    assert.equal((await get('/api/v1/namespaces/alice/pods/web', 'DELETE')).status, 403)
  })

  test('answers access reviews', async t => {
    const server = await serve(t, { authorizers: [ownNamespace] })
    const ask = async (kind: string, spec: object) => {
      const url = `/apis/authorization.k8s.io/v1/${kind}`
      return (await server.inject({ url, user: alice, body: { spec } })).json().status
    }
    const resourceAttributes = { namespace: 'alice', verb: 'get', resource: 'secrets' }
    const access = await ask('selfsubjectaccessreviews', { resourceAttributes })
    assert.deepEqual(access, { allowed: true, reason: 'own namespace' })
    const { resourceRules, incomplete } = await ask('selfsubjectrulesreviews', { namespace: 'alice' })
    assert.ok(incomplete && resourceRules.some((rule: { resources?: string[] }) => rule.resources?.[0] === '*'))
  })
})

describe('an admission plugin of one’s own', () => {
  test('changes objects and refuses them, with warnings', async t => {
    const team: AdmissionPlugin = {
      name: 'Team',
      operations: ['CREATE', 'UPDATE'],
      resources: ['configmaps', 'apps/deployments'],
      async admit({ object, context }) {
        if (!object.metadata.labels?.team) context.warn(`${context.user.name}: the label team is missing`)
        object.metadata.labels = { team: 'none', ...object.metadata.labels }
      },
      validate({ resource, name, object }) {
        if (object.metadata.labels.team === 'admin') throw forbidden(resource, name, 'the team admin has no objects')
        const errors = new FieldErrors()
        if (object.data?.colour === 'red') errors.invalid(Path.of('data').key('colour'), 'red', 'must be calm')
        if (errors.any) throw invalidObject({ group: resource.group, kind: object.kind }, name, errors)
      }
    }
    const server = await serve(t, { admissionPlugins: [team] })
    const create = (body: object) => server.inject({ url: configMaps, user: admin, body })
    const created = await create(configMap('a'))
    assert.equal(created.status, 201)
    assert.deepEqual(created.json().metadata.labels, { team: 'none' })
    assert.match(String(created.headers.warning), /admin: the label team is missing/)
    const refused = await create({ metadata: { name: 'b', labels: { team: 'admin' } } })
    assert.equal(refused.status, 403)
    assert.equal(refused.json().message, 'configmaps "b" is forbidden: the team admin has no objects')
    const invalid = await create(configMap('c', { colour: 'red' }))
    assert.equal(invalid.status, 422)
    assert.equal(invalid.json().message, 'ConfigMap "c" is invalid: data[colour]: Invalid value: "red": must be calm')
    const body = { metadata: { name: 's' }, stringData: { a: 'b' } }
    const secret = await server.inject({ url: '/api/v1/namespaces/default/secrets', user: admin, body })
    assert.equal(secret.json().metadata.labels, undefined)
  })

  test('sees each operation once, with the objects before and after', async t => {
    const seen: string[] = []
    const text = (object: any) => object && `${object.apiVersion} ${object.kind} ${object.data?.n ?? ''}`.trim()
    const recorder: AdmissionPlugin = {
      name: 'Recorder',
      resources: ['configmaps'],
      validate({ operation, namespace, name, subresource, object, oldObject, context }: AdmissionRequest) {
        if (namespace !== 'default') return
        const what = [operation, `${namespace}/${name}`, subresource || '-', text(oldObject), text(object)]
        seen.push([...what, context.dryRun ? 'dry' : ''].join(' | '))
      }
    }
    const server = await serve(t, { admissionPlugins: [recorder], controllers: [] })
    await server.inject({ url: `${configMaps}?dryRun=All`, user: admin, body: configMap('a', { n: '1' }) })
    await server.inject({ url: configMaps, user: admin, body: configMap('a', { n: '1' }) })
    await server.inject({ method: 'PUT', url: `${configMaps}/a`, user: admin, body: configMap('a', { n: '2' }) })
    await server.inject({ method: 'DELETE', url: `${configMaps}/a`, user: admin })
    assert.deepEqual(seen, [
      'CREATE | default/a | - |  | v1 ConfigMap 1 | dry',
      'CREATE | default/a | - |  | v1 ConfigMap 1 | ',
      'UPDATE | default/a | - | v1 ConfigMap 1 | v1 ConfigMap 2 | ',
      'DELETE | default/a | - | v1 ConfigMap 2 |  | '
    ])
  })

  test('takes part in subresources and connections that it names', async t => {
    const seen: string[] = []
    const plugin: AdmissionPlugin = {
      name: 'Subresources',
      resources: ['pods', 'apps/deployments'],
      subresources: ['scale', 'eviction', 'exec'],
      validate({ operation, resource, subresource, object, context }) {
        seen.push(`${operation} ${resource.resource}/${subresource} ${object.kind}`)
        if (!context.dryRun) throw tooManyRequests('one at a time', 7)
      }
    }
    const server = await serve(t, { admissionPlugins: [plugin], disableAdmissionPlugins: ['ServiceAccount'] })
    const send = (method: string, url: string, body?: object) => server.inject({ method, url, user: admin, body })
    const labels = { app: 'web' }
    const pod = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    await send('POST', '/api/v1/namespaces/default/pods', { ...pod, metadata: { name: 'web' } })
    const deployment = { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template: pod } }
    const deployments = '/apis/apps/v1/namespaces/default/deployments'
    assert.equal((await send('POST', deployments, deployment)).status, 201)
    const scale = { metadata: { name: 'web' }, spec: { replicas: 3 } }
    assert.equal((await send('PUT', `${deployments}/web/scale?dryRun=All`, scale)).status, 200)
    const refused = await send('POST', '/api/v1/namespaces/default/pods/web/eviction', { metadata: { name: 'web' } })
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '7')
    assert.equal((await send('POST', '/api/v1/namespaces/default/pods/web/exec?command=ls')).status, 429)
    assert.deepEqual(seen, [
      'UPDATE deployments/scale Deployment',
      'CREATE pods/eviction Eviction',
      'CONNECT pods/exec PodExecOptions'
    ])
  })

  test('is refused at the start when it names a resource that it would never see', async () => {
    for (const resource of ['deployments', 'pods/status', 'pod']) {
      const server = createServer({ log: silent, admissionPlugins: [{ name: 'Typo', resources: [resource] }] })
      await assert.rejects(
        server.start(),
        error => error instanceof UserError && error.message.includes(`Typo: resources: ${resource}`)
      )
    }
  })

  test('takes part in custom resources and in kinds of one’s own', async t => {
    const course = defineKind<KubeObject & { spec: { seats: number } }>({
      group: 'school.example.com',
      kind: 'Course',
      resource: 'courses',
      versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }],
      validate({ spec }, errors) {
        if (spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), spec.seats, 'the room has 30 seats')
      }
    })
    const seats: AdmissionPlugin = {
      name: 'Seats',
      resources: ['school.example.com/courses'],
      admit({ object }) {
        object.spec ??= { seats: 31 }
      }
    }
    const server = await serve(t, { kinds: [course], admissionPlugins: [seats] })
    const url = '/apis/school.example.com/v1/namespaces/default/courses'
    const body = { apiVersion: 'school.example.com/v1', kind: 'Course', metadata: { name: 'maths' } }
    const refused = await server.inject({ url, user: admin, body })
    assert.equal(refused.status, 422)
    assert.match(refused.json().message, /the room has 30 seats/)
  })
})

/** A store around another one. */
const around = (inner: Store, own: Partial<Store>): Store => ({
  root: inner.root,
  shared: inner.shared,
  get seenRevision() {
    return inner.seenRevision
  },
  currentRevision: () => inner.currentRevision(),
  get: (key, options) => inner.get(key, options),
  list: (prefix, options) => inner.list(prefix, options),
  commit: (writes, caller) => inner.commit(writes, caller),
  watch: (prefix, from, watcher) => inner.watch(prefix, from, watcher),
  compact: revision => inner.compact(revision),
  health: timeout => inner.health(timeout),
  close: () => inner.close(),
  ...own
})

describe('a store of one’s own', () => {
  test('holds the objects, sees every commit, and outlives the server where it wants to', async t => {
    const inner = openMemoryStore()
    t.after(() => inner.close())
    const keys: string[] = []
    let closed = 0
    const store = around(inner, {
      async commit(writes: readonly Write[], caller) {
        await undefined
        for (const { key } of writes) keys.push(key)
        return inner.commit(writes, caller)
      },
      async close() {
        closed++
      }
    })
    const first = createServer({ log: silent, store })
    await first.start()
    assert.equal((await first.inject({ url: configMaps, user: admin, body: configMap('kept', { a: 'b' }) })).status, 201)
    await first.stop()
    assert.equal(closed, 1)
    assert.ok(keys.includes('/registry/configmaps/default/kept'))
    const second = await serve(t, { store })
    const found = await second.inject({ url: `${configMaps}/kept`, user: admin })
    assert.deepEqual(found.json().data, { a: 'b' })
  })

  test('that fails makes writes fail, and the server unhealthy', async t => {
    let broken = false
    const inner = openMemoryStore()
    const fail = () => Promise.reject(new StoreUnavailableError('the database does not answer'))
    const store = around(inner, {
      commit: (writes, caller) => (broken ? fail() : inner.commit(writes, caller)),
      health: timeout => (broken ? fail() : inner.health(timeout))
    })
    const server = await serve(t, { store, controllers: [] })
    broken = true
    const refused = await server.inject({ url: configMaps, user: admin, body: configMap('a') })
    assert.ok(refused.status >= 500, String(refused.status))
    assert.equal((await server.inject({ url: '/healthz', user: admin })).status, 500)
  })
})

test('a clock of one’s own is the server’s time', async t => {
  const now = Date.UTC(2040, 1, 29, 12, 0, 0)
  const clock: Clock = { now: () => now, setTimeout: () => ({ cancel() {} }) }
  const server = await serve(t, { clock })
  const created = await server.inject({ url: configMaps, user: admin, body: configMap('a') })
  assert.equal(created.json().metadata.creationTimestamp, '2040-02-29T12:00:00Z')
})

test('a logger of one’s own gets the server’s lines', async t => {
  const lines: string[] = []
  const log: Logger = {
    error: line => void lines.push(line),
    warn: line => void lines.push(line),
    info: line => void lines.push(line)
  }
  const broken: AdmissionPlugin = {
    name: 'Broken',
    resources: ['configmaps'],
    validate({ namespace }) {
      if (namespace === 'default') throw new Error('a bug in the plugin')
    }
  }
  const server = await serve(t, { log, admissionPlugins: [broken], controllers: [] })
  const answer = await server.inject({ url: configMaps, user: admin, body: configMap('a') })
  assert.equal(answer.status, 500)
  assert.ok(
    lines.some(line => line.includes('a bug in the plugin')),
    lines.join('\n')
  )
})
