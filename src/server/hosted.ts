/** Servers without a port of their own: another server passes on the requests below `/servers/NAME`. */
import type { Handler, IncomingRequest } from '../apimachinery/request/message.js'

const root = '/servers/'

/** `/servers/NAME`, and what follows it. */
const hostedPath = /^\/servers\/([a-z0-9-]+)(?=[/?]|$)/

/** The path at which a server is reached. */
export const hostedAt = (name: string): string => `${root}${name}`

export class HostedServers {
  readonly #handlers = new Map<string, () => Handler>()

  /** Adds a server, whose handler is asked for with each request. Throws when the name is taken. */
  add(name: string, handler: () => Handler): void {
    if (this.#handlers.has(name)) throw new Error(`there is a server ${name} already`)
    this.#handlers.set(name, handler)
  }

  remove(name: string): void {
    this.#handlers.delete(name)
  }

  /** Passes on requests for hosted servers; all other requests go to `handler`. */
  around(handler: Handler): Handler {
    return request => {
      const { url } = request
      const [path, name] = (url.startsWith(root) && hostedPath.exec(url)) || []
      const hosted = name === undefined ? undefined : this.#handlers.get(name)
      return hosted ? hosted()(new Rerouted(request, path!)) : handler(request)
    }
  }
}

/** A request as the hosted server sees it: without the beginning of the path that names the server. */
class Rerouted implements IncomingRequest {
  readonly #request: IncomingRequest
  readonly url: string
  readonly base: string

  constructor(request: IncomingRequest, path: string) {
    this.#request = request
    const rest = request.url.slice(path.length)
    this.url = rest.startsWith('/') ? rest : `/${rest}`
    this.base = (request.base ?? '') + path
  }
  get method() {
    return this.#request.method
  }
  get headers() {
    return this.#request.headers
  }
  get remoteAddress() {
    return this.#request.remoteAddress
  }
  get upgrade() {
    return this.#request.upgrade
  }
  get trustedUser() {
    return this.#request.trustedUser
  }
  rawHeaders() {
    return this.#request.rawHeaders()
  }
  peerCertificates() {
    return this.#request.peerCertificates()
  }
  readBody(limit: number) {
    return this.#request.readBody(limit)
  }
  openBody() {
    return this.#request.openBody()
  }
  onClose(listener: () => void) {
    this.#request.onClose(listener)
  }
  endSession() {
    this.#request.endSession?.()
  }
  onAuthenticated() {
    this.#request.onAuthenticated?.()
  }
  reset() {
    this.#request.reset()
  }
}
