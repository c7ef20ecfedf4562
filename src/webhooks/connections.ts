/**
 * Resolves the addresses of webhooks and keeps connections to them. Loads undici, so import it only when there is a webhook to
 * call.
 */
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { WebhookClientConfig } from '../api/generated/admissionregistration-v1.js'
import type { CredentialsFor, HostCredentials } from './host-credentials.js'
import type { ResolveService } from './service-resolver.js'

const idleMs = 30_000

interface Target {
  readonly url: URL
  /** The URL in errors, which always includes the port. */
  readonly shown: string
  readonly dispatcher: Dispatcher
  readonly credentials: HostCredentials | undefined
}

export class Connections {
  readonly request = request
  readonly #resolve: ResolveService
  readonly #credentialsFor: CredentialsFor
  /** By client configuration, because the same configurations are used again and again. */
  readonly #targets = new Map<string, Target>()

  constructor(resolve: ResolveService, credentialsFor: CredentialsFor) {
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
      return { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert, key }), timeout: idleMs }
    }
    if (!service) {
      const target = new URL(url!)
      const credentials = this.#credentialsFor(`${target.hostname}:${target.port || 443}`)
      const dispatcher = new Agent({ connect: connectAs(credentials), keepAliveTimeout: idleMs })
      // the URL as configured, with a path
      const shown = `${/^[^/]*\/\/[^/?#]*/.exec(url!)![0]}${target.pathname}`
      return { url: target, shown, dispatcher, credentials }
    }
    const { namespace, name, path = '', port = 443 } = service
    const host = `${name}.${namespace}.svc`
    const credentials = this.#credentialsFor(`${host}:${port}`)
    const dispatcher = new Agent({
      // the address of a service can change with every connection
      connect: this.#connector({ ...connectAs(credentials), servername: host }, namespace, name, port),
      keepAliveTimeout: idleMs
    })
    const shown = `https://${host}:${port}${path.startsWith('/') ? path : `/${path}`}`
    return { url: new URL(shown), shown, dispatcher, credentials }
  }

  #connector(options: buildConnector.BuildOptions, namespace: string, name: string, port: number): buildConnector.connector {
    const connect = buildConnector(options)
    return (request, callback) => {
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
