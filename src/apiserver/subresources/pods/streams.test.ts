import assert from 'node:assert/strict'
import { once } from 'node:events'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { type FakeKubelet, startFakeKubelet } from '../../../testkit/fake-kubelet.js'
import { SpdyConnection } from '../../../transport/spdy/connection.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const pods = '/api/v1/namespaces/default/pods'
let server: BinnacleServer
let kubelet: FakeKubelet

before(async () => {
  kubelet = await startFakeKubelet({
    request(message, answer) {
      const url = new URL(message.url!, 'https://kubelet')
      if (!url.pathname.endsWith('/main'))
        answer.writeHead(400).end('container "side" in pod "web" is waiting to start: ContainerCreating')
      else if (!url.searchParams.has('follow')) answer.end('one\ntwo\n')
      else answer.write('begun\n')
    }
  })
  server = createServer({ log: silentLogger, disableAdmissionPlugins: ['ServiceAccount'] })
  await server.start()
  const create = async (url: string, body: object) => {
    const { status, body: text } = await server.inject({ method: 'POST', url, body, user })
    assert.equal(status, 201, String(text))
  }
  await create('/api/v1/nodes', {
    metadata: { name: 'n1' },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } }
    }
  })
  const container = (name: string) => ({ name, image: 'x' })
  const pod = (name: string, names: string[], nodeName?: string) =>
    create(pods, { metadata: { name }, spec: { containers: names.map(container), ...(nodeName && { nodeName }) } })
  await pod('web', ['main'], 'n1')
  await pod('two', ['main', 'side'], 'n1')
  await pod('waiting', ['main'])
})
after(async () => {
  await server.stop()
  await kubelet.close()
})

const read = (path: string) => server.inject({ url: `${pods}/${path}`, user })
const refused = async (path: string) => {
  const { status, json } = await read(path)
  return [status, json().message]
}

describe("a Pod's log", () => {
  it('comes from the kubelet, with the parameters that it knows', async () => {
    const { status, headers, body } = await read(
      'web/log?tailLines=3&timestamps=true&previous&sinceTime=2020-01-01T02:00:00.5%2B02:00&limitBytes=99&other=1'
    )
    assert.deepEqual([status, headers['content-type'], String(body)], [200, 'text/plain', 'one\ntwo\n'])
    assert.equal(
      kubelet.requests.at(-1),
      'GET /containerLogs/default/web/main?limitBytes=99&previous=true&sinceTime=2020-01-01T00%3A00%3A00Z&tailLines=3&timestamps=true'
    )
  })

  it('is refused in the words of kube-apiserver and of the kubelet', async () => {
    assert.deepEqual(await refused('two/log'), [
      400,
      'a container name must be specified for pod two, choose one of: [main side]'
    ])
    assert.deepEqual(await refused('web/log?container=no'), [400, 'container no is not valid for pod web'])
    assert.deepEqual(await refused('two/log?container=side'), [
      400,
      'container "side" in pod "web" is waiting to start: ContainerCreating'
    ])
    assert.equal((await read('waiting/log')).status, 204)
  })

  it('is followed until the client goes', async () => {
    while (kubelet.connections() > 0) await new Promise(setImmediate)
    const gone = new AbortController()
    const { fetch, Agent } = await import('undici')
    const dispatcher = new Agent({ connect: { ca: server.caCertificate, ...credentials() } })
    const answer = await fetch(`${server.url}${pods}/web/log?follow=true`, { dispatcher, signal: gone.signal })
    const { value } = await answer.body!.getReader().read()
    assert.equal(Buffer.from(value!).toString(), 'begun\n')
    assert.equal(kubelet.connections(), 1)
    gone.abort()
    while (kubelet.connections() > 0) await new Promise(setImmediate)
    await dispatcher.destroy()
  })
})

/** The admin's client certificate. */
function credentials() {
  const kubeconfig = server.kubeconfig()
  const data = (name: string) =>
    Buffer.from(new RegExp(`${name}-data["']?: ["']?([\\w+/=]+)`).exec(kubeconfig)![1]!, 'base64').toString()
  return { cert: data('client-certificate'), key: data('client-key') }
}

function open(path: string, protocols: string[]): WebSocket {
  const url = `${server.url.replace('https', 'wss')}${pods}/${path}`
  return new WebSocket(url, protocols, { ca: server.caCertificate, ...credentials() })
}

/** Collects what comes on each channel until the connection ends. */
async function collected(socket: WebSocket) {
  const channels: Record<number, string> = {}
  socket.on('message', (data: Buffer) => {
    channels[data[0]!] = (channels[data[0]!] ?? '') + data.subarray(1).toString()
  })
  const [code] = await once(socket, 'close')
  return { channels, code }
}

describe('a command over WebSocket, for a kubelet that speaks SPDY', () => {
  it('gets its input until the client closes that, and says how it ended', async () => {
    const socket = open('web/exec?command=cat&stdin=1&stdout=1', ['v5.channel.k8s.io'])
    socket.once('open', () => {
      socket.send(Buffer.from('\0hello '))
      socket.send(Buffer.from('\0world'))
      socket.send(Buffer.from([255, 0]))
    })
    const { channels, code } = await collected(socket)
    assert.deepEqual(channels, { 1: 'hello world', 3: '{"metadata":{},"status":"Success"}' })
    assert.equal(code, 1000)
    assert.equal(kubelet.requests.at(-1), 'POST /exec/default/web/main?command=cat&input=1&output=1')
  })

  it('tells its exit code', async () => {
    const { channels } = await collected(open('web/exec?command=exit&command=3&stderr=1', ['v5.channel.k8s.io']))
    assert.equal(channels[2], 'failed\n')
    const { reason, details, message } = JSON.parse(channels[3]!)
    assert.deepEqual(
      [reason, details, message],
      [
        'NonZeroExitCode',
        { causes: [{ reason: 'ExitCode', message: '3' }] },
        'command terminated with non-zero exit code: command terminated with exit code 3'
      ]
    )
  })

  it('learns the size of its terminal', async () => {
    const socket = open('web/exec?command=size&stdin=1&stdout=1&stderr=1&tty=1', ['v5.channel.k8s.io'])
    socket.once('open', () => socket.send(Buffer.from('\x04{"Width":80,"Height":24}')))
    assert.equal((await collected(socket)).channels[1], '{"Width":80,"Height":24}')
  })

  it('fails when the node is lost', async () => {
    const socket = open('web/exec?command=cat&stdin=1&stdout=1', ['v5.channel.k8s.io'])
    const result = collected(socket)
    socket.once('open', () => socket.send(Buffer.from('\0hello')))
    await new Promise<void>(resolve => socket.on('message', (data: Buffer) => data.length > 1 && resolve()))
    kubelet.breakConnections()
    const { status, reason } = JSON.parse((await result).channels[3]!)
    assert.deepEqual([status, reason], ['Failure', 'InternalError'])
  })

  it('ends at the kubelet when the client goes', async () => {
    while (kubelet.connections() > 0) await new Promise(setImmediate)
    const socket = open('web/attach?stdin=1&stdout=1', ['v5.channel.k8s.io'])
    await once(socket, 'message')
    while (kubelet.connections() === 0) await new Promise(setImmediate)
    socket.terminate()
    while (kubelet.connections() > 0) await new Promise(setImmediate)
  })
})

/** Asks for an upgrade. Resolves with the connection, or with the refusal. */
function upgrade(path: string, headers: Record<string, string | string[]>): Promise<Duplex | { status: number; text: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = https.request({
      host: hostname,
      port,
      method: 'POST',
      path: `${pods}/${path}`,
      ca: server.caCertificate,
      ...credentials(),
      headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'content-length': '0', ...headers }
    })
    request.on('upgrade', (_, socket) => resolve(socket))
    request.on('response', async answer => {
      let text = ''
      for await (const piece of answer) text += piece
      resolve({ status: answer.statusCode!, text })
    })
    request.on('error', reject)
    request.end()
  })
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of stream) text += piece
  return text
}

describe('a stream whose protocol the kubelet speaks itself', () => {
  it('is passed on, byte by byte', async () => {
    const socket = (await upgrade('web/exec?command=cat&stdin=1&stdout=1', {
      'x-stream-protocol-version': 'v4.channel.k8s.io'
    })) as Duplex
    const connection = new SpdyConnection(socket)
    const [error, stdin, stdout] = ['error', 'stdin', 'stdout'].map(streamtype => connection.open({ streamtype }))
    stdin!.resume().end('over SPDY')
    assert.equal(await textOf(stdout!), 'over SPDY')
    assert.equal(await textOf(error!), '{"metadata":{},"status":"Success"}')
    connection.close()
  })

  it('does not carry the credentials of the client', async () => {
    const socket = (await upgrade('web/portforward', {
      'impersonate-user': 'other',
      'impersonate-group': 'system:masters',
      cookie: 'a=b'
    })) as Duplex
    const { cookie, host, ...headers } = kubelet.headers()
    assert.deepEqual([headers['impersonate-user'], cookie], [undefined, 'a=b'])
    assert.deepEqual([headers['x-forwarded-for'], host], ['127.0.0.1', new URL(server.url).host])
    socket.destroy()
  })

  it('needs a request for an upgrade', async () => {
    assert.deepEqual(await refused('web/exec?command=x'), [400, 'Upgrade request required'])
  })

  it('reaches a kubelet over WebSocket in older versions of the protocol', async () => {
    const socket = open('web/exec?command=cat&stdin=1&stdout=1', ['v4.channel.k8s.io'])
    socket.on('error', () => {})
    // the fake kubelet accepts without a key, which the client does not trust
    await once(socket, 'error')
    assert.equal(kubelet.requests.at(-1), 'GET /exec/default/web/main?command=cat&input=1&output=1')
    assert.equal(kubelet.headers()['sec-websocket-protocol'], 'v4.channel.k8s.io')
  })
})

describe('a port-forward over WebSocket', () => {
  it('carries SPDY in its messages', async () => {
    const { createWebSocketStream } = await import('ws')
    const url = `${server.url.replace('https', 'wss')}${pods}/web/portforward?ports=80,81&ports=82`
    // the library for clients allows no slash in a protocol
    const socket = new WebSocket(url, {
      ca: server.caCertificate,
      ...credentials(),
      headers: { 'Sec-WebSocket-Protocol': 'SPDY/3.1+portforward.k8s.io' }
    })
    let chosen: string | undefined
    socket.once('upgrade', ({ headers }) => {
      chosen = headers['sec-websocket-protocol']
      delete headers['sec-websocket-protocol']
    })
    await once(socket, 'open')
    assert.equal(chosen, 'SPDY/3.1+portforward.k8s.io')
    const connection = new SpdyConnection(createWebSocketStream(socket))
    const ids = { port: '80', requestid: '0' }
    const error = connection.open({ streamtype: 'error', ...ids })
    const data = connection.open({ streamtype: 'data', ...ids })
    error.end()
    data.end('ping')
    assert.equal(await textOf(data), 'ping')
    assert.equal(await textOf(error), '')
    assert.equal(kubelet.requests.at(-1), 'POST /portForward/default/web?port=80%2C81%2C82')
    assert.equal(kubelet.headers()['x-stream-protocol-version'], 'portforward.k8s.io')
    connection.close()
  })
})

describe('the streams and logs of Pods', () => {
  const metrics = async () => String((await server.inject({ url: '/metrics', user })).body)
  const valueIn = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${series} `))
        ?.slice(series.length + 1) ?? 0
    )

  it('are in the metrics: while they are open, and by who translates them', async () => {
    const open1 =
      'apiserver_longrunning_requests{component="apiserver",group="",resource="pods",scope="resource",subresource="exec",verb="CONNECT",version="v1"}'
    const translated = 'apiserver_stream_translator_requests_total{code="200"}'
    const routed = 'apiserver_websocket_streaming_requests_total{proxy_type="translated_at_apiserver",subresource="exec"}'
    const logs = 'kube_apiserver_pod_logs_insecure_backend_total{usage="enforce_tls"}'
    await read('web/log')
    const before = await metrics()
    await read('web/log')
    const socket = open('web/exec?command=cat&stdin=1&stdout=1', ['v5.channel.k8s.io'])
    await once(socket, 'open')
    const during = await metrics()
    assert.equal(valueIn(during, open1), valueIn(before, open1) + 1)
    socket.send(Buffer.from([255, 0]))
    await once(socket, 'close')
    while (valueIn(await metrics(), open1) > valueIn(before, open1)) await new Promise(setImmediate)
    const after = await metrics()
    for (const series of [translated, routed, logs]) assert.equal(valueIn(after, series), valueIn(before, series) + 1, series)
    assert.ok(valueIn(after, 'apiserver_stream_tunnel_requests_total{code="101"}') >= 1)
  })

  it('come in base64 to WebSocket clients who ask for that', async () => {
    for (const [protocol, expected] of [
      ['base64.binary.k8s.io', Buffer.from('one\ntwo\n').toString('base64')],
      ['binary.k8s.io', 'one\ntwo\n']
    ] as const) {
      const socket = open('web/log', ['other', protocol])
      const [[data, isBinary]] = (await Promise.all([once(socket, 'message'), once(socket, 'close')])) as [
        [Buffer, boolean],
        unknown
      ]
      assert.deepEqual([String(data), isBinary], [expected, protocol === 'binary.k8s.io'])
    }
    const [, refused] = await once(open('web/log', ['other']), 'unexpected-response')
    assert.equal(refused.statusCode, 403)
  })
})

describe('many commands at once, whose clients read slowly', () => {
  it('lose nothing and mix nothing up', async () => {
    const echoed = async (index: number) => {
      const socket = open('web/exec?command=cat&stdin=1&stdout=1', ['v5.channel.k8s.io'])
      const sent = Buffer.alloc(512 * 1024, `${index} `)
      const pieces: Buffer[] = []
      socket.on('message', (data: Buffer) => {
        if (data[0] === 1) pieces.push(data.subarray(1))
        socket.pause()
        setImmediate(() => socket.resume())
      })
      await once(socket, 'open')
      for (let at = 0; at < sent.length; at += 40_000)
        socket.send(Buffer.concat([Buffer.from([0]), sent.subarray(at, at + 40_000)]))
      socket.send(Buffer.from([255, 0]))
      await once(socket, 'close')
      return Buffer.concat(pieces).equals(sent)
    }
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => echoed(index)))
    assert.deepEqual(results, Array(20).fill(true))
  })
})
