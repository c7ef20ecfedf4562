/** Makes a client of a cluster that is reached over the network: see `connect`. */

import { type Clock, systemClock } from '../../util/clock.js'
import { checkMembers, isMap, type Shape, valueTypes } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import { clientOver } from '../client.js'
import type { ClusterClient } from '../cluster-client.js'
import type { ClientOptions } from '../types.js'
import type { ClusterAccess } from './access.js'
import { bearer, fixedCredentials } from './credentials.js'
import { environmentProxy } from './environment-proxy.js'
import { HttpTransport } from './http-transport.js'
import { inClusterAccess, isInCluster } from './in-cluster.js'
import { type KubeconfigSource, kubeconfigAccess, kubeconfigFile, usualKubeconfigs } from './kubeconfig-access.js'
import { proxyUrl, serverUrl } from './urls.js'

/**
 * Where a client connects to, and how. Without options: the kubeconfig of $KUBECONFIG, else the cluster in whose Pod the process
 * runs, else ~/.kube/config.
 *
 * @example
 * const options: ConnectOptions = { context: 'staging', fieldManager: 'deployer' }
 */
export interface ConnectOptions extends ClientOptions {
  /** The path of a kubeconfig, or its text. */
  readonly kubeconfig?: string | undefined
  /** A context of the kubeconfig, instead of the current one. */
  readonly context?: string | undefined
  /** The ServiceAccount of the Pod in which the process runs. */
  readonly inCluster?: boolean | undefined
  /** `https://10.0.0.1:6443`: a server without a kubeconfig. */
  readonly url?: string | undefined
  /** With `url`: a bearer token. */
  readonly token?: string | undefined
  /** With `url`: a client certificate and its key, as PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined
  /** With `url`: PEM of the authorities of the server's certificate; those that Node.js trusts. */
  readonly ca?: string | undefined
  /** With `url`: takes any certificate. */
  readonly insecure?: boolean | undefined
  /** `http://`, `https://` or `socks5://`; that of the kubeconfig, or of HTTPS_PROXY and NO_PROXY. */
  readonly proxy?: string | undefined
  /** The namespace of objects that name none; that of the context, or `default`. */
  readonly namespace?: string | undefined
  /** How many requests are sent in a second, and how many at once. As in controller-runtime, the server's priority and fairness alone limits them when left out. */
  readonly rateLimit?: { readonly qps: number; readonly burst: number } | undefined
  /** Milliseconds until a request must be answered, or a watch has begun; 65000, since servers give up after 60 s. */
  readonly timeout?: number | undefined
}

const isRateLimit = (value: unknown) => isMap(value) && Number(value.qps) > 0 && Number(value.burst) >= 1

const { text, number, boolean, object } = valueTypes
const shape: Shape = {
  members: {
    user: object,
    fieldManager: text,
    kubeconfig: text,
    context: text,
    inCluster: boolean,
    url: text,
    token: text,
    certificate: object,
    ca: text,
    insecure: boolean,
    proxy: text,
    namespace: text,
    rateLimit: { what: 'an object with qps above 0 and burst of at least 1', is: isRateLimit },
    timeout: number
  },
  isData: true
}

const usualTimeoutMs = 65_000

/**
 * Connects to a cluster, with the client that `server.client()` returns, too. It keeps connections open (HTTP/2), sends requests again where
 * the server asks for that (Retry-After) or a read broke off, and renews credentials. `close` ends it. Nothing is sent before the first
 * request. Rejects with a UserError for a kubeconfig that is not valid; requests reject with a StatusError for what the server refuses, and
 * with a ConnectionError when it cannot be reached.
 *
 * @example
 * await using client = await connect()
 * const { items } = await client.of('v1', 'Pod').list({ namespace: 'team' })
 * const inTest = await connect({ kubeconfig: server.kubeconfig() })
 */
export async function connect(options: ConnectOptions = {}): Promise<ClusterClient> {
  checkMembers(options, shape, 'connect.')
  const { rateLimit, timeout = usualTimeoutMs } = options
  const access = await clusterAccess(options)
  const transport = new HttpTransport({ access, rateLimit, timeoutMs: timeout })
  const { user, fieldManager = 'binnacle' } = options
  return clientOver(transport, {
    user,
    fieldManager,
    url: access.server.href.replace(/\/$/, ''),
    onAnswer: listener => transport.onAnswer(listener),
    close: () => transport.close()
  })
}

/** Finds the cluster and its credentials. Rejects with a UserError. */
export async function clusterAccess(options: ConnectOptions): Promise<ClusterAccess> {
  const { namespace, proxy } = options
  const found = await accessOf(options, systemClock)
  return {
    ...found,
    namespace: namespace ?? found.namespace,
    proxy: proxy ? proxyUrl('connect.proxy', proxy) : (found.proxy ?? environmentProxy(found.server, process.env))
  }
}

async function accessOf(options: ConnectOptions, clock: Clock): Promise<ClusterAccess> {
  const { url, kubeconfig, inCluster, context } = options
  const given = Object.entries({ url, kubeconfig, inCluster: inCluster || undefined }).filter(([, value]) => value !== undefined)
  if (given.length > 1) throw new UserError(`connect takes only one of ${given.map(([name]) => name).join(', ')}`)
  for (const name of ['token', 'certificate', 'ca', 'insecure'] as const)
    if (options[name] !== undefined && url === undefined) throw new UserError(`connect.${name} needs connect.url`)
  if (url !== undefined) return urlAccess(url, options)
  const pod = { env: process.env, clock }
  if (inCluster) return inClusterAccess(pod)
  if (kubeconfig !== undefined) return kubeconfigAccess([await sourceOf(kubeconfig)], { context, clock })
  if (!process.env.KUBECONFIG && context === undefined && isInCluster(pod)) return inClusterAccess(pod)
  const sources = await usualKubeconfigs(process.env)
  if (sources.length === 0)
    throw new UserError(
      'no cluster: there is no kubeconfig (KUBECONFIG, ~/.kube/config), and this is no Pod with a ServiceAccount; "binnacle serve" prints the line that sets KUBECONFIG'
    )
  return kubeconfigAccess(sources, { context, clock })
}

/** A text of a kubeconfig has several lines, or is JSON; a path does not. */
const sourceOf = async (kubeconfig: string): Promise<KubeconfigSource> =>
  /\n|^\s*\{/.test(kubeconfig) ? { name: 'kubeconfig', text: kubeconfig, directory: process.cwd() } : kubeconfigFile(kubeconfig)

function urlAccess(url: string, { token, certificate, ca, insecure = false }: ConnectOptions): ClusterAccess {
  const server = serverUrl('connect.url', url)
  if (insecure && ca !== undefined) throw new UserError('connect.ca and connect.insecure exclude each other')
  if (token !== undefined && server.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(server.hostname))
    throw new UserError('connect.token would be sent in the clear: the URL begins with http://')
  return {
    server,
    ca,
    serverName: undefined,
    insecure,
    proxy: undefined,
    compress: true,
    namespace: 'default',
    credentials: fixedCredentials(token === undefined ? undefined : bearer(token), certificate),
    headers: {}
  }
}
