/**
 * Resolves the addresses of webhooks and keeps connections to them. Loads undici, so import it only when there is a webhook to
 * call.
 */
import { type buildConnector, type Dispatcher, request } from 'undici'
import type { WebhookClientConfig } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { hostAndPort } from '../../util/url-parts.js'
import type { EgressSelector } from '../egress/egress-selector.js'
import { makeAgent, throughEgress } from './agent.js'
import { cleanedPath } from './go-path.js'
import type { CredentialsFor, HostCredentials } from './host-credentials.js'
import type { ResolveService } from './service-overrides.js'

interface Target {
  readonly url: URL
  /** The URL as errors print it: always with the port. */
  readonly shown: string
  readonly dispatcher: Dispatcher
  readonly credentials: HostCredentials | undefined
}

interface ServiceTarget {
  readonly namespace: string
  readonly name: string
  readonly port: number
  /** `hooks.default.svc` */
  readonly host: string
}

export class Connections {
  readonly request = request
  readonly #resolve: ResolveService
  readonly #credentialsFor: CredentialsFor
  readonly #egress: EgressSelector
  /** The targets by client configuration, because the same configurations are used again and again. */
  readonly #targets = new Map<string, Target>()

  /** Whether each request may go to another endpoint of a Service, or only each connection. */
  readonly #balances: boolean

  constructor(resolve: ResolveService, credentialsFor: CredentialsFor, egress: EgressSelector, balances: boolean) {
    this.#balances = balances
    this.#egress = egress
    this.#resolve = resolve
    this.#credentialsFor = credentialsFor
  }

  target(config: WebhookClientConfig): Target {
    const key = JSON.stringify(config)
    let target = this.#targets.get(key)
    if (!target) {
      if (this.#targets.size >= 1000) this.#forget()
      this.#targets.set(key, (target = this.#makeTarget(config)))
    }
    return target
  }

  #makeTarget({ url, service, caBundle }: WebhookClientConfig): Target {
    const ca = caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined
    const connectAs = (given: HostCredentials | undefined) => {
      const { cert, key } = given?.credentials ?? {}
      return { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert, key }) }
    }
    if (!service) {
      const target = new URL(url!)
      const credentials = this.#credentialsFor(`${target.hostname}:${target.port || 443}`)
      // JavaScript's URL would already have resolved parts of the path
      const [, host, path] = /^([^/]*\/\/[^/?#]*)([^?#]*)/.exec(url!)!
      target.pathname = cleanedPath(path!)
      const dispatcher = makeAgent(connectAs(credentials), throughEgress(this.#egress.controlplane))
      return { url: target, shown: host! + target.pathname, dispatcher, credentials }
    }
    const { namespace, name, path = '', port = 443 } = service
    const host = `${name}.${namespace}.svc`
    const credentials = this.#credentialsFor(`${host}:${port}`)
    const backend = { namespace, name, port, host }
    const tls = { ...connectAs(credentials), servername: host }
    const dial = throughEgress(this.#egress.cluster)
    const dispatcher = this.#balances
      ? makeAgent(tls, dial, this.#resolving(backend))
      : makeAgent(tls, connect => this.#connector(backend, dial(connect)))
    const shown = `https://${host}:${port}${cleanedPath(path)}`
    return { url: new URL(shown), shown, dispatcher, credentials }
  }

  /** Sends each request for a Service to one of its endpoints. A redirect may lead to other hosts. */
  #resolving({ namespace, name, port, host }: ServiceTarget): Dispatcher.DispatcherComposeInterceptor {
    return dispatch => (options, handler) => {
      const { hostname, port: asked } = new URL(String(options.origin))
      if (hostname !== host || Number(asked || 443) !== port) return dispatch(options, handler)
      const at = this.#resolve(namespace, name, port)
      const headers = { ...(options.headers as Record<string, string>), host: `${host}:${port}` }
      return dispatch({ ...options, headers, origin: `https://${hostAndPort(at.host, at.port)}` }, handler)
    }
  }

  /** Makes a connector for a Service. A redirect may lead to other hosts. */
  #connector({ namespace, name, port, host }: ServiceTarget, connect: buildConnector.connector): buildConnector.connector {
    return (request, callback) => {
      if (request.hostname !== host || Number(request.port || 443) !== port) return connect(request, callback)
      let at: { host: string; port: number }
      try {
        at = this.#resolve(namespace, name, port)
      } catch (error) {
        return callback(error as Error, null)
      }
      connect({ ...request, hostname: at.host, host: at.host, port: String(at.port) }, callback)
    }
  }

  #forget(): void {
    for (const { dispatcher } of this.#targets.values()) void dispatcher.close()
    this.#targets.clear()
  }

  close(): void {
    for (const { dispatcher } of this.#targets.values()) void dispatcher.destroy()
    this.#targets.clear()
  }
}
