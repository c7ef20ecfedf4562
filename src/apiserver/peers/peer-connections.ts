/** Connects to the other API servers over the same store, and shows them the certificate by which they know this server. */

import type { PeerAddress } from '../../controllers/server-objects/peer-endpoint.js'
import type { Connect } from '../../transport/egress/egress-selector.js'
import { dialer } from '../../transport/proxy/dial.js'
import { DialingAgent } from '../../transport/proxy/upstream.js'
import type { Connections, FrontProxyCertificate, Reached } from '../aggregation/remote-connections.js'

/** The name that the certificates of all API servers of a cluster have. */
const serverName = 'kubernetes.default.svc'

/** Tells the other server, with the value "true", to answer a request itself. */
export const passedOnHeader = 'x-kubernetes-peer-proxied'

export class PeerConnections implements Connections<PeerAddress> {
  readonly #dial
  #certificate: FrontProxyCertificate
  #agent

  /** `authorities`: PEM of those that the certificates of the other servers are verified with. */
  constructor(authorities: string, certificate: FrontProxyCertificate, egress: Connect | undefined) {
    this.#certificate = certificate
    this.#dial = dialer(() => {
      const { certificate: cert, key } = this.#certificate
      return { ca: authorities, cert, key, verifies: true, serverName }
    }, egress)
    this.#agent = new DialingAgent(this.#dial)
  }

  /** Shows another certificate on new connections. Those in use continue, and end when they have been idle. */
  use(certificate: FrontProxyCertificate): void {
    if (certificate.certificate === this.#certificate.certificate) return
    this.#certificate = certificate
    this.#agent = new DialingAgent(this.#dial)
  }

  reach({ ip, port }: PeerAddress): Reached {
    return { dial: this.#dial, agent: this.#agent, target: { scheme: 'https', host: ip, port } }
  }

  close(): void {
    this.#agent.destroy()
  }
}
