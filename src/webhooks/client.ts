/** Calls webhooks: sends JSON over HTTPS to the server that a client configuration names. */
import type { WebhookClientConfig } from '../api/generated/admissionregistration-v1.js'
import { parseExact } from '../util/exact-json.js'
import type { Connections } from './connections.js'
import { exchange, WebhookCallError } from './exchange.js'
import type { ResolveService } from './service-resolver.js'

export class WebhookClient {
  readonly #resolve: ResolveService
  #connections: Promise<Connections> | undefined

  constructor(resolve: ResolveService) {
    this.#resolve = resolve
  }

  /** Posts `body` and resolves with the parsed answer. Rejects with WebhookCallError. */
  async call(config: WebhookClientConfig, body: unknown, timeoutMs: number): Promise<unknown> {
    const text = await this.post(config, body, timeoutMs)
    try {
      return parseExact(text)
    } catch (error) {
      throw new WebhookCallError(`the answer is no JSON: ${(error as Error).message}`)
    }
  }

  /**
   * Posts `body` and resolves with the text of the answer. The server learns `timeoutMs`, too. Rejects with WebhookCallError, or
   * with the reason of `signal` when that aborts first.
   */
  async post(config: WebhookClientConfig, body: unknown, timeoutMs: number, signal?: AbortSignal): Promise<string> {
    const connections = await this.#open()
    const { url, shown, dispatcher } = connections.target(config)
    const asked = new URL(url)
    asked.searchParams.set('timeout', `${timeoutMs / 1000}s`)
    const { request } = connections
    return (await exchange({ request, dispatcher, url: asked, shown: shown + asked.search, body, timeoutMs, signal })).text
  }

  /** Loads the HTTP client on first use: most servers call no webhook, and it takes 15 MB and 60 ms. */
  #open(): Promise<Connections> {
    this.#connections ??= import('./connections.js').then(({ Connections }) => new Connections(this.#resolve))
    return this.#connections
  }

  close(): void {
    void this.#connections?.then(connections => connections.close())
  }
}
