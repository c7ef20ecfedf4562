/**
 * Whatever writers do, and however often watchers reconnect and servers restart, each watcher sees every change once and in
 * order: at any version, what it has seen is what a list with the same selectors shows, of one namespace or of all.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { seeded } from '../../storage/testing/helpers.js'
import { silentLogger } from '../../util/logger.js'
import { times } from '../random.js'

const user = { name: 'admin', groups: ['system:masters'] }
const pathIn = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`
/** The last object is in the first one. */
const namespaces = ['default', 'other']
/** What watchers follow: a namespace, and all of them. */
const scopes = [pathIn('default'), '/api/v1/configmaps']
const writers = 6
const rounds = times(10)
const watchers = 10
/** By all writers together. */
const writesBetweenRestarts = 20
const names = 12
const lastName = 'the-last'
const colors = ['red', 'green', 'blue']
/** All of them select the last object, which is grey. */
const selections = [
  '',
  'labelSelector=color in (red,grey)',
  'labelSelector=color notin (red,green)',
  'labelSelector=color,color!=blue',
  'fieldSelector=metadata.name!=n3',
  'labelSelector=color!=red&fieldSelector=metadata.name!=n5'
]

interface Event {
  readonly type: string
  readonly object: {
    metadata: { name: string; namespace: string; resourceVersion: string; annotations?: Record<string, string> }
  }
}

interface Client {
  readonly agent: https.Agent
  readonly url: string
}

/** Sends requests with the admin's certificate. */
function client(server: BinnacleServer): Client {
  const kubeconfig = server.kubeconfig()
  const field = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)![1]!, 'base64')
  const agent = new https.Agent({
    ca: server.caCertificate,
    cert: field('client-certificate-data'),
    key: field('client-key-data')
  })
  return { agent, url: server.url }
}

/** A server that a test can stop and restart on the same data. */
class Member {
  readonly #options: ServerOptions
  #running: { readonly server: BinnacleServer; readonly client: Client } | undefined

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** Undefined while the server is stopped. */
  get client(): Client | undefined {
    return this.#running?.client
  }

  get server(): BinnacleServer | undefined {
    return this.#running?.server
  }

  async start(): Promise<void> {
    const server = createServer({ log: silentLogger, ...this.#options })
    await server.start()
    this.#running = { server, client: client(server) }
  }

  async stop(): Promise<void> {
    const ending = this.#running
    this.#running = undefined
    ending?.client.agent.destroy()
    await ending?.server.stop()
  }
}

/** Calls `onEvent` for each event until it returns false, or until the watch or its server ends. */
function watch({ agent, url }: Client, path: string, query: string, onEvent: (event: Event) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${path}?watch=true&timeoutSeconds=5&${query}`, { agent }, response => {
      let text = ''
      response.on('data', data => {
        if (response.statusCode !== 200) return
        text += data
        const lines = text.split('\n')
        text = lines.pop()!
        try {
          for (const line of lines) {
            if (onEvent(JSON.parse(line))) continue
            request.destroy()
            return resolve()
          }
        } catch (error) {
          request.destroy()
          reject(error)
        }
      })
      response.on('end', resolve)
      response.on('error', () => resolve())
    })
    request.on('error', () => resolve())
  })
}

const keyOf = ({ namespace, name }: Event['object']['metadata']) => `${namespace}/${name}`

/** The state that a client has after a list and the following watch. */
class View {
  readonly #known = new Map<string, number>()
  last = 0

  /** Forgets all, before initial events. */
  clear(): void {
    this.#known.clear()
    this.last = 0
  }

  /** An event before the bookmark that ends the initial ones, in the order of keys. Returns whether it is that bookmark. */
  seeInitial({ type, object: { metadata } }: Event): boolean {
    if (type === 'BOOKMARK') {
      assert.equal(metadata.annotations?.['k8s.io/initial-events-end'], 'true')
      this.last = Number(metadata.resourceVersion)
      return true
    }
    assert.equal(type, 'ADDED')
    assert.equal(this.#known.has(keyOf(metadata)), false, `${metadata.name} is there twice`)
    this.#known.set(keyOf(metadata), Number(metadata.resourceVersion))
    return false
  }

  list(body: any): void {
    this.#known.clear()
    for (const { metadata } of body.items) this.#known.set(keyOf(metadata), Number(metadata.resourceVersion))
    this.last = Number(body.metadata.resourceVersion)
  }

  see({ type, object: { metadata } }: Event): void {
    const version = Number(metadata.resourceVersion)
    assert.ok(version > this.last, `${type} ${metadata.name} at ${version} after ${this.last}`)
    assert.equal(this.#known.has(keyOf(metadata)), type !== 'ADDED', `${type} ${metadata.name} at ${version}`)
    if (type === 'DELETED') this.#known.delete(keyOf(metadata))
    else this.#known.set(keyOf(metadata), version)
    this.last = version
  }

  get state(): [string, number][] {
    return [...this.#known].sort()
  }
}

interface Answer {
  readonly status: number
  readonly body: any
}

/** `restart`: stops and restarts the members, one after the other, while writers are active. */
async function run(seed: number, members: readonly Member[], restart: boolean): Promise<void> {
  const random = seeded(seed)
  const anyOf = async <T>(part: (member: Member) => T | undefined): Promise<T> => {
    for (;;) {
      const found = part(members[random(members.length)]!)
      if (found) return found
      await new Promise(setImmediate)
    }
  }
  /** Repeats a request until a server answers that was not about to stop. */
  const ask = async (method: string, url: string, body?: unknown): Promise<Answer> => {
    for (;;) {
      const server = await anyOf(member => member.server)
      try {
        const answer = await server.inject({ method, url, ...(body === undefined ? {} : { body }), user } as never)
        if (answer.status < 500) return { status: answer.status, body: JSON.parse(String(answer.body)) }
      } catch {
        // the server stopped in between
      }
    }
  }
  let written = 0
  const write = async () => {
    for (let round = 0; round < rounds; round++, written++) {
      const name = `n${random(names)}`
      const path = pathIn(namespaces[random(namespaces.length)]!)
      const data = { round: String(random(1e6)) }
      const metadata = { name, ...(random(5) > 0 ? { labels: { color: colors[random(colors.length)] } } : {}) }
      const { status, body } =
        random(3) === 0 ? await ask('DELETE', `${path}/${name}`) : await ask('POST', path, { metadata, data })
      const version = status === 409 ? (await ask('PUT', `${path}/${name}`, { metadata, data })).body : body
      if (version.kind !== 'ConfigMap' || random(3) > 0) continue
      // every server must show all acknowledged writes
      const list = (await ask('GET', path)).body
      const last = Number(version.metadata.resourceVersion)
      assert.ok(Number(list.metadata.resourceVersion) >= last, `a list at ${list.metadata.resourceVersion} after ${last}`)
      const found = list.items.find((item: any) => item.metadata.name === name)
      if (found) assert.ok(Number(found.metadata.resourceVersion) >= last, `${name} at ${last} is read as it was before`)
    }
  }
  const follow = async (_: unknown, index: number) => {
    const selection = selections[index % selections.length]!.replaceAll(' ', '%20')
    const path = scopes[Math.floor(index / 2) % scopes.length]!
    const view = new View()
    view.list((await ask('GET', `${path}?${selection}`)).body)
    let ended = false
    while (!ended) {
      let rest = 1 + random(30)
      let initial = random(4) === 0
      const begin = initial
        ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
        : `resourceVersion=${view.last}`
      if (initial) view.clear()
      await watch(await anyOf(member => member.client), path, `${begin}&${selection}`, event => {
        if (initial) initial = !view.seeInitial(event)
        else if (event.type !== 'BOOKMARK') view.see(event)
        ended ||= event.object.metadata.name === lastName
        return initial || (!ended && --rest > 0)
      })
      // a watch that ended within its initial events has shown no version
      if (initial) view.list((await ask('GET', `${path}?${selection}`)).body)
      else await compare(view, path, selection)
    }
    return { view, path, selection }
  }
  /** Compares with the list at the version of the last event, unless that has been compacted. */
  const compare = async (view: View, path: string, selection: string) => {
    const { status, body } = await ask('GET', `${path}?resourceVersion=${view.last}&resourceVersionMatch=Exact&${selection}`)
    if (status === 410) return
    const listed = new View()
    listed.list(body)
    assert.deepEqual(view.state, listed.state, `seed ${seed}: a watch and a list of ${path} at ${view.last} with ${selection}`)
    compared++
  }
  let compared = 0
  await ask('POST', '/api/v1/namespaces', { metadata: { name: namespaces[1] } })
  const following = Array.from({ length: watchers }, follow)
  let writing = true
  const restarting = (async () => {
    for (let next = 0; restart && writing; next++) {
      const member = members[next % members.length]!
      await member.stop()
      await member.start()
      const pause = written + writesBetweenRestarts
      while (writing && written < pause) await new Promise(setImmediate)
    }
  })()
  await Promise.all(Array.from({ length: writers }, write))
  writing = false
  await restarting
  await ask('POST', pathIn(namespaces[0]!), { metadata: { name: lastName, labels: { color: 'grey' } } })
  for (const { view, path, selection } of await Promise.all(following)) {
    const expected = new View()
    expected.list((await ask('GET', `${path}?${selection}`)).body)
    assert.deepEqual(
      view.state,
      expected.state,
      `seed ${seed}: the watch of ${path} with ${selection} ends otherwise than its list`
    )
  }
  assert.ok(compared > watchers, `seed ${seed}: only ${compared} comparisons of watches with lists`)
  await ask('DELETE', `${pathIn(namespaces[0]!)}/${lastName}`)
}

async function started(t: TestContext, ...options: ServerOptions[]): Promise<Member[]> {
  const members = options.map(each => new Member(each))
  t.after(() => Promise.all(members.map(member => member.stop())))
  await Promise.all(members.map(member => member.start()))
  return members
}

describe('writers and watchers that start and stop', () => {
  // data in memory are lost with the server
  test('one server in memory', async t => {
    const members = await started(t, {})
    await run(1, members, false)
  })

  test('one server on disk that restarts', async t => {
    const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-watches-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const members = await started(t, { storageBackend: 'lmdb', dataDir })
    await run(4, members, true)
  })

  test('two servers over one etcd that restart', { skip: withoutEtcd ?? false }, async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const options: ServerOptions = { storageBackend: 'etcd3', etcdServers: [etcd.url] }
    const members = await started(t, options, options)
    await run(6, members, false)
    await run(7, members, true)
  })
})
