/** The connections to a server, in the version of HTTP that it speaks, with the present client certificate. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ClusterAccess } from './access.js'
import type { Call, CallAnswer, Connections } from './call.js'
import type { ClientCertificate } from './credentials.js'
import { dial } from './dial.js'
import { Http1Connections } from './http1.js'
import { Http2Connections, type Http2Options } from './http2.js'

export class ServerConnections {
  readonly #access: ClusterAccess
  readonly #pings: Http2Options['pings']
  #current: Promise<Connections> | undefined
  #certificate: ClientCertificate | undefined
  /** Also those that are retired, and still have calls. */
  readonly #all = new Set<Connections>()

  constructor(access: ClusterAccess, pings: Http2Options['pings']) {
    this.#access = access
    this.#pings = pings
  }

  async call(call: Call): Promise<CallAnswer> {
    const certificate = await this.#access.credentials.certificate()
    if (this.#current && certificate !== this.#certificate) this.#retire()
    this.#certificate = certificate
    this.#current ??= this.#connect(certificate)
    const current = this.#current
    try {
      return await (await current).call(call)
    } catch (error) {
      const isOpen = await current.then(
        () => true,
        () => false
      )
      if (!isOpen && this.#current === current) this.#current = undefined
      throw error
    }
  }

  /** Requests under way end with the connections that they have; others get new ones. */
  #retire(): void {
    const old = this.#current!
    this.#current = undefined
    old.then(
      async connections => {
        await connections.retire()
        this.#all.delete(connections)
      },
      () => {}
    )
  }

  close(): void {
    for (const connections of this.#all) connections.close()
  }

  async #connect(certificate: ClientCertificate | undefined): Promise<Connections> {
    const { server } = this.#access
    const first = await dial(this.#access, certificate, server.protocol === 'https:' ? ['h2', 'http/1.1'] : [])
    const isHttp2 = (first as TLSSocket).alpnProtocol === 'h2'
    const again = (): Promise<Socket> => dial(this.#access, certificate, [isHttp2 ? 'h2' : 'http/1.1'])
    const connections = isHttp2
      ? new Http2Connections({ server, dial: again, first, pings: this.#pings })
      : new Http1Connections(server, again, first)
    this.#all.add(connections)
    return connections
  }
}
