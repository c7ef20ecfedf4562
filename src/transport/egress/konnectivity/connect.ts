/**
 * Connects through a konnectivity proxy, which listens on a Unix socket and speaks gRPC: `proxyProtocol: GRPC`. As in kube-apiserver, each
 * connection has a gRPC connection of its own.
 */
import { randomInt } from 'node:crypto'
import type { Client } from '@grpc/grpc-js'
import { lazyPackage } from '../../../util/lazy-package.js'
import { unixTarget } from '../../../util/unix-target.js'
import { hostAndPort } from '../../../util/url-parts.js'
import { EgressError } from '../egress-error.js'
import type { Connect } from '../egress-selector.js'
import { decodePacket, encodePacket, type Packet } from './packet.js'
import { endStream, type PacketStream, Tunnel } from './tunnel.js'

const grpc = lazyPackage<typeof import('@grpc/grpc-js')>('@grpc/grpc-js')

const connectMs = 30_000
const dialMs = 30_000
/** The largest number that randomInt gives. */
const maxDial = 2 ** 48 - 1

/** `socket`: the path of the Unix socket. Rejects like `connectThrough`. */
export const connectThroughKonnectivity =
  (socket: string): Connect =>
  async (host, port, signal) => {
    signal?.throwIfAborted()
    const client = clientOf(socket)
    try {
      await ready(client, socket, signal)
      return await dial(client, hostAndPort(host, port), signal)
    } catch (error) {
      client.close()
      throw error
    }
  }

function clientOf(socket: string): Client {
  const { Client, credentials } = grpc()
  return new Client(unixTarget(socket), credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.initial_reconnect_backoff_ms': 1000,
    'grpc.use_local_subchannel_pool': 1
  })
}

function ready(client: Client, socket: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal!.reason as Error)
    signal?.addEventListener('abort', onAbort, { once: true })
    client.waitForReady(Date.now() + connectMs, error => {
      signal?.removeEventListener('abort', onAbort)
      if (error) reject(new EgressError('connect', `dial unix ${socket}: context deadline exceeded`))
      else resolve()
    })
  })
}

/** Asks the proxy for a connection to an address. */
function dial(client: Client, address: string, signal: AbortSignal | undefined): Promise<Tunnel> {
  const number = randomInt(1, maxDial)
  const stream: PacketStream = client.makeBidiStreamRequest('/ProxyService/Proxy', (bytes: Buffer) => bytes, decodePacket)
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      stream.off('data', onPacket).off('end', onGone).off('error', onGone)
    }
    const fail = (error: Error) => {
      settle()
      endStream(stream)
      reject(error)
    }
    const failed = (why: string) => fail(new EgressError('proxy', why))
    const giveUp = (error: Error) => {
      stream.write(encodePacket({ type: 'dial close', dial: number }))
      fail(error)
    }
    const onGone = () => failed('tunnel closed')
    const onAbort = () => giveUp(signal!.reason as Error)
    const timer = setTimeout(() => giveUp(new EgressError('proxy', 'dial timeout, backstop')), dialMs)
    const onPacket = (packet: Packet | undefined) => {
      if (packet?.type === 'dial close') return failed('dial closed')
      if (packet?.type !== 'dial response' || packet.dial !== number) return
      if (packet.error !== '') return failed(packet.error)
      settle()
      resolve(new Tunnel(client, stream, packet.connection))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    stream.on('data', onPacket).on('end', onGone).on('error', onGone)
    stream.write(encodePacket({ type: 'dial request', address, dial: number }))
  })
}
