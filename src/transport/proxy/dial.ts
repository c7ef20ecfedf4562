/** Opens connections to other servers, with TLS where they have it. */
import net from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { hostAndPort } from '../../util/url-parts.js'
import type { Pool } from '../certificates/chains.js'
import { rootsOf, serverError } from '../certificates/server-certificate.js'
import type { Connect } from '../egress/egress-selector.js'
import { asGoError } from '../webhooks/go-errors.js'
import type { Dial } from './dial-target.js'

/** Milliseconds for opening a connection, as in Go. */
const connectMs = 30_000
const handshakeMs = 10_000

export interface TlsOptions {
  /** The authorities of the server's certificate, as PEM. */
  readonly ca?: string | undefined
  /** Whether the server's certificate is verified. Default: when there is a `ca`. */
  readonly verifies?: boolean | undefined
  /** The name that the server's certificate must have, instead of the host's. */
  readonly serverName?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** A connection could not be opened. The message has Go's words. */
export class DialError extends Error {}

/**
 * `options` is called for each connection over TLS, because files may change. `egress` opens connections in place of a direct
 * dial.
 */
export function dialer(options: () => TlsOptions | Promise<TlsOptions>, egress?: Connect): Dial {
  let known: { readonly ca: string; readonly roots: Pool } | undefined
  const rootsIn = (ca: string): Pool => {
    if (known?.ca !== ca) known = { ca, roots: rootsOf(ca) }
    return known.roots
  }
  return async ({ scheme, host, port, address }, signal) => {
    const isTls = scheme === 'https'
    const tlsOptions = isTls ? await options() : undefined
    signal?.throwIfAborted()
    const plain = await (egress ? through(egress, address ?? host, port, signal) : direct(address ?? host, port, signal))
    if (!tlsOptions) return plain
    const { ca, cert, key, verifies = ca !== undefined, serverName = host } = tlsOptions
    const secured = tls.connect({
      ca,
      cert,
      key,
      socket: plain,
      host,
      // an IP address must not be sent as the server name
      ...(net.isIP(serverName) ? {} : { servername: serverName }),
      // authorities that are given are asked below, by Go's rules
      rejectUnauthorized: verifies && ca === undefined,
      // as Go does, this trusts any certificate that it is given
      allowPartialTrustChain: true,
      ALPNProtocols: ['http/1.1']
    } as tls.ConnectionOptions)
    await opened(secured, 'secureConnect', handshakeMs, 'net/http: TLS handshake timeout', signal)
    const untrusted = verifies && ca !== undefined && serverError(secured, rootsIn(ca), serverName)
    if (!untrusted) return secured
    secured.destroy()
    throw new DialError(untrusted.message)
  }
}

async function direct(host: string, port: number, signal: AbortSignal | undefined): Promise<net.Socket> {
  const socket = net.connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 })
  await opened(socket, 'connect', connectMs, `dial tcp ${hostAndPort(host, port)}: i/o timeout`, signal)
  return socket
}

const through = (egress: Connect, host: string, port: number, signal: AbortSignal | undefined): Promise<Duplex> =>
  egress(host, port, signal).catch(error => {
    signal?.throwIfAborted()
    throw new DialError(asGoError(error))
  })

/** Waits for a connection to be ready. Rejects with DialError, or with the signal's reason. */
function opened(
  socket: net.Socket,
  event: string,
  timeoutMs: number,
  timedOut: string,
  signal: AbortSignal | undefined
): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      settle()
      // later errors do not matter
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => failed(new DialError(timedOut)), timeoutMs)
    const onError = (error: NodeJS.ErrnoException) =>
      failed(
        new DialError(notTls.has(error.code ?? '') ? 'tls: first record does not look like a TLS handshake' : asGoError(error))
      )
    const onClose = () => failed(new DialError('EOF'))
    const onAbort = () => failed(signal!.reason)
    const onOpen = () => {
      settle()
      resolve()
    }
    const settle = () => {
      clearTimeout(timer)
      socket.off('error', onError).off('close', onClose).off(event, onOpen)
      signal?.removeEventListener('abort', onAbort)
    }
    socket.once('error', onError).once('close', onClose).once(event, onOpen)
    signal?.addEventListener('abort', onAbort)
  })
}

const notTls: ReadonlySet<string> = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'])
