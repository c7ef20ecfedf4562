/**
 * Says by which connections the server reaches others (KEP-1281): directly, or through a proxy (HTTP CONNECT, or konnectivity's gRPC).
 * By egress selection: `cluster` is for kubelets, Pods, Services, and webhooks and aggregated APIs that are Services;
 * `controlplane` for webhooks that are URLs and the receiver of traces; `etcd` for etcd. Issuers of tokens are where their configuration says.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Metrics } from '../../util/instruments/metrics.js'
import { UserError } from '../../util/user-error.js'
import { parseAuthorities, parseCertificates, parsePrivateKey } from '../certificates/key-files.js'
import { type EgressSelection, loadEgressSelections, type TlsConfig, type Transport } from './configuration.js'
import { EgressDialMetrics } from './dial-metrics.js'
import { EgressError } from './egress-error.js'
import { type ConnectProxy, connectThrough } from './http-connect.js'
import { connectThroughKonnectivity } from './konnectivity/connect.js'

/** A socket of Node, or a stream with as much of one as HTTP clients ask for. */
export interface Connection extends Duplex {
  ref(): unknown
  unref(): unknown
  setNoDelay(noDelay?: boolean): unknown
  setKeepAlive(enable?: boolean, initialDelay?: number): unknown
  setTimeout(milliseconds: number, listener?: () => void): unknown
}

/** Opens a connection to a host, without TLS. Rejects with the signal's reason when the signal aborts. */
export type Connect = (host: string, port: number, signal?: AbortSignal) => Promise<Connection>

/** Says how each network is reached; undefined stands for a direct connection. */
export interface EgressSelector {
  readonly cluster?: Connect
  readonly controlplane?: Connect
  readonly etcd?: Connect
  /** The networks that the configuration file names, including those that are reached directly; undefined without a file. */
  readonly networks?: ReadonlySet<string>
}

/** Throws a UserError for a file that cannot be used. */
export function openEgressSelector(path: string | undefined, metrics: Metrics): EgressSelector {
  if (!path) return {}
  const counters = new EgressDialMetrics(metrics)
  const found = loadEgressSelections(path).map(
    selection => [selection.name!.toLowerCase(), connectOf(selection, counters)] as const
  )
  const connects = Object.fromEntries(found.filter(([, connect]) => connect !== undefined))
  return { ...connects, networks: new Set(found.map(([name]) => name)) }
}

function connectOf({ name, connection }: EgressSelection, metrics: EgressDialMetrics): Connect | undefined {
  const { proxyProtocol, transport } = connection
  if (proxyProtocol === 'Direct') return undefined
  const selection = `--egress-selector-config-file: egressSelection "${name}"`
  if (proxyProtocol === 'GRPC') return counted(connectThroughKonnectivity(transport!.uds!.udsName!), metrics.of('grpc', 'uds'))
  const proxy = proxyOf(selection, transport!)
  return counted(connectThrough(proxy), metrics.of('http_connect', 'path' in proxy.address ? 'uds' : 'tcp'))
}

function counted(connect: Connect, counts: ReturnType<EgressDialMetrics['of']>): Connect {
  return async (host, port, signal) => {
    const begun = counts.started()
    try {
      if (!isHost(host)) throw new EgressError('connect', `dial tcp: lookup ${JSON.stringify(host)}: no such host`)
      const socket = await connect(host, port, signal)
      counts.connected(begun)
      return socket
    } catch (error) {
      counts.failed(error instanceof EgressError ? error.stage : 'connect')
      throw error
    }
  }
}

/**
 * Whether a text is an address or the name of a host. It becomes a part of the request to the proxy, and a Node's addresses are what its
 * kubelet writes.
 */
const isHost = (text: string): boolean => isIP(text) !== 0 || (text.length <= 253 && /^[\w-]+(?:\.[\w-]+)*\.?$/.test(text))

function proxyOf(selection: string, { tcp, uds }: Transport): ConnectProxy {
  if (uds) return { name: uds.udsName!, address: { path: uds.udsName! } }
  const { url, tlsConfig } = tcp!
  // kube-apiserver accepts http:// here, and then crashes
  if (!tlsConfig) throw new UserError(`${selection}: a proxy on TCP must have an https:// URL and a tlsConfig`)
  if (!URL.canParse(url!)) throw new UserError(`${selection}: invalid proxy server url ${JSON.stringify(url)}`)
  const { hostname, port, host } = new URL(url!)
  const given = /^https:\/\/(?:[^@/]*@)?([^/?#]*)/.exec(url!)?.[1] ?? host
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), ...tlsOf(selection, tlsConfig) }
  return { name: given, address }
}

function tlsOf(selection: string, { caBundle, clientCert, clientKey, tlsServerName }: TlsConfig) {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      throw new UserError(`${selection}: ${(error as Error).message}`)
    }
  }
  const cert = read(clientCert!)
  parseCertificates(`${selection}: clientCert ${clientCert}`, cert)
  const key = read(clientKey!)
  parsePrivateKey(`${selection}: clientKey ${clientKey}`, key)
  const ca = caBundle ? parseAuthorities(`${selection}: caBundle ${caBundle}`, read(caBundle)).join('\n') : undefined
  return { cert, key, allowPartialTrustChain: true, ...(ca && { ca }), ...(tlsServerName && { servername: tlsServerName }) }
}
