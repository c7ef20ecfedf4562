/**
 * Connects to extension API servers: finds the addresses of their Services, and shows the certificate by which they know this
 * server.
 */
import type { Connect } from '../../transport/egress/egress-selector.js'
import { dialer } from '../../transport/proxy/dial.js'
import type { Dial, DialTarget, InProcessServers } from '../../transport/proxy/dial-target.js'
import { DialingAgent } from '../../transport/proxy/upstream.js'
import type { ResolveService } from '../../transport/webhooks/service-overrides.js'
import type { RemoteServer } from './api-service-table.js'

/** PEM of the certificate, with its chain, and of its key. */
export interface FrontProxyCertificate {
  readonly certificate: string
  readonly key: string
}

interface Kept {
  readonly dial: Dial
  readonly agent: DialingAgent
}

export interface Reached extends Kept {
  readonly target: DialTarget
}

/** Finds how to reach a server. */
export interface Connections<S = RemoteServer> {
  /** Throws when the server has no address. */
  reach(server: S): Reached
}

const maxKept = 500

const asTarget = ({ namespace, name, port }: RemoteServer): DialTarget => ({
  scheme: 'https',
  host: `${name}.${namespace}.svc`,
  port
})

export class RemoteConnections implements Connections {
  readonly #resolve: ResolveService
  readonly #egress: Connect | undefined
  #certificate: FrontProxyCertificate | undefined
  readonly #simulated: InProcessServers
  /** The connections, by what their TLS depends on. */
  readonly #kept = new Map<string, Kept>()

  /** `simulated`: servers in this process, which need no address. */
  constructor(
    resolve: ResolveService,
    certificate: FrontProxyCertificate | undefined,
    egress?: Connect,
    simulated: InProcessServers = {}
  ) {
    this.#simulated = simulated
    this.#egress = egress
    this.#resolve = resolve
    this.#certificate = certificate
  }

  /** Shows another certificate on new connections. */
  use(certificate: FrontProxyCertificate | undefined): void {
    if (certificate?.certificate === this.#certificate?.certificate) return
    this.#certificate = certificate
    // connections in use continue; the others end when they have been idle
    this.#kept.clear()
  }

  /** Whether the server is simulated in this process. */
  isSimulated(server: RemoteServer): boolean {
    return this.#simulated.serves?.(asTarget(server)) ?? false
  }

  reach(server: RemoteServer): Reached {
    if (this.isSimulated(server)) return { ...this.#keep(server), target: asTarget(server) }
    const { host, port } = this.#resolve(server.namespace, server.name, server.port)
    return { ...this.#keep(server), target: { scheme: 'https', host, port } }
  }

  #keep({ namespace, name, ca, insecure }: RemoteServer): Kept {
    const serverName = `${name}.${namespace}.svc`
    const key = `${serverName} ${insecure} ${ca ?? ''}`
    let kept = this.#kept.get(key)
    if (!kept) {
      if (this.#kept.size >= maxKept) this.#kept.clear()
      const { certificate: cert, key: certificateKey } = this.#certificate ?? {}
      const outside = dialer(() => ({ ca, cert, key: certificateKey, verifies: !insecure, serverName }), this.#egress)
      const dial: Dial = async (target, signal) => this.#simulated.connect?.(target) ?? outside(target, signal)
      kept = { dial, agent: new DialingAgent(dial) }
      this.#kept.set(key, kept)
    }
    return kept
  }

  close(): void {
    for (const { agent } of this.#kept.values()) agent.destroy()
    this.#kept.clear()
  }
}
