/** Opens connections to the server of a client: directly or through a proxy, with TLS. */
import http from 'node:http'
import https from 'node:https'
import net, { isIP, type Socket } from 'node:net'
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls'
import { hostAndPort } from '../../util/url-parts.js'
import type { ClusterAccess } from './access.js'
import type { ClientCertificate } from './credentials.js'
import { Deadline } from './deadline.js'
import { ConnectionError } from './errors.js'
import { connectBySocks } from './socks.js'

const timeoutMs = 30_000
const keepAliveMs = 30_000

/** Resolves with a connected socket. `protocols` are those of ALPN. Rejects with a ConnectionError. */
export async function dial(
  access: ClusterAccess,
  certificate: ClientCertificate | undefined,
  protocols: readonly string[]
): Promise<Socket> {
  const { server, proxy } = access
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const isTls = server.protocol === 'https:'
  const port = Number(server.port || (isTls ? 443 : 80))
  // sockets listen to the signal as long as they live, so what aborts it has to end
  const deadline = new Deadline(timeoutMs, [])
  const { signal } = deadline
  try {
    const socket = await connected(proxy, host, port, signal)
    socket.setNoDelay(true).setKeepAlive(true, keepAliveMs)
    return isTls ? await secured(socket, host, access, certificate, protocols, signal) : socket
  } catch (error) {
    throw new ConnectionError(server.origin, signal.aborted ? new Error('the connection took too long') : (error as Error))
  } finally {
    deadline.end()
  }
}

function connected(proxy: URL | undefined, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  if (!proxy) return open(net.connect({ host, port, signal }), 'connect')
  if (proxy.protocol.startsWith('socks')) return connectBySocks(proxy, host, port, signal)
  return connectByHttp(proxy, hostAndPort(host, port), signal)
}

function connectByHttp(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { host: target }
    const [user, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)]
    if (user !== '') headers['proxy-authorization'] = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const { request } = proxy.protocol === 'https:' ? https : http
    const asked = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers,
      agent: false,
      signal
    })
    asked.on('connect', (answer, socket, head) => {
      if (answer.statusCode !== 200 || head.length > 0) {
        socket.destroy()
        return reject(new Error(`the proxy ${proxy.host} answered ${answer.statusCode} ${answer.statusMessage}`))
      }
      resolve(socket as Socket)
    })
    asked.on('response', answer => {
      answer.destroy()
      reject(new Error(`the proxy ${proxy.host} answered ${answer.statusCode} ${answer.statusMessage}`))
    })
    asked.on('error', reject)
    asked.end()
  })
}

function secured(
  socket: Socket,
  host: string,
  { ca, serverName, insecure }: ClusterAccess,
  certificate: ClientCertificate | undefined,
  protocols: readonly string[],
  signal: AbortSignal
): Promise<TLSSocket> {
  const servername = serverName ?? (isIP(host) === 0 ? host : undefined)
  const options: ConnectionOptions & { allowPartialTrustChain: boolean } = {
    socket,
    host,
    // a name that is an address cannot be sent, only be verified
    ...(servername !== undefined && isIP(servername) === 0 ? { servername } : {}),
    ...(serverName !== undefined && { checkServerIdentity: (_: string, peer) => tls.checkServerIdentity(serverName, peer) }),
    ...(ca === undefined ? {} : { ca }),
    ...certificate,
    ALPNProtocols: [...protocols],
    // Go trusts every certificate that it is given as an authority, also one that another has signed
    allowPartialTrustChain: true,
    rejectUnauthorized: !insecure,
    minVersion: 'TLSv1.2'
  }
  const secure = tls.connect(options)
  const onAbort = () => secure.destroy(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  return open(secure, 'secureConnect').finally(() => signal.removeEventListener('abort', onAbort))
}

function open<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = () => socket.off('error', failed).off('close', closed)
    const failed = (error: Error) => {
      settle()
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    const closed = () => failed(new Error('the connection was closed'))
    socket.on('error', failed).on('close', closed)
    socket.once(event, () => {
      settle()
      resolve(socket)
    })
  })
}
