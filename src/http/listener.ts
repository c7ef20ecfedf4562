/** One TLS port for HTTP/1.1 and HTTP/2, by ALPN. */
import { constants } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import type { Handler } from '../chain/handler.js'
import { UserError } from '../util/user-error.js'
import { type ConnectionLimits, connectionLimits } from './connection-limits.js'
import { Connections } from './connections.js'
import { createHttp1Server } from './http1.js'
import { createHttp2Server } from './http2.js'

export interface ListenerOptions {
  readonly address: string
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly clientCAs: readonly string[]
  /** Versions, cipher suites and curves; Node's defaults. */
  readonly tls?: TlsSettings | undefined
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

export async function listen(handler: Handler, options: ListenerOptions): Promise<Listener> {
  const limits = {
    ...connectionLimits,
    ...(options.http2?.maxStreams ? { concurrentStreams: options.http2.maxStreams } : {}),
    ...options.limits
  }
  const connections = new Connections(limits)
  const http1 = createHttp1Server(handler, connections, limits)
  const http2 = createHttp2Server(handler, connections, limits, options.http2?.goawayChance)
  const server = tls.createServer({
    cert: options.certificate,
    key: options.key,
    ca: [...options.clientCAs],
    // the x509 authenticator validates the certificate: a wrong one is a 401, not a failed handshake
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ...options.tls,
    ALPNProtocols: options.http2?.disabled ? ['http/1.1'] : ['h2', 'http/1.1'],
    handshakeTimeout: limits.handshakeTimeout,
    // a resumed session would have the client's certificate without its intermediates
    secureOptions: constants.SSL_OP_NO_TICKET
  })
  server.on('connection', socket => {
    connections.add(socket)
    socket.setNoDelay(true)
  })
  server.on('tlsClientError', (_, socket) => {
    options.handshakeFailed?.()
    socket.destroy()
  })
  server.on('secureConnection', socket => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket)
    else http1.accept(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenError(error, options)))
    server.listen(options.port, options.address, resolve)
  })
  server.on('error', () => {})
  return {
    port: (server.address() as AddressInfo).port,
    use: ({ certificate, key }) =>
      server.setSecureContext({
        cert: certificate,
        key,
        ca: [...options.clientCAs],
        minVersion: 'TLSv1.2',
        ...options.tls,
        secureOptions: constants.SSL_OP_NO_TICKET
      }),
    async close(graceMs) {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      http1.close()
      http2.close()
      // the HTTP/1.1 server does not know connections without a first request, so they are closed here
      const timer = setTimeout(() => connections.closeAll(), graceMs)
      await closed
      clearTimeout(timer)
      connections.closeAll()
    }
  }
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
