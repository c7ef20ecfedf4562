/** One TLS port for HTTP/1.1 and HTTP/2, by ALPN. */
import { constants } from 'node:crypto'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import type { Handler } from '../../apimachinery/request/message.js'
import { nextTurn } from '../../util/turns.js'
import { UserError } from '../../util/user-error.js'
import { type ConnectionLimits, connectionLimits } from './connection-limits.js'
import { Connections } from './connections.js'
import { createHttp1Server } from './http1/server.js'
import { createHttp2Server } from './http2/server.js'
import { Turns } from './turns.js'

type Accept = (socket: Socket) => void

/** The connections of a process that has no port, because another one accepts them. */
export interface HandedOver {
  /** Calls `accept` with each connection. Resolves with the port. */
  begin(accept: Accept): Promise<number>
  /** Resolves when no more will come. */
  end(): Promise<void>
}

export interface ListenerOptions {
  readonly address: string
  readonly port: number
  /** Other processes may listen on the same port. */
  readonly sharesPort?: boolean
  /** Takes what another process accepts, in place of an own port. */
  readonly handedOver?: HandedOver | undefined
  /** Returns what is called with each new connection, from which nothing has been read yet: it calls `accept`, or hands it to another process. */
  readonly spread?: ((accept: Accept) => Accept) | undefined
  /** Neither the port nor its connections keep the process from ending. */
  readonly unref?: boolean
  readonly certificate: string
  readonly key: string
  readonly clientCAs: readonly string[]
  /** Versions, cipher suites and curves; Node's defaults. */
  readonly tls?: TlsSettings | undefined
  /** Finds another certificate for the host name that a client asks for. */
  readonly certificateFor?: ((host: string) => { certificate: string; key: string } | undefined) | undefined
  readonly http2?: Http2Settings | undefined
  /** Called when a TLS handshake has failed. */
  readonly handshakeFailed?: (() => void) | undefined
  /** Default: those of connection-limits.ts. */
  readonly limits?: Partial<ConnectionLimits>
}

/** As Node's tls.createServer takes them. */
export interface TlsSettings {
  readonly minVersion?: tls.SecureVersion
  readonly ciphers?: string
  readonly ecdhCurve?: string
}

export interface Http2Settings {
  readonly disabled: boolean
  /** Concurrent requests over one connection; 0 for the default. */
  readonly maxStreams: number
  /** From 0 to 1: how likely a request makes its client connect anew, so that connections spread over servers. */
  readonly goawayChance: number
}

export interface Listener {
  readonly port: number
  /** Replaces the serving certificate for new connections. */
  use(serving: { certificate: string; key: string }): void
  /** Accepts no new connections, lets requests in progress end, and closes the remaining connections after `graceMs`. */
  close(graceMs: number): Promise<void>
}

interface Serving {
  readonly certificate: string
  readonly key: string
}

const contextOptions = ({ certificate, key }: Serving, { clientCAs, tls }: ListenerOptions): tls.SecureContextOptions => ({
  cert: certificate,
  key,
  ca: [...clientCAs],
  minVersion: 'TLSv1.2',
  ...tls,
  // a resumed session would have the client's certificate without its intermediates
  secureOptions: constants.SSL_OP_NO_TICKET
})

/** Makes the context of each certificate once. Without one for the name, the usual certificate is shown. */
function sniCallback(options: ListenerOptions, find: (host: string) => Serving | undefined) {
  const contexts = new Map<Serving, tls.SecureContext>()
  return (host: string, done: (error: Error | null, context?: tls.SecureContext) => void): void => {
    const serving = find(host)
    if (!serving) return done(null)
    let context = contexts.get(serving)
    if (!context) contexts.set(serving, (context = tls.createSecureContext(contextOptions(serving, options))))
    done(null, context)
  }
}

const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number)
const canSharePorts = nodeMajor > 23 || (nodeMajor === 23 && nodeMinor >= 1)

export async function listen(handler: Handler, options: ListenerOptions): Promise<Listener> {
  if (options.sharesPort && !canSharePorts)
    throw new UserError(`--permit-port-sharing needs Node.js 23.1 or later, and this is ${process.version}`)
  const limits = {
    ...connectionLimits,
    ...(options.http2?.maxStreams ? { concurrentStreams: options.http2.maxStreams } : {}),
    ...options.limits
  }
  const connections = new Connections(limits)
  const turns = new Turns()
  const http1 = createHttp1Server(handler, connections, limits, turns)
  const http2 = createHttp2Server(handler, connections, limits, turns, options.http2?.goawayChance)
  const server = tls.createServer({
    ...contextOptions(options, options),
    ...(options.certificateFor ? { SNICallback: sniCallback(options, options.certificateFor) } : {}),
    // the x509 authenticator validates the certificate: a wrong one is a 401, not a failed handshake
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: options.http2?.disabled ? ['http/1.1'] : ['h2', 'http/1.1'],
    handshakeTimeout: limits.handshakeTimeout
  })
  server.on('connection', socket => {
    connections.add(socket)
    if (options.unref) socket.unref()
    socket.setNoDelay(true)
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    options.handshakeFailed?.()
    if (error.code === 'ERR_SSL_HTTP_REQUEST') refusePlainHttp(socket)
    socket.destroy()
  })
  server.on('secureConnection', socket => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket)
    else http1.accept(socket)
  })
  const accept: Accept = socket => void server.emit('connection', socket)
  const entrance = options.handedOver
    ? await passed(options.handedOver, accept)
    : await opened(options.spread ? createServer({ pauseOnConnect: true }, options.spread(accept)) : server, options)
  return {
    port: entrance.port,
    use: serving => server.setSecureContext(contextOptions(serving, options)),
    async close(graceMs) {
      await entrance.close()
      http1.close()
      http2.close()
      // the HTTP/1.1 server does not know connections without a first request, so they are closed here
      const timer = setTimeout(() => connections.closeAll(), graceMs)
      await connections.none()
      clearTimeout(timer)
      connections.closeAll()
      // Node frees a closed handle, and what it refers to, at the end of a turn of the event loop, which begins with the next one here
      await nextTurn()
      await nextTurn()
    }
  }
}

/** Where connections come from. After `close`, no more come. */
interface Entrance {
  readonly port: number
  close(): void | Promise<void>
}

const passed = async (from: HandedOver, accept: Accept): Promise<Entrance> => ({
  port: await from.begin(accept),
  close: () => from.end()
})

async function opened(acceptor: Server, options: ListenerOptions): Promise<Entrance> {
  await open(acceptor, options)
  if (options.unref) acceptor.unref()
  acceptor.on('error', () => {})
  return {
    port: (acceptor.address() as AddressInfo).port,
    // the port is free at once; connections may be with other processes, for which nobody waits here
    close: () => void acceptor.close()
  }
}

const open = (server: Server, options: ListenerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', error => reject(listenError(error, options)))
    // Node 20's types do not know reusePort
    const listening = { port: options.port, host: options.address, reusePort: options.sharesPort ?? false }
    server.listen(listening, resolve)
  })

/** Answers as Go does. The answer goes to the socket below the one that speaks TLS, which Node only exposes under this name. */
function refusePlainHttp(socket: tls.TLSSocket): void {
  const { _parent: plain } = socket as tls.TLSSocket & { _parent?: Socket }
  plain?.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n')
}

function listenError(error: NodeJS.ErrnoException, { address, port }: ListenerOptions): Error {
  if (error.code === 'EADDRINUSE')
    return new UserError(
      `port ${port} on ${address} is in use by another process; choose another with --secure-port (0 takes any free one)`
    )
  if (error.code === 'EACCES')
    return new UserError(`--secure-port ${port}: this user may not listen on it; ports from 1024 up need no privileges`)
  if (error.code === 'EADDRNOTAVAIL') return new UserError(`--bind-address ${address}: this machine has no such address`)
  return error
}
