/** Peers of which one passes on what a client has sent, and what others do in place of answering. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http2 from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { peerKey } from '../../controllers/server-objects/peer-endpoint.js'
import { type BinnacleServer, createServer, openMemoryStore, type ServerOptions } from '../../index.js'
import { type EtcdProcess, startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { pick, type Random, random, some } from '../random.js'
import { startWireServer, type WireServer, wireAnswer } from '../wire-server.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
const form = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Keys and flags by which servers are peers. */
async function peerFiles(folder: string): Promise<ServerOptions> {
  const { frontProxy } = await loadOrCreatePki({ servingNames: [], now: Date.now(), makesFrontProxy: true })
  const { ca } = await loadOrCreatePki({ directory: join(folder, 'pki'), servingNames: [], now: Date.now() })
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  return {
    certDir: join(folder, 'pki'),
    peerCAFile: await write('ca.crt', ca.certificate),
    proxyClientCertFile: await write('proxy.crt', frontProxy!.certificate),
    proxyClientKeyFile: await write('proxy.key', frontProxy!.key),
    requestheaderClientCAFile: await write('proxy-ca.crt', frontProxy!.authority),
    requestheaderAllowedNames: ['front-proxy-client'],
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderUidHeaders: ['X-Remote-Uid'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-']
  }
}

const binding = JSON.stringify({
  metadata: { name: 'smuggled' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }]
})
const smuggled = [
  ...[`POST ${bindings} HTTP/1.1`, 'Host: x', 'X-Remote-User: admin', 'X-Remote-Group: system:masters'],
  ...['Content-Type: application/json', `Content-Length: ${binding.length}`, '', binding]
].join('\r\n')

const ofUsers = [
  ...['x-remote-user', 'x_remote_user', 'x-remote_user', 'x-remote-group', 'x_remote_group', 'x-remote-uid', 'x-remote-extra-a'],
  ...['x-kubernetes-peer-proxied', 'x_kubernetes_peer_proxied', 'audit-id', 'x-forwarded-for']
]
/** Lines that a head may have beside those of framing. */
const lines = [
  ...ofUsers.filter(name => name !== 'x-kubernetes-peer-proxied').map(name => `${name}: admin`),
  ...['Content-Length', 'Transfer-Encoding', 'Host', 'X-Remote-User', 'X-Remote-Group', 'x-kubernetes-peer-proxied', 'close'].map(
    name => `Connection: keep-alive, ${name}`
  ),
  ...['Connection: Upgrade', 'Upgrade: h2c', 'Upgrade: websocket', 'Content-Length: 0', 'Content-Length: 5', 'TE: trailers'],
  ...['Transfer-Encoding: identity', 'Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Expect: 100-continue'],
  ...['Trailer: X-Remote-User', 'Proxy-Connection: keep-alive', 'Keep-Alive: timeout=5', 'Content-Type: application/json']
]

/** A request with any head, whose body hopes to be taken for a request of an administrator. */
function hostileRequest(next: Random, method: string, target: string, user: string): string {
  const content = pick(next, ['', smuggled, smuggled, `${smuggled}${smuggled}`, '{}'])
  const chunks = `${content.length.toString(16)}\r\n${content}\r\n${content === '' ? '' : '0\r\nX-Remote-User: admin\r\n\r\n'}`
  const [framing, bytes] = pick(next, [
    [[], ''],
    [[`Content-Length: ${content.length}`], content],
    [[`Content-Length: ${content.length}`], content],
    [['Transfer-Encoding: chunked'], chunks]
  ] as const)
  const head = [...some(next, lines).filter(() => next(12) === 0), ...framing].sort(() => next(3) - 1)
  return [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${user}`, ...head, '', bytes].join('\r\n')
}

const users = ['alice', 'bob', 'nobody', 'root']
const tokens: NonNullable<ServerOptions['authenticators']> = [
  {
    authenticateToken: token =>
      users.includes(token) ? { user: { name: token, groups: token === 'root' ? ['system:masters'] : [] } } : undefined
  }
]

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise(resolve => setTimeout(resolve, 20))
}

describe('two servers over one etcd, of which each serves what the other does not', { skip: withoutEtcd ?? false }, () => {
  let folder: string
  let etcd: EtcdProcess
  let first: BinnacleServer
  let second: BinnacleServer

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-'))
    const [started, files] = await Promise.all([startEtcd(), peerFiles(folder)])
    etcd = started
    const options: ServerOptions = {
      ...{ log: silentLogger, storageBackend: 'etcd3', etcdServers: [etcd.url], advertiseAddress: '127.0.0.1' },
      ...{ ...files, authenticators: tokens, recorder: true }
    }
    first = createServer({ ...options, runtimeConfig: { 'batch/v1': false, 'policy/v1': false } })
    // the seed gives it another name of its machine
    second = createServer({ ...options, runtimeConfig: { 'autoscaling/v2': false, 'policy/v1': false }, seed: 'other' })
    await first.start()
    await second.start()
    for (const [server, group] of [
      [first, 'batch'],
      [second, 'autoscaling']
    ] as const)
      await until(async () => {
        const found = await server.inject({ url: '/apis', user: admin, headers: { accept: form } })
        return found.json().items.some((item: any) => item.metadata.name === group)
      })
  })
  after(async () => {
    await Promise.all([first?.stop(), second?.stop()])
    await etcd?.remove()
    await rm(folder, { recursive: true })
  })

  const jobs = (user: string) => `/apis/batch/v1/namespaces/${user}/jobs`
  const grant = async (user: string) => {
    const rbac = (kind: string) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${user}/${kind}`
    const metadata = { name: 'jobs' }
    const rules = [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['*'] }]
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'jobs' }
    const body = { metadata: { name: user } }
    assert.equal((await first.inject({ url: '/api/v1/namespaces', user: admin, body })).status, 201)
    assert.equal((await first.inject({ url: rbac('roles'), user: admin, body: { metadata, rules } })).status, 201)
    const binding = { metadata, subjects, roleRef }
    assert.equal((await first.inject({ url: rbac('rolebindings'), user: admin, body: binding })).status, 201)
    await until(async () => (await second.inject({ url: jobs(user), user: { name: user, groups: [] } })).status === 200)
  }

  /** Resolves with all answers when the server has ended the connection, which a last request asks for. */
  async function sendBytes(user: string, id: string, bytes: string): Promise<string> {
    const port = Number(new URL(first.url).port)
    const socket = tls.connect({ port, host: '127.0.0.1', ca: first.caCertificate, ALPNProtocols: ['http/1.1'] })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    const last = [`GET ${jobs(user)}/${id} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${user}`, 'Connection: close', '', '']
    socket.write(`${bytes}${last.join('\r\n')}`)
    let text = ''
    socket.on('data', piece => {
      text += piece
    })
    await once(socket, 'close')
    return text
  }

  /** What the second server was asked by clients of the first. */
  const passedOn = () => second.recorder!.requests().filter(({ user }) => user !== 'system:apiserver' && user !== 'admin')

  it('pass each request on as the one that it is, and give its answer to nobody else', async () => {
    await grant('alice')
    await grant('bob')
    second.recorder!.clear()
    const next = random(38)
    let answered = 0
    await Promise.all(
      ['alice', 'bob', 'alice', 'bob'].map(async (user, lane) => {
        for (let n = 0; n < 35; n++) {
          const id = `${user}x${lane}x${n}x`
          const method = pick(next, ['GET', 'GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH'])
          const text = await sendBytes(user, id, hostileRequest(next, method, `${jobs(user)}/${id}`, user))
          for (const [found] of text.matchAll(/(?:alice|bob)x\d+x\d+x/g)) assert.equal(found, id, text)
          if (text.includes(id)) answered++
        }
      })
    )
    assert.ok(answered > 80, `${answered} were answered`)
    const asked = passedOn()
    assert.ok(asked.length > 150, `${asked.length} were passed on`)
    for (const { user, groups, url, resource, impersonated, status } of asked) {
      assert.match(resource, /^jobs\.batch$/)
      assert.ok(url.startsWith(`${jobs(user)}/${user}x`), `${user} asked for ${url}`)
      assert.deepEqual([groups, impersonated], [['system:authenticated'], undefined])
      assert.notEqual(status, 101)
    }
    const { items } = (await second.inject({ url: bindings, user: admin })).json()
    assert.deepEqual(
      items.filter(({ metadata }: any) => metadata.name === 'smuggled'),
      []
    )
  })

  it('do so over HTTP/2, whatever headers a client makes up', async () => {
    second.recorder!.clear()
    const session = http2.connect(first.url, { ca: first.caCertificate })
    const next = random(39)
    for (let n = 0; n < 60; n++) {
      const id = `alicex9x${n}x`
      const headers = Object.fromEntries(some(next, ofUsers).map(name => [name, 'admin']))
      const method = pick(next, ['GET', 'HEAD', 'DELETE', 'POST'])
      const stream = session.request(
        { ':method': method, ':path': `${jobs('alice')}/${id}`, authorization: 'Bearer alice', ...headers },
        { endStream: false }
      )
      stream.on('error', () => {})
      stream.end(pick(next, ['', smuggled]))
      stream.resume()
      await once(stream, 'close')
    }
    session.destroy()
    const asked = passedOn()
    assert.ok(asked.length > 20)
    for (const { user, groups, url } of asked)
      assert.deepEqual([user, groups, url.startsWith(`${jobs('alice')}/alicex9x`)], ['alice', ['system:authenticated'], true])
  })

  it('ask nobody for whom may not ask', async () => {
    second.recorder!.clear()
    for (const user of ['nobody', 'system:anonymous'])
      for (const [name, value] of [
        ['X-Remote-User', 'admin'],
        ['X-Remote-Group', 'system:masters'],
        ['Impersonate-User', 'admin'],
        ['Connection', 'X-Remote-User']
      ] as const) {
        const lines = [
          ...[`GET ${jobs('alice')} HTTP/1.1`, 'Host: x', `${name}: ${value}`, 'Content-Length: 0', 'Connection: close'],
          ...(user === 'nobody' ? ['Authorization: Bearer nobody'] : [])
        ]
        assert.match(await sendBytes('nobody', 'a', `${lines.join('\r\n')}\r\n\r\n`), /^HTTP\/1\.1 403 /)
      }
    assert.deepEqual(passedOn(), [])
  })

  it('name the user whom an administrator acts as, and nobody twice', async () => {
    const headers = { 'impersonate-user': 'bob', 'impersonate-uid': '7' }
    assert.equal((await first.inject({ url: jobs('bob'), user: admin, headers })).status, 200)
    assert.equal((await first.inject({ url: jobs('alice'), user: admin, headers })).status, 403)
    const { user, impersonated } = second.recorder!.requests().findLast(({ url }) => url === jobs('bob'))!
    assert.deepEqual([user, impersonated], ['bob', undefined])
  })

  it('do not turn in circles, also when a client says that its request was passed on', async () => {
    second.recorder!.clear()
    const mark = 'x-kubernetes-peer-proxied'
    const user = { name: 'bob', groups: [] }
    assert.equal((await first.inject({ url: jobs('bob'), user, headers: { [mark]: 'true' } })).status, 404)
    assert.deepEqual(passedOn(), [])
    // what else it may say changes nothing
    for (const value of ['', 'false', 'TRUE', '1'])
      assert.equal((await first.inject({ url: jobs('bob'), user, headers: { [mark]: value } })).status, 200)
    assert.equal((await first.inject({ url: jobs('bob'), user, headers: { connection: mark } })).status, 200)
    assert.equal(passedOn().length, 5)
    const nowhere = '/apis/policy/v1/namespaces/bob/poddisruptionbudgets'
    for (const server of [first, second]) assert.equal((await server.inject({ url: nowhere, user: admin })).status, 404)
  })

  it('switch no protocol that is none of theirs', async () => {
    for (const upgrade of ['h2c', 'SPDY/3.1', 'websocket, h2c', 'TLS/1.0'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const lines = [
          ...[`${method} ${jobs('alice')}/alicex0x0x HTTP/1.1`, 'Host: x', 'Authorization: Bearer alice'],
          ...['Connection: Upgrade', `Upgrade: ${upgrade}`, 'Content-Length: 2', '', '{}']
        ]
        const text = await sendBytes('alice', 'alicex0x0x', lines.join('\r\n'))
        assert.match(text, /^HTTP\/1\.1 [45]\d\d /)
        assert.doesNotMatch(text, /HTTP\/1\.1 101/)
      }
  })
})

describe('a peer that misbehaves', () => {
  const peer = 'apiserver-other'
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
  const things = (name: string) => `/apis/new.example.com/v1/namespaces/a/things/${name}`
  const user = { name: 'alice', groups: ['system:masters'] }
  let folder: string
  let wire: WireServer
  let server: BinnacleServer
  /** What the peer does with requests that are passed on. */
  let answer: WireServer['answer']

  const discovery = {
    ...{ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' },
    items: [
      {
        metadata: { name: 'new.example.com' },
        versions: [{ version: 'v1', resources: [{ resource: 'things', scope: 'Namespaced', verbs: ['get'] }] }]
      }
    ]
  }
  const json = 'Content-Type: application/json'
  const ask = (name: string, more: object = {}) => server.inject({ url: things(name), user, ...more })
  const closed = (socket: Duplex) => new Promise<void>(resolve => void socket.once('close', resolve))

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-'))
    const files = await peerFiles(folder)
    const { serving } = await loadOrCreatePki({
      ...{ directory: join(folder, 'pki'), servingNames: ['kubernetes.default.svc'], now: Date.now() }
    })
    wire = await startWireServer({ cert: serving.certificate, key: serving.key })
    wire.answer = (request, socket) => {
      if (!/^\/apis?$/.test(request.target)) return answer(request, socket)
      const document = request.target === '/api' ? { ...discovery, items: [] } : discovery
      socket.write(wireAnswer('200 OK', [json], JSON.stringify(document)))
    }
    const store = openMemoryStore()
    server = createServer({ log: silentLogger, store, authenticators: tokens, ...files })
    await server.start()
    const subsets = [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'https', port: wire.port, protocol: 'TCP' }] }]
    const value = Buffer.from(JSON.stringify({ kind: 'Endpoints', apiVersion: 'v1', subsets }))
    await store.commit([{ key: peerKey(store, peer), value }])
    const lease = {
      metadata: { name: peer, labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
      spec: {
        holderIdentity: 'x',
        leaseDurationSeconds: 3600,
        renewTime: new Date(Date.now()).toISOString().replace('Z', '000Z')
      }
    }
    assert.equal((await server.inject({ url: leases, user, body: lease })).status, 201)
    answer = (_, socket) => void socket.write(wireAnswer('200 OK', [json], '{}'))
    await until(async () => (await ask('first')).status === 200)
  })
  after(async () => {
    await server.stop()
    await wire.close()
    await rm(folder, { recursive: true })
  })

  it('is given up when it does not begin to answer in the time of a request', async () => {
    let gone: Promise<void> | undefined
    answer = (_, socket) => {
      gone = closed(socket)
    }
    assert.equal((await server.inject({ url: `${things('a')}?timeout=50ms`, user })).status, 504)
    await gone
  })

  it('breaks no answer but its own when it goes in the middle of a body', async () => {
    answer = ({ target }, socket) => {
      if (target.endsWith('/whole')) return void socket.write(wireAnswer('200 OK', [json], '{"a":1}'))
      socket.write(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 100\r\n\r\n{"a":`, () => socket.destroy())
    }
    const [whole] = await Promise.all([ask('whole'), assert.rejects(ask('cut'), /before it was complete/)])
    assert.equal(whole.body.toString(), '{"a":1}')
  })

  it('is not passed on when it switches a protocol that nobody asked for, or informs without end', async () => {
    let gone: Promise<void> | undefined
    for (const text of [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n'.repeat(50_000),
      `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(2 ** 20)}\r\n\r\n`
    ]) {
      answer = (_, socket) => {
        gone = closed(socket)
        socket.write(text)
      }
      assert.equal((await ask('a')).status, 503)
      await gone
    }
  })

  it('is left when its client has gone, however much it sends', async () => {
    let gone: Promise<void> | undefined
    let sent = 0
    answer = (_, socket) => {
      gone = closed(socket)
      socket.write(`HTTP/1.1 200 OK\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n`)
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
      const more = () => {
        while (!socket.destroyed) {
          sent += chunk.length
          if (!socket.write(chunk)) return void socket.once('drain', more)
        }
      }
      more()
    }
    const port = Number(new URL(server.url).port)
    const client = tls.connect({ port, host: '127.0.0.1', ca: server.caCertificate, ALPNProtocols: ['http/1.1'] })
    client.pause()
    client.write(`GET ${things('endless')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer root\r\n\r\n`)
    await until(async () => sent > 0)
    // nobody takes it, so that it stops
    for (let before = -1; before !== sent; await new Promise(resolve => setTimeout(resolve, 100))) before = sent
    assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes`)
    client.destroy()
    await gone
  })

  it('is asked by no user whose name would be more than one header', async () => {
    const names: (readonly string[])[] = []
    answer = ({ headers }, socket) => {
      names.push([...(headers.get('x-remote-user') ?? []), ...(headers.get('x-remote-group') ?? [])])
      socket.write(wireAnswer('200 OK', [json], '{}'))
    }
    for (const text of [
      'a\r\nX-Remote-Group: system:masters',
      'a\nX-Remote-User: admin',
      'a\0',
      'a\rb',
      '\x7f',
      'a\r\n\r\nGET / HTTP/1.1'
    ]) {
      assert.equal((await ask('a', { user: { name: text, groups: ['system:masters'] } })).status, 503, JSON.stringify(text))
      assert.equal((await ask('a', { user: { name: 'a', groups: ['system:masters', text] } })).status, 503)
      const extra = { [text]: ['b'], b: [text] }
      assert.equal((await ask('a', { user: { name: 'a', groups: ['system:masters'], extra } })).status, 503)
    }
    assert.deepEqual([names, wire.malformed], [[], []])
  })

  it('cannot leave an answer for the next request of the connection', async () => {
    const poison = wireAnswer('200 OK', [json], '{"poison":true}')
    for (const [isLate, more] of [
      [false, poison],
      [true, poison],
      [true, 'HTTP'],
      [true, '\r\n'],
      [false, 'HTTP/1.1 100 Continue\r\n\r\n'],
      [true, 'HTTP/1.1 100 Continue\r\n\r\n']
    ] as const) {
      let gone: Promise<void> | undefined
      answer = (_, socket) => {
        gone = closed(socket)
        socket.write(wireAnswer('200 OK', [json], '{"a":1}') + (isLate ? '' : more))
        if (isLate) setTimeout(() => socket.write(more), 10)
      }
      assert.equal((await ask('first')).body.toString(), '{"a":1}')
      const problem = `the connection was used again after ${JSON.stringify(more)} ${isLate ? 'later' : 'at once'}`
      await Promise.race([gone, new Promise((_, reject) => setTimeout(reject, 5000, new Error(problem)))])
      answer = (_, socket) => void socket.write(wireAnswer('200 OK', [json], '{"a":2}'))
      assert.equal((await ask('second')).body.toString(), '{"a":2}', problem)
    }
  })
})
