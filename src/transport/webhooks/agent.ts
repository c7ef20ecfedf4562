/** The HTTP client of all webhooks. Loads undici, so import it only when there is a webhook to call. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, interceptors, ProxyAgent } from 'undici'
import { rootsOf, serverError } from '../certificates/server-certificate.js'
import type { Connect } from '../egress/egress-selector.js'

const idleMs = 30_000
/** The most redirects that Go's client follows. */
const maxRedirections = 10

interface TlsOptions {
  /** The authorities of the server's certificate, as PEM; without it those that Node.js trusts. */
  readonly ca?: string
  /** The name that the server's certificate must have, instead of the host's. */
  readonly servername?: string
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly rejectUnauthorized?: boolean
}
type WrapConnector = (connect: buildConnector.connector) => buildConnector.connector

/**
 * Returns the options of TLS as Go means them: it trusts every certificate that it is given as an authority, even the server's
 * own.
 */
const tlsOf = (options: TlsOptions): buildConnector.BuildOptions =>
  ({ ...options, allowPartialTrustChain: true, timeout: idleMs }) as buildConnector.BuildOptions

/** Verifies servers as Go does, where authorities are given. */
function connectorOf(options: TlsOptions): buildConnector.connector {
  const { ca, rejectUnauthorized = true, servername } = options
  if (ca === undefined || !rejectUnauthorized) return buildConnector(tlsOf(options))
  const roots = rootsOf(ca)
  const connect = buildConnector({ ...tlsOf(options), rejectUnauthorized: false, maxCachedSessions: 0 })
  return (request, callback) =>
    connect(request, (failure, socket) => {
      if (failure) return callback(failure, null)
      const untrusted =
        request.protocol === 'https:' &&
        serverError(socket as TLSSocket, roots, request.servername || servername || request.hostname)
      if (!untrusted) return callback(null, socket)
      socket.destroy()
      callback(untrusted, null)
    })
}

/**
 * Makes a client with TLS options. `wrap` may replace the addresses that are dialed, `direct` the ones to which single requests go. It follows
 * redirects as Go does.
 */
export function makeAgent(
  options: TlsOptions,
  wrap: WrapConnector = connect => connect,
  direct?: Dispatcher.DispatcherComposeInterceptor
): Dispatcher {
  const agent = new Agent({ connect: wrap(connectorOf(options)), keepAliveTimeout: idleMs })
  return redirecting(direct ? agent.compose(direct) : agent)
}

/** Makes a client that dials through a proxy. */
export function makeProxyAgent(proxy: string, options: TlsOptions): Dispatcher {
  return redirecting(new ProxyAgent({ uri: proxy, requestTls: tlsOf(options), keepAliveTimeout: idleMs }))
}

/** Returns a connector that dials through `egress`, or directly without one. */
export const throughEgress =
  (egress: Connect | undefined): WrapConnector =>
  connect =>
    egress
      ? (options, callback) => {
          const { hostname, protocol, port } = options
          egress(hostname.replace(/^\[|\]$/g, ''), Number(port || (protocol === 'http:' ? 80 : 443))).then(
            socket =>
              protocol === 'http:'
                ? callback(null, socket as Socket)
                : connect({ ...options, httpSocket: socket as Socket }, callback),
            error => callback(error as Error, null)
          )
        }
      : connect

const redirecting = (agent: Dispatcher | Dispatcher.ComposedDispatcher): Dispatcher =>
  agent.compose(interceptors.redirect({ maxRedirections }))
