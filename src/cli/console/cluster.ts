/** The cluster that the console shows: its connections, and the credentials of the kubeconfig. */
import type { IncomingRequest } from '../../apimachinery/request/message.js'
import type { ClusterAccess } from '../../client/connect/access.js'
import { dial } from '../../client/connect/dial.js'
import type { Dial, DialTarget } from '../../transport/proxy/dial-target.js'
import { DialingAgent, type Upstream } from '../../transport/proxy/upstream.js'

export class Cluster {
  readonly #access: ClusterAccess
  readonly #target: DialTarget
  readonly #dial: Dial
  #agent: DialingAgent
  /** That of the agent's connections. */
  #certificate: unknown

  constructor(access: ClusterAccess) {
    this.#access = access
    const { protocol, hostname, port } = access.server
    const isTls = protocol === 'https:'
    this.#target = {
      scheme: isTls ? 'https' : 'http',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (isTls ? 443 : 80))
    }
    this.#dial = async () => dial(access, await access.credentials.certificate(), isTls ? ['http/1.1'] : [])
    this.#agent = new DialingAgent(this.#dial)
  }

  get name(): string {
    return this.#access.context ?? this.#access.server.host
  }

  get url(): string {
    return this.#access.server.origin
  }

  /** Whether requests act as another user than the one of the credentials, whatever they say. */
  get impersonates(): boolean {
    return Object.keys(this.#access.headers).length > 0
  }

  /** Returns where a request goes: path and query as the client sent them. kube-apiserver takes no WebSocket for a watch without an origin. */
  async upstream({ url, upgrade }: Pick<IncomingRequest, 'url' | 'upgrade'>): Promise<Upstream> {
    const { credentials, headers, server } = this.#access
    const [authorization, certificate] = [await credentials.authorization(), await credentials.certificate()]
    if (certificate !== this.#certificate) this.#renewConnections(certificate)
    const own = Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap(value => [name, value]))
    if (upgrade !== undefined) own.push('Origin', server.origin)
    const question = url.indexOf('?')
    return {
      dial: this.#dial,
      target: this.#target,
      path: server.pathname.replace(/\/$/, '') + (question < 0 ? url : url.slice(0, question)),
      query: question < 0 ? '' : url.slice(question),
      agent: this.#agent,
      identity: { host: server.host, headers: authorization === undefined ? own : [...own, 'Authorization', authorization] },
      keepsLinks: true
    }
  }

  /** After a 401: says whether there are other credentials now. */
  renew(): Promise<boolean> {
    return this.#access.credentials.renew()
  }

  /** Requests under way keep the connections that they have. */
  #renewConnections(certificate: unknown): void {
    for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy()
    this.#agent.maxFreeSockets = 0
    this.#agent = new DialingAgent(this.#dial)
    this.#certificate = certificate
  }

  close(): void {
    this.#agent.destroy()
  }
}
