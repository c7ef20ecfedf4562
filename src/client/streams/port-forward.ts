/** Reaches the ports of Pods, over WebSocket with SPDY inside (KEP-4006), as kubectl does. */
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { SpdyConnection } from '../../transport/spdy/connection.js'
import type { KubeClient, ObjectName } from '../types.js'
import { podPath } from './pod-path.js'

const protocol = 'SPDY/3.1+portforward.k8s.io'
/** The most bytes of the reason why a connection failed. */
const maxReasonBytes = 4096

/**
 * Options of `portForward`.
 *
 * @example
 * const options: PortForwardOptions = { namespace: 'team', localPort: 8080 }
 */
export interface PortForwardOptions {
  readonly namespace?: string | undefined
  /** The port on this machine; a free one, when left out. */
  readonly localPort?: number | undefined
  /** The address on which to listen; `127.0.0.1`. */
  readonly address?: string | undefined
  /** Called for each connection that failed. */
  readonly onError?: ((error: Error) => void) | undefined
}

/**
 * A port on this machine that leads to one of a Pod.
 *
 * @example
 * await using forward: PortForward = await portForward(client, 'web', 80)
 * await fetch(`http://127.0.0.1:${forward.port}/`)
 */
export interface PortForward extends AsyncDisposable {
  /** The port on this machine. */
  readonly port: number
  /** Ends all connections. */
  close(): Promise<void>
}

/**
 * Opens one connection to a port of a Pod. It is destroyed with an error when the Pod does not take it.
 *
 * @example
 * const socket = await connectToPort(client, 'database', 5432)
 */
export async function connectToPort(
  client: KubeClient,
  pod: ObjectName,
  port: number,
  { namespace }: { readonly namespace?: string | undefined } = {}
): Promise<Duplex> {
  const tunnel = await openTunnel(client, pod, port, namespace)
  const stream = tunnel.connect()
  stream.once('close', () => tunnel.close())
  return stream
}

/**
 * Listens on a port of this machine and passes its connections on to a port of a Pod, until `close`. The connections share one
 * WebSocket, which is opened again when it is lost.
 *
 * @example
 * await using forward = await portForward(client, 'web', 80, { localPort: 8080 })
 */
export async function portForward(
  client: KubeClient,
  pod: ObjectName,
  port: number,
  { namespace, localPort = 0, address = '127.0.0.1', onError }: PortForwardOptions = {}
): Promise<PortForward> {
  let tunnel = openTunnel(client, pod, port, namespace)
  // a Pod that does not exist is told at once
  await tunnel
  const current = async (): Promise<Tunnel> => {
    const known = tunnel
    const isOpen = await known.then(
      ({ isOpen }) => isOpen,
      () => false
    )
    // the first that notices opens the next, for all
    if (!isOpen && tunnel === known) tunnel = openTunnel(client, pod, port, namespace)
    return tunnel
  }
  const sockets = new Set<net.Socket>()
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const failed = (error: Error) => {
      socket.destroy()
      onError?.(error)
    }
    socket.on('error', () => socket.destroy())
    current().then(({ connect }) => {
      const stream = connect()
      stream.on('error', failed)
      socket.once('close', () => stream.destroy())
      socket.pipe(stream).pipe(socket)
    }, failed)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(localPort, address, resolve)
  })
  const close = async () => {
    const ended = new Promise<void>(resolve => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    const last = await tunnel.catch(() => undefined)
    last?.close()
    await ended
  }
  return { port: (server.address() as net.AddressInfo).port, close, [Symbol.asyncDispose]: close }
}

interface Tunnel {
  readonly isOpen: boolean
  connect(): Duplex
  close(): void
}

async function openTunnel(client: KubeClient, pod: ObjectName, port: number, namespace: string | undefined): Promise<Tunnel> {
  const url = podPath(client, pod, 'portforward', namespace, [['ports', port]])
  const { connection } = await client.webSocket({ url }, [protocol])
  const spdy = new SpdyConnection(connection)
  let requests = 0
  return {
    get isOpen() {
      return !connection.destroyed && !connection.readableEnded
    },
    connect() {
      const headers = { port: String(port), requestid: String(requests++) }
      const errors = spdy.open({ streamtype: 'error', ...headers })
      errors.end()
      const data = spdy.open({ streamtype: 'data', ...headers })
      let reason = ''
      errors.on('data', piece => {
        if (reason.length < maxReasonBytes) reason += piece
      })
      errors.once('end', () => {
        if (reason !== '') data.destroy(new Error(reason))
      })
      return data
    },
    close: () => spdy.close()
  }
}
