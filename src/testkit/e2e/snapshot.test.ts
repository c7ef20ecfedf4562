import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { silentLogger } from '../../util/logger.js'
import { nextTurn } from '../../util/turns.js'
import { FakeClock } from '../fake-clock.js'

const user = { name: 'me', groups: ['system:masters'] }
const configMaps = '/api/v1/namespaces/default/configmaps'

const ask = async (server: BinnacleServer, url: string, method = 'GET', body?: unknown) => {
  const { status, json } = await server.inject({ method, url, body, user, ...(body ? jsonHeaders : {}) })
  return { ...json(), answered: status }
}
const jsonHeaders = { headers: { 'content-type': 'application/json' } }
const put = async (server: BinnacleServer, name: string, value: string) => {
  const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { value } }
  const { answered } = await ask(server, `${configMaps}/${name}`, 'PUT', body)
  if (answered === 404) assert.equal((await ask(server, configMaps, 'POST', body)).answered, 201)
  else assert.equal(answered, 200)
}
const values = async (server: BinnacleServer, query = '') =>
  Object.fromEntries(
    (await ask(server, `${configMaps}?${query}`)).items
      .filter((item: any) => item.metadata.name !== 'kube-root-ca.crt')
      .map((item: any) => [item.metadata.name, item.data.value])
  )
const revision = async (server: BinnacleServer) => Number((await ask(server, configMaps)).metadata.resourceVersion)

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'courses.school.example.com' },
  spec: {
    group: 'school.example.com',
    scope: 'Cluster',
    names: { plural: 'courses', kind: 'Course' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { seats: { type: 'integer', default: 30 } } } }
      }
    ]
  }
}
const courses = '/apis/school.example.com/v1/courses'

const start = async (t: TestContext, options: ServerOptions = {}) => {
  const server = createServer({ log: silentLogger, listen: false, ...options })
  t.after(() => server.stop())
  await server.start()
  return server
}

for (const engine of ['memory', 'lmdb'] as const) {
  describe(`snapshots on ${engine}`, () => {
    const open = async (t: TestContext, options: ServerOptions = {}): Promise<BinnacleServer> => {
      if (engine === 'memory') return start(t, options)
      let server: BinnacleServer | undefined
      const dataDir = await freshDirectory(t, async () => server?.stop())
      server = await start(t, { ...options, dataDir })
      return server
    }

    test('a restored server forgets the tokens that it has seen', async t => {
      const clock = new FakeClock()
      const server = await open(t, { clock })
      const snapshot = await server.snapshot()
      const accounts = '/api/v1/namespaces/default/serviceaccounts'
      assert.equal((await ask(server, accounts, 'POST', { metadata: { name: 'later' } })).answered, 201)
      const { status } = await ask(server, `${accounts}/later/token`, 'POST', { spec: {} })
      const headers = { authorization: `Bearer ${status.token}` }
      const answered = async () => (await server.inject({ url: '/version', headers })).status
      assert.equal(await answered(), 200)
      await ask(server, `${accounts}/later`, 'DELETE')
      assert.equal(await answered(), 200)
      clock.advance(10_000)
      assert.equal(await answered(), 401)
      assert.equal((await ask(server, accounts, 'POST', { metadata: { name: 'again' } })).answered, 201)
      const other = await ask(server, `${accounts}/again/token`, 'POST', { spec: {} })
      headers.authorization = `Bearer ${other.status.token}`
      assert.equal(await answered(), 200)
      await server.restore(snapshot)
      assert.equal(await answered(), 401)
      await snapshot.dispose()
    })

    test('a fork goes on from where the server is, and both change apart', async t => {
      const server = await open(t)
      await put(server, 'a', 'one')
      const then = await revision(server)
      await put(server, 'a', 'two')
      const fork = await server.fork()
      t.after(() => fork.stop())
      assert.equal(await revision(fork), await revision(server))
      await put(server, 'a', 'server')
      await put(fork, 'a', 'fork')
      await put(fork, 'b', 'fork')
      assert.deepEqual(await values(server), { a: 'server' })
      assert.deepEqual(await values(fork), { a: 'fork', b: 'fork' })
      const past = `resourceVersion=${then}&resourceVersionMatch=Exact`
      assert.deepEqual(await values(fork, past), { a: 'one' })
      const watched = await fork.inject({ url: `${configMaps}?watch=1&resourceVersion=${then}&timeoutSeconds=1`, user })
      const events = watched.body
        .toString()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
        .filter(({ object }) => object.metadata.name !== 'kube-root-ca.crt')
      assert.deepEqual(
        events.map(({ type, object }) => `${type} ${object.metadata.name} ${object.data.value}`),
        ['MODIFIED a two', 'MODIFIED a fork', 'ADDED b fork']
      )
    })

    test('a fork has the custom resources, the addresses in use and the tokens of the server', async t => {
      const server = await open(t)
      assert.equal(
        (await ask(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'POST', definition)).answered,
        201
      )
      while ((await server.inject({ url: courses, user })).status !== 200) await nextTurn()
      assert.equal((await ask(server, courses, 'POST', { ...course('a'), seats: 3 })).answered, 201)
      const service = (name: string, clusterIP?: string) => ({
        kind: 'Service',
        apiVersion: 'v1',
        metadata: { name },
        spec: { clusterIP, ports: [{ port: 80 }] }
      })
      const { spec } = await ask(server, '/api/v1/namespaces/default/services', 'POST', service('one'))
      const { status } = await ask(server, '/api/v1/namespaces/default/serviceaccounts/default/token', 'POST', {})
      const fork = await server.fork()
      t.after(() => fork.stop())
      assert.deepEqual(
        (await ask(fork, courses)).items.map((item: any) => item.seats),
        [3]
      )
      assert.equal((await ask(fork, courses, 'POST', course('b'))).seats, 30)
      assert.equal((await ask(fork, courses, 'POST', { ...course('c'), seats: 'many' })).answered, 422)
      const refused = await ask(fork, '/api/v1/namespaces/default/services', 'POST', service('two', spec.clusterIP))
      assert.match(refused.message, /provided IP is already allocated/)
      const me = await fork.inject({
        url: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: { authorization: `Bearer ${status.token}` },
        body: { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
      })
      assert.equal(me.json().status.userInfo.username, 'system:serviceaccount:default:default')
    })

    test('a fork has no object of every server that the server has no longer', async t => {
      const server = await open(t)
      const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/view'
      assert.equal((await ask(server, role, 'DELETE')).answered, 200)
      const fork = await server.fork()
      t.after(() => fork.stop())
      assert.equal((await ask(fork, role)).answered, 404)
    })

    test('a server goes back to a snapshot, watches end with 410, and resource versions repeat', async t => {
      const server = await open(t)
      await put(server, 'a', 'one')
      const snapshot = await server.snapshot()
      t.after(() => snapshot.dispose())
      const changed = async () => {
        await put(server, 'a', 'two')
        await put(server, 'b', 'two')
        return revision(server)
      }
      const watching = server.inject({ url: `${configMaps}?watch=1&timeoutSeconds=100`, user })
      const first = await changed()
      await server.restore(snapshot)
      const last = (await watching).body.toString().trim().split('\n').at(-1)!
      assert.equal(JSON.parse(last).type, 'ERROR')
      assert.equal(JSON.parse(last).object.code, 410)
      assert.deepEqual(await values(server), { a: 'one' })
      assert.equal(await changed(), first)
      await server.restore(snapshot)
      assert.deepEqual(await values(server), { a: 'one' })
    })

    test('a restored server has forgotten definitions, roles, addresses and tokens that came later, and has the others', async t => {
      const server = await open(t)
      const made = async (url: string, body: object) => {
        const answer = await ask(server, url, 'POST', body)
        assert.equal(answer.answered, 201, JSON.stringify(answer))
        return answer
      }
      const service = (name: string, clusterIP?: string, nodePort?: number) =>
        made('/api/v1/namespaces/default/services', {
          metadata: { name },
          spec: { type: 'NodePort', clusterIP, ports: [{ port: 80, nodePort }] }
        })
      const account = (name: string) => made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name } })
      const tokenOf = async (name: string): Promise<string> =>
        (await made(`/api/v1/namespaces/default/serviceaccounts/${name}/token`, {})).status.token
      const statusWith = async (token: string) =>
        (await server.inject({ url: configMaps, headers: { authorization: `Bearer ${token}` } })).status
      const define = async () => {
        await made('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
        while ((await server.inject({ url: courses, user })).status !== 200) await nextTurn()
      }
      const bind = (name: string) =>
        made('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ kind: 'ServiceAccount', namespace: 'default', name }]
        })
      await account('early')
      await bind('early')
      const early = await tokenOf('early')
      const { spec: taken } = await service('early')
      const snapshot = await server.snapshot()
      await define()
      await account('late')
      await bind('late')
      const late = await tokenOf('late')
      const { spec: freed } = await service('late')
      assert.deepEqual([await statusWith(early), await statusWith(late)], [200, 200])

      await server.restore(snapshot)
      assert.deepEqual([await statusWith(early), await statusWith(late)], [200, 401])
      assert.equal((await server.inject({ url: '/apis/school.example.com/v1', user })).status, 404)
      assert.equal((await server.inject({ url: courses, user })).status, 404)
      await account('late')
      assert.equal(await statusWith(await tokenOf('late')), 403)
      await service('again', freed.clusterIP, freed.ports[0].nodePort)
      const other = await ask(server, '/api/v1/namespaces/default/services', 'POST', {
        metadata: { name: 'other' },
        spec: { clusterIP: taken.clusterIP, ports: [{ port: 80 }] }
      })
      assert.match(other.message, /provided IP is already allocated/)
      await define()
      await made(courses, { ...course('a'), seats: 3 })

      const defined = await server.snapshot()
      await ask(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/courses.school.example.com', 'DELETE')
      while ((await server.inject({ url: courses, user })).status !== 404) await nextTurn()
      await server.restore(defined)
      assert.deepEqual(
        (await ask(server, courses)).items.map((item: any) => item.seats),
        [3]
      )
    })

    test('many servers begin from one snapshot, also from one of a fork', async t => {
      const server = await open(t)
      await put(server, 'a', 'one')
      const seeded = await server.snapshot()
      const forks = await Promise.all(Array.from({ length: 5 }, () => seeded.fork()))
      t.after(() => Promise.all(forks.map(fork => fork.stop())))
      await Promise.all(forks.map((fork, i) => put(fork, 'a', `fork ${i}`)))
      assert.deepEqual(
        await Promise.all(forks.map(async fork => (await values(fork)).a)),
        forks.map((_, i) => `fork ${i}`)
      )
      const later = await forks[3]!.snapshot()
      await seeded.dispose()
      await server.restore(later)
      assert.deepEqual(await values(server), { a: 'fork 3' })
      await later.dispose()
    })
  })
}

const course = (name: string) => ({ kind: 'Course', apiVersion: 'school.example.com/v1', metadata: { name } })

test('requests wait while the server is restored, over connections that stay', async t => {
  const server = await start(t, { listen: true })
  const { url } = server
  await put(server, 'a', 'one')
  const snapshot = await server.snapshot()
  await put(server, 'a', 'two')
  const restoring = server.restore(snapshot)
  await nextTurn()
  const waited = await Promise.all(Array.from({ length: 20 }, () => values(server)))
  assert.deepEqual(new Set(waited.map(({ a }) => a)), new Set(['one']))
  await restoring
  assert.equal(server.url, url)
})

test('a restored data folder holds the snapshot after a restart, and no folder is left behind', async t => {
  const before = (await readdir(tmpdir())).filter(name => name.startsWith('binnacle-fork-'))
  let server: BinnacleServer | undefined
  const dataDir = await freshDirectory(t, async () => server?.stop())
  server = await start(t, { dataDir })
  await put(server, 'a', 'one')
  const snapshot = await server.snapshot()
  const fork = await snapshot.fork()
  await put(server, 'a', 'two')
  await server.restore(snapshot)
  await snapshot.dispose()
  await server.stop()
  await server.start()
  assert.deepEqual(await values(server), { a: 'one' })
  await fork.stop()
  await assert.rejects(fork.start(), /a fork that has been stopped cannot be started again/)
  const left = (await readdir(tmpdir())).filter(name => name.startsWith('binnacle-fork-') && !before.includes(name))
  assert.deepEqual(left, [])
})

test('a fork reads from its own store what the server had not read since its start, and knows whose object is whose', async t => {
  let server: BinnacleServer | undefined
  const dataDir = await freshDirectory(t, async () => server?.stop())
  const first = await start(t, { dataDir })
  const owner = await ask(first, configMaps, 'POST', { metadata: { name: 'owner' }, data: { value: 'one' } })
  const { uid, name } = owner.metadata
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', uid, name }]
  await ask(first, configMaps, 'POST', { metadata: { name: 'owned', ownerReferences }, data: { value: 'two' } })
  await first.stop()
  server = await start(t, { dataDir })
  const fork = await server.fork()
  t.after(() => fork.stop())
  await server.stop()
  assert.deepEqual(await values(fork), { owner: 'one', owned: 'two' })
  await ask(fork, `${configMaps}/owner`, 'DELETE')
  while ((await ask(fork, `${configMaps}/owned`)).answered !== 404) await nextTurn()
})

test('a snapshot of another server is refused', async t => {
  const [one, two] = [await start(t), await start(t)]
  await assert.rejects(one.restore(await two.snapshot()), /^UserError: the snapshot is of a server that is no relative/)
  assert.deepEqual(await values(one), {})
})

test('a data folder alone keeps the objects on the disk', async t => {
  let server: BinnacleServer | undefined
  const dataDir = await freshDirectory(t, async () => server?.stop())
  server = await start(t, { dataDir })
  await put(server, 'a', 'one')
  await server.stop()
  const again = await start(t, { dataDir })
  assert.deepEqual(await values(again), { a: 'one' })
  await again.stop()
})

test('a server without a port has no URL', async t => {
  const server = await start(t)
  assert.throws(() => server.url, /no port: it was made with the option listen: false/)
})

test('faults and the recorder of a server stay the same objects after a restore: rules are gone, records are not', async t => {
  const server = await start(t, { recorder: true })
  const { faults, recorder } = server
  const snapshot = await server.snapshot()
  const rule = { resource: 'configmaps', verb: 'list', status: 503 }
  faults.add(rule)
  const mark = recorder!.mark()
  assert.equal((await ask(server, configMaps)).answered, 503)
  await server.restore(snapshot)
  assert.equal((await ask(server, configMaps)).answered, 200)
  faults.add(rule)
  assert.equal((await ask(server, configMaps)).answered, 503)
  assert.deepEqual(
    recorder!.requests({ since: mark }).map(({ status }) => status),
    [503, 200, 503]
  )
})
