/** Opens connections to kubelets, Pods and Services. */
import { lookup } from 'node:dns/promises'
import net from 'node:net'
import tls from 'node:tls'
import type { Dial } from '../registry/services.js'
import { hostAndPort } from '../util/url-parts.js'
import { asGoError } from '../webhooks/go-errors.js'

/** Go's. */
const connectMs = 30_000
const handshakeMs = 10_000

export interface TlsOptions {
  /** PEM; the server's certificate is not verified when left out. */
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** A connection could not be opened. The message has Go's words. */
export class DialError extends Error {}

/** `options` is called for each connection over TLS, because files may change. */
export function dialer(options: () => TlsOptions | Promise<TlsOptions>): Dial {
  return async ({ scheme, host, port, address }, signal) => {
    const isTls = scheme === 'https'
    const tlsOptions = isTls ? await options() : undefined
    signal?.throwIfAborted()
    const plain = net.connect({ host: address ?? host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 })
    await opened(plain, 'connect', connectMs, `dial tcp ${hostAndPort(address ?? host, port)}: i/o timeout`, signal)
    if (!tlsOptions) return plain
    const secured = tls.connect({
      ...tlsOptions,
      socket: plain,
      host,
      // an address is no server name
      ...(net.isIP(host) ? {} : { servername: host }),
      rejectUnauthorized: tlsOptions.ca !== undefined,
      allowPartialTrustChain: true,
      ALPNProtocols: ['http/1.1']
    } as tls.ConnectionOptions)
    await opened(secured, 'secureConnect', handshakeMs, 'net/http: TLS handshake timeout', signal)
    return secured
  }
}

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
      // errors that follow are of no interest
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

/** Addresses that a proxy may not lead to: those of the machine itself, of its own network link, and of groups. */
const notGlobal = new net.BlockList()
for (const [address, prefix] of [
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['0.0.0.0', 32],
  ['255.255.255.255', 32]
] as const)
  notGlobal.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['fe80::', 10],
  ['ff00::', 8]
] as const)
  notGlobal.addSubnet(address, prefix, 'ipv6')

/** As Go's IP.IsGlobalUnicast. */
export function isGlobalUnicast(address: string): boolean {
  const family = net.isIP(address)
  // an IPv4 address in IPv6 notation is found by the IPv4 rules, too
  return family !== 0 && !notGlobal.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Returns an address of a host, all of whose addresses a proxy may lead to. Throws with kube-apiserver's words. */
export async function proxyableAddress(host: string): Promise<string> {
  if (net.isIP(host) === 0) {
    const found = await lookup(host, { all: true }).catch(error => {
      throw new Error(asGoError(error).replace(/^dial tcp: /, ''))
    })
    if (!found.every(({ address }) => isGlobalUnicast(address))) throw new Error('address not allowed')
    if (found.length === 0) throw new Error('no addresses for hostname')
    return found[0]!.address
  }
  if (!isGlobalUnicast(host)) throw new Error('address not allowed')
  return host
}
