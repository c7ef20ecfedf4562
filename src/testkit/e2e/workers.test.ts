/** A server of several processes is one server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as elapsed } from 'node:timers/promises'
import { startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { eventually } from '../eventually.js'
import { type ServerProcess, startServerProcess } from './server-process.js'

const timeout = 120_000
const configMaps = '/api/v1/namespaces/default/configmaps'

/** One connection to a server, and so to one of its processes. */
interface Connection {
  readonly name: string
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Begins a request whose body has still to come. Resolves, when the server waits for the body, with what sends it. */
  begin(method: string, path: string, body: unknown): Promise<() => Promise<Answer>>
  /** Resolves when the watch has begun. */
  watch(path: string): Promise<IncomingMessage>
  close(): void
}

interface Answer {
  readonly status: number
  readonly body: any
}

let connections = 0

function connect({ url, credentials }: ServerProcess): Connection {
  const name = `connection-${++connections}.`
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ...credentials })
  const open = (method: string, path: string, data?: string, headers?: Record<string, string>) =>
    https.request(url + path, {
      method,
      agent,
      headers: {
        'user-agent': name,
        ...(data && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) }),
        ...headers
      }
    })
  return {
    name,
    request(method, path, body, headers) {
      const data = body === undefined ? undefined : JSON.stringify(body)
      const request = open(method, path, data, headers)
      request.end(data)
      return answerTo(request)
    },
    async begin(method, path, body) {
      const data = JSON.stringify(body)
      const request = open(method, path, data, { expect: '100-continue' })
      request.flushHeaders()
      await once(request, 'continue')
      return () => {
        request.end(data)
        return answerTo(request)
      }
    },
    async watch(path) {
      const request = open('GET', `${path}?watch=1`)
      request.end()
      const [answer] = await once(request, 'response')
      return answer
    },
    close: () => agent.destroy()
  }
}

async function answerTo(request: ClientRequest): Promise<Answer> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of answer) text += piece
  const isJson = answer.headers['content-type']?.startsWith('application/json')
  return { status: answer.statusCode!, body: isJson ? JSON.parse(text) : text }
}

/** Reads a watch until it shows an object of this name. Returns the names that it has shown. */
async function namesUntil(watch: IncomingMessage, last: string): Promise<string[]> {
  let text = ''
  for await (const piece of watch) {
    text += piece
    const lines = text.split('\n').slice(0, -1)
    const names = lines.map(line => JSON.parse(line).object.metadata.name)
    if (names.includes(last)) return names
  }
  throw new Error(`the watch ended after ${text}`)
}

/** The number of the worker that has answered a connection's requests; 0 for the first process. */
async function processOf(server: ServerProcess, { name }: Connection): Promise<number> {
  for (;;) {
    const line = server
      .log()
      .split('\n')
      .find(one => one.includes('"HTTP"') && one.includes(name))
    if (line) return Number(/ worker:(\d+)\] /.exec(line)?.[1] ?? 0)
    await elapsed(5)
  }
}

/** Opens connections until so many processes have one each. */
async function connectToEach(t: TestContext, server: ServerProcess, processes: number): Promise<Map<number, Connection>> {
  const found = new Map<number, Connection>()
  t.after(() => [...found.values()].forEach(one => void one.close()))
  while (found.size < processes) {
    const several = Array.from({ length: processes }, () => connect(server))
    await Promise.all(several.map(one => one.request('GET', '/version')))
    for (const one of several) {
      const process = await processOf(server, one)
      if (found.has(process)) one.close()
      else found.set(process, one)
    }
  }
  return found
}

async function start(t: TestContext, flags: readonly string[] = []): Promise<{ server: ServerProcess; directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-workers-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const server = await startServerProcess(directory, ['--workers=3', '--v=3', ...flags])
  t.after(() => server.kill('SIGKILL'))
  return { server, directory }
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

const configMap = (name: string, value: string) => ({ metadata: { name }, data: { value } })

async function behavesAsOne(t: TestContext, server: ServerProcess): Promise<void> {
  const all = [...(await connectToEach(t, server, 3)).values()]
  const [first, second] = all as [Connection, Connection]
  for (let i = 0; i < 30; i++) {
    const [writer, reader] = [all[i % 3]!, all[(i + 1) % 3]!]
    const name = `seen-${i}`
    const { status, body } = await writer.request('POST', configMaps, configMap(name, 'one'))
    assert.equal(status, 201)
    const read = await reader.request('GET', `${configMaps}/${name}`)
    assert.equal(read.body.metadata?.resourceVersion, body.metadata.resourceVersion, `${name} is read as ${read.status}`)
    const listed = await reader.request('GET', configMaps)
    assert.ok(listed.body.items.some((item: any) => item.metadata.name === name))
  }
  // a write on the condition of what another process has written
  const { body: read } = await first.request('GET', `${configMaps}/seen-0`)
  assert.equal((await second.request('PUT', `${configMaps}/seen-0`, { ...read, data: { value: 'two' } })).status, 200)
  assert.equal((await first.request('PUT', `${configMaps}/seen-0`, { ...read, data: { value: 'three' } })).status, 409)
  // objects that are written together
  const objects = ['set-a', 'set-b'].map(name => ({ apiVersion: 'v1', kind: 'ConfigMap', ...configMap(name, 'x') }))
  for (const object of objects) Object.assign(object.metadata, { namespace: 'default' })
  const set = await second.request('POST', '/binnacle/v1/sets?fieldManager=test', {
    apiVersion: 'v1',
    kind: 'List',
    items: objects
  })
  assert.ok(set.status === 200 || set.status === 201, JSON.stringify(set.body))
  assert.equal((await first.request('GET', `${configMaps}/set-b`)).status, 200)
  // addresses are allocated once
  const service = (name: string) => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } })
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, i) => all[i % 3]!.request('POST', '/api/v1/namespaces/default/services', service(`s${i}`)))
  )
  const created = made.filter(({ status }) => status === 201)
  assert.equal(created.length, 24, JSON.stringify(made.find(({ status }) => status !== 201)?.body))
  assert.equal(new Set(created.map(({ body }) => body.spec.clusterIP)).size, 24)
  assert.equal(new Set(created.map(({ body }) => body.spec.ports[0].nodePort)).size, 24)
}

test('what one process has acknowledged, the others show and build on', { timeout }, async t => {
  const { server } = await start(t)
  await behavesAsOne(t, server)
  // permissions count at once in all processes
  const all = [...(await connectToEach(t, server, 3)).values()]
  for (const [i, reader] of all.entries()) {
    const alice = { 'impersonate-user': `alice-${i}` }
    assert.equal((await reader.request('GET', configMaps, undefined, alice)).status, 403)
    const binding = {
      metadata: { name: `alice-${i}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: `alice-${i}`, apiGroup: 'rbac.authorization.k8s.io' }]
    }
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings'
    assert.equal((await all[(i + 1) % 3]!.request('POST', path, binding)).status, 201)
    assert.equal((await reader.request('GET', configMaps, undefined, alice)).status, 200)
  }
})

test('the same with etcd', { timeout, skip: withoutEtcd ?? false }, async t => {
  const etcd = await startEtcd()
  t.after(() => etcd.remove())
  const { server } = await start(t, ['--storage-backend=etcd3', `--etcd-servers=${etcd.url}`])
  await behavesAsOne(t, server)
})

test('a worker that dies is replaced; what it has acknowledged stays, and watches of the others go on', { timeout }, async t => {
  const { server } = await start(t)
  const byProcess = await connectToEach(t, server, 3)
  // each of the other processes has a watch that goes on
  const watches = await Promise.all([0, 2].map(number => byProcess.get(number)!.watch(configMaps)))
  assert.equal((await byProcess.get(1)!.request('POST', configMaps, configMap('before', 'x'))).status, 201)
  const pid = Number(/^I\d+ \S+ +(\d+) worker:1\] /m.exec(server.log())![1])
  process.kill(pid, 'SIGKILL')
  await assert.rejects(byProcess.get(1)!.request('GET', `${configMaps}/before`))
  const fresh = connect(server)
  t.after(() => fresh.close())
  assert.equal((await fresh.request('GET', `${configMaps}/before`)).status, 200)
  await eventually(
    `a process replaces ${pid}`,
    () => server.workers(),
    workers => workers.length === 2 && !workers.includes(pid)
  )
  const replaced = `worker 1 (process ${pid}) ended by SIGKILL, and is replaced`
  await eventually(
    'the log says so',
    () => server.log(),
    log => log.includes(replaced)
  )
  const again = (await connectToEach(t, server, 3)).get(1)!
  assert.equal((await again.request('GET', `${configMaps}/before`)).status, 200)
  assert.equal((await again.request('POST', configMaps, configMap('after', 'x'))).status, 201)
  for (const watch of watches) assert.deepEqual((await namesUntil(watch, 'after')).slice(-2), ['before', 'after'])
})

test('connections are spread evenly, those of a burst and those that replace others', { timeout }, async t => {
  const { server } = await start(t)
  const open = new Map<number, Connection[]>([0, 1, 2].map(number => [number, []]))
  t.after(() => [...open.values()].flat().forEach(one => void one.close()))
  const burst = async (count: number) => {
    const fresh = Array.from({ length: count }, () => connect(server))
    await Promise.all(fresh.map(one => one.request('GET', '/version')))
    for (const one of fresh) open.get(await processOf(server, one))!.push(one)
    return [...open.values()].map(({ length }) => length)
  }
  // a process that hardly gets to run has fewer
  assert.ok(Math.min(...(await burst(30))) >= 7)
  for (const one of open.get(1)!.splice(0)) one.close()
  for (const one of open.get(2)!.splice(0)) one.close()
  const [own = 0, ...others] = await burst(open.get(0)!.length * 2)
  assert.ok(Math.min(own, ...others) >= own / 2, `${own}, ${others}`)
})

test('no worker outlives the first process', { timeout }, async t => {
  const { server } = await start(t)
  const workers = server.workers()
  assert.equal(workers.length, 2)
  await server.kill('SIGKILL')
  await eventually(
    'the workers have ended',
    () => workers.filter(isAlive),
    ({ length }) => length === 0
  )
})

test('a server can be started again at once where the first process was killed, even if the others hang', {
  timeout
}, async t => {
  const { server, directory } = await start(t)
  const workers = server.workers()
  for (const worker of workers) process.kill(worker, 'SIGSTOP')
  await server.kill('SIGKILL')
  const again = await startServerProcess(directory, [`--secure-port=${new URL(server.url).port}`])
  t.after(() => again.kill('SIGKILL'))
  assert.equal((await again.request('GET', configMaps)).status, 200)
  assert.ok(workers.every(isAlive))
  for (const worker of workers) process.kill(worker, 'SIGCONT')
  await eventually(
    'the workers have ended',
    () => workers.filter(isAlive),
    ({ length }) => length === 0
  )
})

test('SIGTERM lets requests of all processes end', { timeout }, async t => {
  const { server } = await start(t)
  const workers = server.workers()
  const all = [...(await connectToEach(t, server, 3)).values()]
  const watching = [...(await connectToEach(t, server, 3)).values()]
  const watches = await Promise.all(watching.map(one => one.watch(configMaps)))
  const begun = await Promise.all(all.map((one, i) => one.begin('POST', configMaps, configMap(`last-${i}`, 'x'))))
  const ended = server.kill('SIGTERM')
  // watches end first
  for (const watch of watches) for await (const _ of watch);
  for (const end of begun) assert.equal((await end()).status, 201)
  await ended
  assert.equal(server.child.exitCode, 0)
  assert.ok(!workers.some(isAlive))
  assert.doesNotMatch(server.log(), /is killed/)
})

test('health, metrics and the log of audit are those of the whole server', { timeout }, async t => {
  const policy = join(mkdtempSync(join(tmpdir(), 'binnacle-policy-')), 'policy.yaml')
  t.after(() => rmSync(join(policy, '..'), { recursive: true }))
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n')
  const log = join(policy, '../audit/audit.log')
  const { server } = await start(t, [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`, '--audit-log-maxsize=1'])
  const byProcess = await connectToEach(t, server, 3)
  const agents = [...byProcess.values()].map(({ name }) => name)
  for (const one of byProcess.values())
    for (let i = 0; i < 10; i++) assert.equal((await one.request('GET', `${configMaps}/none`)).status, 404)
  const texts = await Promise.all([...byProcess.values()].map(one => one.request('GET', '/metrics')))
  for (const { status, body } of texts) {
    assert.equal(status, 200)
    const count = /^apiserver_request_total\{code="404",.*resource="configmaps".*verb="GET",.*\} (\d+)$/m.exec(body)?.[1]
    assert.equal(Number(count), 30)
    assert.match(body, /^kubernetes_build_info\{.*\} 1$/m)
  }
  const health = await Promise.all([...byProcess.values()].map(one => one.request('GET', '/readyz?verbose')))
  assert.deepEqual(new Set(health.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(health.map(({ body }) => body)).size, 1)
  const lines = readdirSync(join(log, '..')).flatMap(name =>
    readFileSync(join(log, '..', name), 'utf8')
      .trim()
      .split('\n')
  )
  const events = lines.map(line => JSON.parse(line))
  for (const agent of agents)
    assert.equal(events.filter(({ userAgent, responseStatus }) => userAgent === agent && responseStatus.code === 404).length, 10)
})
