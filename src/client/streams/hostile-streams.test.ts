/** Servers that do not behave. */
import assert from 'node:assert/strict'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import { eventually } from '../../testkit/eventually.js'
import { duplexPair } from '../../util/duplex-pair.js'
import type { KubeClient } from '../types.js'
import { exec } from './exec.js'
import { portForward } from './port-forward.js'

/** A client whose WebSockets lead to what the test holds. */
function clientTo(opened: (server: Duplex) => void): KubeClient {
  const webSocket: KubeClient['webSocket'] = async (_, [protocol]) => {
    const [connection, server] = duplexPair({ messages: true })
    opened(server)
    return { protocol: protocol!, connection }
  }
  return { namespace: 'default', webSocket } as unknown as KubeClient
}

describe('a stream of a server that does not behave', () => {
  test('tells no end of the command without an end', async () => {
    const client = clientTo(server => {
      const more = () => server.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(4096, '[')])) || server.once('drain', more)
      for (let i = 0; i < 20; i++) more()
    })
    await assert.rejects(exec(client, 'web', { command: ['ls'] }), /says too much about the end of the command/)
  })

  test('is opened again once, for all connections that find it lost', async t => {
    const servers: Duplex[] = []
    const client = clientTo(server => void servers.push(server.on('error', () => {}).resume()))
    const forward = await portForward(client, 'web', 80)
    t.after(() => forward.close())
    servers[0]!.destroy()
    await eventually('the tunnel is lost', () => servers[0]!.closed)
    const sockets = [1, 2, 3].map(() => net.connect(forward.port, '127.0.0.1').on('error', () => {}))
    await eventually('another tunnel is there', () => servers.length > 1)
    await Promise.all(
      sockets.map(socket => new Promise(resolve => (socket.connecting ? socket.once('connect', resolve) : resolve(0))))
    )
    await new Promise(setImmediate)
    assert.equal(servers.length, 2)
    for (const socket of sockets) socket.destroy()
  })
})
