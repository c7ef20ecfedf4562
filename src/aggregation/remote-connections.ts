/** Connections to the servers of APIServices: addresses of their Services, TLS, and the certificate by which they know this server. */
import https from 'node:https'
import type { ResolveService } from '../webhooks/service-resolver.js'
import type { RemoteServer } from './api-service-table.js'

/** PEM of the certificate, with its chain, and of its key. */
export interface FrontProxyCertificate {
  readonly certificate: string
  readonly key: string
}

export interface Reached {
  readonly host: string
  readonly port: number
  readonly agent: https.Agent
}

/** Idle connections end after this time. */
const idleMs = 90_000
const maxAgents = 500

export class RemoteConnections {
  readonly #resolve: ResolveService
  #certificate: FrontProxyCertificate | undefined
  /** By what TLS depends on. */
  readonly #agents = new Map<string, https.Agent>()

  constructor(resolve: ResolveService, certificate: FrontProxyCertificate | undefined) {
    this.#resolve = resolve
    this.#certificate = certificate
  }

  /** Shows another certificate on new connections. */
  use(certificate: FrontProxyCertificate | undefined): void {
    if (certificate?.certificate === this.#certificate?.certificate) return
    this.#certificate = certificate
    // connections in use go on; the others end when they have been idle
    this.#agents.clear()
  }

  /** Throws when the Service has no address. */
  reach(server: RemoteServer): Reached {
    const { host, port } = this.#resolve(server.namespace, server.name, server.port)
    return { host, port, agent: this.#agent(server) }
  }

  #agent({ namespace, name, ca, insecure }: RemoteServer): https.Agent {
    const servername = `${name}.${namespace}.svc`
    const key = `${servername} ${insecure} ${ca ?? ''}`
    let agent = this.#agents.get(key)
    if (!agent) {
      if (this.#agents.size >= maxAgents) this.#agents.clear()
      const tls = {
        servername,
        rejectUnauthorized: !insecure,
        // as Go does, trusts any certificate that it is given
        allowPartialTrustChain: true,
        ALPNProtocols: ['http/1.1'],
        ...(ca === undefined ? {} : { ca }),
        ...(this.#certificate ? { cert: this.#certificate.certificate, key: this.#certificate.key } : {})
      }
      agent = new https.Agent({ keepAlive: true, maxFreeSockets: 64, timeout: idleMs, ...tls })
      this.#agents.set(key, agent)
    }
    return agent
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }
}
