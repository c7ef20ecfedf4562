/** Calls webhooks: sends JSON over HTTPS to the server that a client configuration names. */
import { setTimeout } from 'node:timers/promises'
import type { WebhookClientConfig } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { Subject } from '../../apimachinery/request/fault-subject.js'
import { parseExact } from '../../util/exact-json.js'
import { isDeeperThan, maxJsonDepth } from '../../util/json.js'
import type { EgressSelector } from '../egress/egress-selector.js'
import type { Connections } from './connections.js'
import { withDelays } from './delays.js'
import { exchange, WebhookCallError } from './exchange.js'
import { deadlineExceeded } from './go-errors.js'
import type { CredentialsFor, HostCredentials } from './host-credentials.js'
import type { WebhookFaults } from './injected-faults.js'
import type { ResolveService } from './service-overrides.js'

export interface CallOptions {
  /** The time for the call in milliseconds, which the webhook is told as well. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Most bytes of the answer; 16 MiB when left out. */
  readonly maxAnswerBytes?: number | undefined
  /** The name by which rules for faults know the webhook. */
  readonly name?: string | undefined
  /** The request for which it is called. */
  readonly subject?: (() => Subject) | undefined
}

export class WebhookClient {
  readonly #resolve: ResolveService
  readonly #credentialsFor: CredentialsFor
  readonly #egress: EgressSelector
  readonly #faults: WebhookFaults | undefined
  readonly #balances: boolean
  #connections: Promise<Connections> | undefined

  /**
   * `credentialsFor` finds the credentials for a host; by default, there are none. `egress` says how connections are made, `balances` whether each
   * request may go to another endpoint of a Service, or only each connection.
   */
  constructor(
    resolve: ResolveService,
    credentialsFor: CredentialsFor = () => undefined,
    egress: EgressSelector = {},
    faults?: WebhookFaults | undefined,
    balances = true
  ) {
    this.#balances = balances
    this.#faults = faults
    this.#egress = egress
    this.#resolve = resolve
    this.#credentialsFor = credentialsFor
  }

  /** Posts `body` and resolves with the parsed answer. Rejects with WebhookCallError. */
  async call(config: WebhookClientConfig, body: unknown, options: CallOptions): Promise<unknown> {
    const text = await this.post(config, body, options)
    try {
      const answer = parseExact(text)
      // what is deeper cannot be written again
      if (isDeeperThan(answer, maxJsonDepth)) throw new Error('exceeded max depth')
      return answer
    } catch (error) {
      throw new WebhookCallError(`the answer is no JSON: ${(error as Error).message}`)
    }
  }

  /** Posts `body` and resolves with the text of the answer. Rejects with WebhookCallError, or with the reason of the signal when that aborts first. */
  async post(
    config: WebhookClientConfig,
    body: unknown,
    { timeoutMs, signal, maxAnswerBytes, name = '', subject }: CallOptions
  ): Promise<string> {
    const faults = this.#faults
    const connections = await this.#open()
    const { url, shown, dispatcher, credentials } = connections.target(config)
    const asked = new URL(url)
    asked.searchParams.set('timeout', `${timeoutMs / 1000}s`)
    const { request } = connections
    const headers = credentials && (await headersOf(credentials))
    const end = performance.now() + timeoutMs
    const left = () => Math.max(1, Math.ceil(end - performance.now()))
    const call = {
      request,
      dispatcher,
      url: asked,
      shown: shown + asked.search,
      ...(headers && { headers }),
      body,
      maxAnswerBytes,
      signal,
      faults: faults && faults.webhooks.length > 0 ? { faults, name, subject: subject?.() } : undefined
    }
    const answer = await withDelays(
      () => exchange({ ...call, timeoutMs: left() }),
      async milliseconds => {
        const isInTime = milliseconds < left()
        await setTimeout(Math.min(milliseconds, left()), undefined, signal ? { signal } : {}).catch(() =>
          signal?.throwIfAborted()
        )
        if (!isInTime) throw new WebhookCallError(`Post ${JSON.stringify(call.shown)}: ${deadlineExceeded}`)
        return true
      }
    )
    return answer.text
  }

  /** Loads the HTTP client on first use: most servers call no webhook, and it takes 15 MB and 60 ms. */
  #open(): Promise<Connections> {
    this.#connections ??= import('./connections.js').then(
      ({ Connections }) => new Connections(this.#resolve, this.#credentialsFor, this.#egress, this.#balances)
    )
    return this.#connections
  }

  close(): void {
    void this.#connections?.then(connections => connections.close())
  }
}

async function headersOf({ credentials, authorization }: HostCredentials): Promise<Record<string, string | string[]>> {
  const header = await authorization.read()
  return { ...credentials.headers, ...(header === undefined ? {} : { authorization: header }) }
}
