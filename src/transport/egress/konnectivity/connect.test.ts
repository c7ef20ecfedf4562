import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { eventually, unchanging } from '../../../testkit/eventually.js'
import { type KonnectivityOptions, type KonnectivityProxy, startKonnectivityProxy } from '../../../testkit/konnectivity-proxy.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { EgressError } from '../egress-error.js'
import { openEgressSelector } from '../egress-selector.js'
import { connectThroughKonnectivity } from './connect.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-egress-'))
after(() => rmSync(directory, { recursive: true }))

describe('a connection through a konnectivity proxy', () => {
  let count = 0
  let proxy: KonnectivityProxy
  let target: net.Server
  let accepted: net.Socket[] = []
  let port: number

  before(async () => {
    target = net.createServer({ allowHalfOpen: true }, socket => {
      socket.on('error', () => {})
      accepted.push(socket)
    })
    await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve))
    port = (target.address() as AddressInfo).port
  })
  after(() => target.close())
  afterEach(async () => {
    for (const socket of accepted) socket.destroy()
    accepted = []
    await proxy.close()
  })

  async function start(leadTo: KonnectivityOptions['leadTo'] = () => ({ host: '127.0.0.1', port })) {
    const path = join(directory, `${++count}.sock`)
    proxy = await startKonnectivityProxy(path, { leadTo })
    return connectThroughKonnectivity(path)
  }
  const other = async (): Promise<net.Socket> => {
    await eventually('the target has a connection', () => accepted.length)
    return accepted[0]!
  }

  it('carries bytes in both directions, in pieces that the proxy takes', async () => {
    const connect = await start()
    const socket = await connect('fd00::1', 10250)
    assert.deepEqual(proxy.asked, ['[fd00::1]:10250'])
    ;(await other()).pipe(await other())
    const sent = Buffer.from(Array.from({ length: 3_000_001 }, (_, i) => i % 251))
    socket.write('')
    socket.write(sent)
    const received: Buffer[] = []
    let length = 0
    for await (const chunk of socket) {
      received.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length === sent.length) break
    }
    assert.ok(Buffer.concat(received).equals(sent))
    assert.ok(proxy.largest <= 64 * 1024, `${proxy.largest} bytes`)
  })

  it('asks for no more than its reader takes', async () => {
    const connect = await start()
    const socket = await connect('a', 1)
    const far = await other()
    let written = 0
    const chunk = Buffer.alloc(64 * 1024)
    const more = () => {
      while (written < 256 * 1024 * 1024) {
        written += chunk.length
        if (!far.write(chunk)) return void far.once('drain', more)
      }
    }
    more()
    socket.pause()
    await unchanging('what was written', () => written)
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes`)
    socket.destroy()
  })

  it('ends when the other side closes it', async () => {
    const connect = await start()
    const socket = await connect('a', 1)
    ;(await other()).end('last words')
    let text = ''
    socket.on('data', piece => (text += piece))
    await once(socket, 'close')
    assert.equal(text, 'last words')
    assert.deepEqual(proxy.received, [0])
  })

  it('is closed there when it ends or is destroyed here', async () => {
    const connect = await start()
    for (const close of ['end', 'destroy'] as const) {
      accepted = []
      const socket = await connect('a', 1)
      const ended = once((await other()).resume(), 'end')
      if (close === 'end') socket.end('bye')
      else socket.destroy()
      await ended
      accepted[0]!.end()
      await eventually(
        'the proxy has no connection',
        () => proxy.open.size,
        size => size === 0
      )
    }
    assert.deepEqual(proxy.received, [0, 2, 0, 2])
  })

  it('ends when the proxy goes away', async () => {
    const connect = await start()
    const socket = await connect('a', 1)
    socket.resume()
    const closed = once(socket, 'close')
    await proxy.close()
    await closed
  })

  it('fails with what the proxy says of the address', async () => {
    const connect = await start(() => 'dial tcp 192.0.2.1:10250: connect: connection refused')
    await assert.rejects(
      connect('192.0.2.1', 10250),
      error =>
        error instanceof EgressError &&
        error.stage === 'proxy' &&
        error.message === 'dial tcp 192.0.2.1:10250: connect: connection refused'
    )
  })

  it('fails when the proxy goes away before it answers', async () => {
    const connect = await start(() => undefined)
    const connecting = assert.rejects(connect('a', 1), { message: 'tunnel closed', stage: 'proxy' })
    await eventually(
      'the proxy is asked',
      () => proxy.asked,
      ({ length }) => length === 1
    )
    await proxy.close()
    await connecting
  })

  it('is given up when its signal aborts, and the proxy learns of it', async () => {
    const connect = await start(() => undefined)
    const controller = new AbortController()
    const connecting = assert.rejects(connect('a', 1, controller.signal), { message: 'enough' })
    await eventually(
      'the proxy is asked',
      () => proxy.asked,
      ({ length }) => length === 1
    )
    controller.abort(new Error('enough'))
    await connecting
    await eventually(
      'the proxy learns of it',
      () => proxy.received,
      ({ length }) => length === 2
    )
    assert.deepEqual(proxy.received, [0, 5])
    await assert.rejects(connect('a', 1, controller.signal), { message: 'enough' })
  })

  it('is opened for the networks that the configuration names, and counted', async () => {
    await start(asked => (asked === 'a:1' ? { host: '127.0.0.1', port } : 'no such host'))
    const connection = { proxyProtocol: 'GRPC', transport: { uds: { udsName: join(directory, `${count}.sock`) } } }
    const kind = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' }
    const file = join(directory, 'egress.json')
    writeFileSync(file, JSON.stringify({ ...kind, egressSelections: [{ name: 'cluster', connection }] }))
    const metrics = new Metrics()
    const { cluster } = openEgressSelector(file, metrics)
    ;(await cluster!('a', 1)).destroy()
    await assert.rejects(cluster!('b', 1), { message: 'no such host' })
    const text = await metrics.text()
    assert.match(text, /egress_dialer_dial_start_total\{protocol="grpc",transport="uds"\} 2\n/)
    assert.match(text, /egress_dialer_dial_failure_count\{protocol="grpc",stage="proxy",transport="uds"\} 1\n/)
  })

  it('says when nothing has passed for a time', async () => {
    const connect = await start()
    const socket = await connect('a', 1)
    await new Promise<void>(resolve => socket.setTimeout(20, resolve))
    socket.destroy()
  })
})
