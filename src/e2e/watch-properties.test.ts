/** Whatever writers do and however often watchers come and go, each sees every change once and in order. */
import assert from 'node:assert/strict'
import https from 'node:https'
import { describe, test } from 'node:test'
import type { ServerOptions } from '../options.js'
import { type BinnacleServer, createServer } from '../server/server.js'
import { startEtcd, withoutEtcd } from '../storage/testing/etcd-process.js'
import { seeded } from '../storage/testing/helpers.js'
import { silentLogger } from '../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const path = '/api/v1/namespaces/default/configmaps'
const writers = 6
const rounds = 60
const watchers = 10
const names = 12
const lastName = 'the-last'

interface Event {
  readonly type: string
  readonly object: { metadata: { name: string; resourceVersion: string } }
}

/** Requests over connections, with the admin's certificate. */
function client(server: BinnacleServer): { agent: https.Agent; url: string } {
  const kubeconfig = server.kubeconfig()
  const field = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)![1]!, 'base64')
  const agent = new https.Agent({
    ca: server.caCertificate,
    cert: field('client-certificate-data'),
    key: field('client-key-data')
  })
  return { agent, url: server.url }
}

/** Calls `onEvent` for each event until it returns false or the watch ends. */
function watch({ agent, url }: ReturnType<typeof client>, from: string, onEvent: (event: Event) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${path}?watch=true&resourceVersion=${from}&timeoutSeconds=5`, { agent }, response => {
      assert.equal(response.statusCode, 200)
      let text = ''
      response.on('data', data => {
        text += data
        const lines = text.split('\n')
        text = lines.pop()!
        for (const line of lines) {
          if (onEvent(JSON.parse(line))) continue
          request.destroy()
          return resolve()
        }
      })
      response.on('end', resolve)
      response.on('error', () => resolve())
    })
    request.on('error', error => (request.destroyed ? resolve() : reject(error)))
  })
}

/** What a client that lists and then watches knows. */
class View {
  readonly #known = new Map<string, number>()
  last = 0

  list(body: any): void {
    this.#known.clear()
    for (const { metadata } of body.items) this.#known.set(metadata.name, Number(metadata.resourceVersion))
    this.last = Number(body.metadata.resourceVersion)
  }

  see({ type, object: { metadata } }: Event): void {
    const version = Number(metadata.resourceVersion)
    assert.ok(version > this.last, `${type} ${metadata.name} at ${version} after ${this.last}`)
    assert.equal(this.#known.has(metadata.name), type !== 'ADDED', `${type} ${metadata.name} at ${version}`)
    if (type === 'DELETED') this.#known.delete(metadata.name)
    else this.#known.set(metadata.name, version)
    this.last = version
  }

  get state(): [string, number][] {
    return [...this.#known].sort()
  }
}

async function run(seed: number, servers: readonly BinnacleServer[]): Promise<void> {
  const random = seeded(seed)
  const any = () => servers[random(servers.length)]!
  const clients = servers.map(client)
  const ask = async (method: string, url: string, body?: unknown) => {
    const { status, body: text } = await any().inject({ method, url, ...(body === undefined ? {} : { body }), user } as never)
    return { status, body: JSON.parse(String(text)) }
  }
  const write = async () => {
    for (let round = 0; round < rounds; round++) {
      const name = `n${random(names)}`
      const data = { round: String(random(1e6)) }
      const { status } =
        random(3) === 0 ? await ask('DELETE', `${path}/${name}`) : await ask('POST', path, { metadata: { name }, data })
      if (status === 409) await ask('PUT', `${path}/${name}`, { metadata: { name }, data })
    }
  }
  const follow = async () => {
    const view = new View()
    view.list((await ask('GET', path)).body)
    let ended = false
    while (!ended) {
      let rest = 1 + random(30)
      await watch(clients[random(clients.length)]!, String(view.last), event => {
        view.see(event)
        ended = event.object.metadata.name === lastName
        return !ended && --rest > 0
      })
    }
    return view
  }
  const following = Array.from({ length: watchers }, follow)
  await Promise.all(Array.from({ length: writers }, write))
  await ask('POST', path, { metadata: { name: lastName } })
  const expected = new View()
  expected.list((await ask('GET', path)).body)
  for (const view of await Promise.all(following)) assert.deepEqual(view.state, expected.state)
  await ask('DELETE', `${path}/${lastName}`)
  for (const { agent } of clients) agent.destroy()
}

async function start(options: ServerOptions): Promise<BinnacleServer> {
  const server = createServer({ log: silentLogger, ...options })
  await server.start()
  return server
}

describe('writers and watchers that come and go', () => {
  test('one server in memory', async t => {
    const server = await start({})
    t.after(() => server.stop())
    for (const seed of [1, 2, 3]) await run(seed, [server])
  })

  test('two servers over one etcd', { skip: withoutEtcd ?? false }, async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const options: ServerOptions = { storageBackend: 'etcd3', etcdServers: [etcd.url] }
    const servers = [await start(options), await start(options)]
    t.after(() => Promise.all(servers.map(server => server.stop())))
    for (const seed of [4, 5]) await run(seed, servers)
  })
})
