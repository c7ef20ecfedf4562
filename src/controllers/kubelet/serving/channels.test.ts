import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import type { Draft } from '../../../client/stored-types.js'
import { type BinnacleServer, createServer } from '../../../index.js'
import { eventually } from '../../../testkit/eventually.js'
import { silentLogger } from '../../../util/logger.js'

const declared = { 'simulate.binnacle.dev/exec': '{"both": {"stdout": "out\\n", "stderr": "err\\n", "exitCode": 3}}' }
let server: BinnacleServer

before(async () => {
  server = createServer({ simulate: { nodes: 1 }, log: silentLogger })
  await server.start()
  const pods = server.client().of('v1', 'Pod')
  const run = async (name: string, container: object) => {
    const spec = { containers: [{ name: 'c', image: 'nginx', ...container }] }
    await pods.create({ metadata: { name, annotations: declared }, spec } as Draft<object> as never)
    await eventually(
      `${name} runs`,
      () => pods.get(name),
      ({ status }) => status.phase === 'Running'
    )
  }
  await run('web', {})
  await run('one-port', { ports: [{ containerPort: 80 }] })
})
after(() => server.stop())

function open(path: string, protocols: string[]): WebSocket {
  const kubeconfig = server.kubeconfig()
  const data = (name: string) =>
    Buffer.from(new RegExp(`${name}-data["']?: ["']?([\\w+/=]+)`).exec(kubeconfig)![1]!, 'base64').toString()
  const url = `${server.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/${path}`
  const keys = { cert: data('client-certificate'), key: data('client-key') }
  return new WebSocket(url, protocols, { ca: server.caCertificate, ...keys })
}

const binary = (message: Buffer): [string, Buffer] => [String(message[0]), message.subarray(1)]
const base64 = (message: Buffer): [string, Buffer] => {
  const text = message.toString()
  return [text[0]!, Buffer.from(text.slice(1), 'base64')]
}

/** Collects what comes on each channel until the connection ends. */
async function collected(socket: WebSocket, decode = binary) {
  const channels: Record<string, Buffer> = {}
  socket.on('message', (message: Buffer) => {
    const [channel, bytes] = decode(message)
    channels[channel] = Buffer.concat([channels[channel] ?? Buffer.alloc(0), bytes])
  })
  const [code] = await once(socket, 'close')
  const texts = Object.fromEntries(Object.entries(channels).map(([channel, bytes]) => [channel, bytes.toString('latin1')]))
  return { code, protocol: socket.protocol, texts }
}

describe('a simulated kubelet, for clients that speak WebSocket with the protocols before v5', () => {
  test('runs commands, and tells how they end', async () => {
    const { code, protocol, texts } = await collected(open('web/exec?stdout=1&stderr=1&command=both', ['v4.channel.k8s.io']))
    const { 3: status, ...output } = texts
    assert.deepEqual([code, protocol, output], [1000, 'v4.channel.k8s.io', { 1: 'out\n', 2: 'err\n' }])
    assert.equal(JSON.parse(status!).details.causes[0].message, '3')
    const succeeded = await collected(open('web/exec?stdout=1&command=true', ['v4.channel.k8s.io']))
    assert.deepEqual(succeeded.texts, { 1: '', 3: '{"metadata":{},"status":"Success"}' })
  })

  test('tells the oldest ones nothing of a success, and a text of a failure', async () => {
    const failed = await collected(open('web/exec?stdout=1&command=both', ['channel.k8s.io']))
    assert.deepEqual(failed.texts, { 1: 'out\n', 3: 'command terminated with non-zero exit code: exit code 3' })
    assert.deepEqual((await collected(open('web/exec?stdout=1&command=true', []))).texts, { 1: '' })
  })

  test('speaks base64', async () => {
    const socket = open('web/exec?stdout=1&command=both', ['v4.base64.channel.k8s.io'])
    assert.equal((await collected(socket, base64)).texts[1], 'out\n')
  })

  test('reads what is typed', async () => {
    const socket = open('web/exec?stdin=1&stdout=1&tty=1&command=sh', ['v4.channel.k8s.io'])
    const end = collected(socket)
    await once(socket, 'open')
    socket.send('\0echo typed\nexit 4\n')
    const { texts } = await end
    assert.match(texts[1]!, /\r\ntyped\r\n/)
    assert.match(texts[3]!, /exit code 4/)
  })

  test('opens the best shell that there is, as k9s asks for it', async () => {
    const script = encodeURIComponent('command -v bash >/dev/null && exec bash || exec sh')
    const command = `command=sh&command=-c&command=${script}`
    const socket = open(`web/exec?stdin=1&stdout=1&tty=1&${command}`, ['v4.channel.k8s.io'])
    const end = collected(socket)
    await once(socket, 'open')
    socket.send('\0echo typed; exit 4\n')
    const { texts } = await end
    assert.match(texts[1]!, /\r\ntyped\r\n/)
    assert.match(texts[3]!, /exit code 4/)
    const unread = await collected(open(`web/exec?stdout=1&${command}`, ['v4.channel.k8s.io']))
    assert.deepEqual(unread.texts, { 1: '', 3: '{"metadata":{},"status":"Success"}' })
  })

  test('forwards ports: each has two channels, which begin with its number', async () => {
    const socket = open('web/portforward?ports=80&ports=443', ['v5.channel.k8s.io', 'v4.channel.k8s.io'])
    const end = collected(socket)
    await once(socket, 'open')
    const request = 'GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n'
    for (const channel of ['\0', '\x02']) socket.send(`${channel}${request}`)
    const { code, texts } = await end
    assert.deepEqual([code, texts[1], texts[3]], [1000, 'P\0', '\xbb\x01'])
    for (const [channel, start] of [
      ['0', 'P\0'],
      ['2', '\xbb\x01']
    ] as const) {
      assert.ok(texts[channel]!.startsWith(`${start}HTTP/1.1 200 OK`), channel)
      assert.ok(texts[channel]!.includes('simulated\n'), channel)
    }
  })

  test('says that nothing listens on a port which a Pod with ports does not name', async () => {
    const { texts } = await collected(open('one-port/portforward?ports=81', ['v4.channel.k8s.io']))
    assert.deepEqual(texts, { 0: 'Q\0', 1: 'Q\0error forwarding port 81 to pod one-port, uid : connection refused' })
  })

  test('refuses a request without a port, and protocols that it does not know', async () => {
    for (const [path, protocol] of [
      ['web/portforward', 'v4.channel.k8s.io'],
      ['web/portforward?ports=80', 'other'],
      ['web/exec?stdout=1&command=true', 'other']
    ] as const) {
      const [error] = await once(open(path, [protocol]), 'error')
      assert.match(String(error), /400/, path)
    }
  })
})
