/**
 * Calls the webhook of a kubeconfig, and repeats calls that fail for a temporary reason, as kube-apiserver's generic webhook
 * does.
 */

import type { Clock } from '../../util/clock.js'
import type { Randomness } from '../../util/randomness.js'
import type { Connect } from '../egress/egress-selector.js'
import { AuthorizationHeader } from './authorization-header.js'
import { withDelays } from './delays.js'
import { type Answer, type CallFaults, exchange, WebhookCallError } from './exchange.js'
import { cleanedPath } from './go-path.js'
import type { Kubeconfig } from './kubeconfig.js'
import type { RemoteConnection } from './remote-connection.js'

/** The waits between calls: `initialMs`, and each time `factor` times longer, up to `jitter` times longer by chance. */
export interface Backoff {
  readonly initialMs: number
  readonly factor: number
  readonly jitter: number
  /** The number of calls in all. */
  readonly steps: number
}

/** kube-apiserver's default for webhooks. */
export const defaultBackoff: Backoff = { initialMs: 500, factor: 1.5, jitter: 0.2, steps: 5 }

export interface RemoteWebhookOptions {
  readonly kubeconfig: Kubeconfig
  /** Opens the connections that an egress selection redirects. */
  readonly egress?: Connect | undefined
  readonly clock: Clock
  readonly random: Randomness
  /** The time for one call in milliseconds, which the webhook is told as well; 30,000. */
  readonly timeoutMs?: number | undefined
  readonly backoff?: Backoff | undefined
  /** Whether an answer may be empty; false. */
  readonly mayBeEmpty?: boolean | undefined
  /** Whether a failed call is repeated; `isTransient`. */
  readonly shouldRetry?: ((error: WebhookCallError) => boolean) | undefined
  /** Makes calls fail in tests, with the name by which rules know the webhook. */
  readonly faults?: CallFaults | undefined
}

const retryingCodes: ReadonlySet<number> = new Set([429, 500, 504])

/** Whether an error is likely to pass: a broken connection, 429, 500, 504, or an answer that says when to come back. */
const isTransient = ({ code = 0, retryAfter, isReset }: WebhookCallError): boolean =>
  isReset || retryingCodes.has(code) || retryAfter !== undefined

export class RemoteWebhook {
  readonly #options: RemoteWebhookOptions
  readonly #url: URL
  readonly #timeoutMs: number
  #connection: Promise<RemoteConnection> | undefined
  readonly #authorization: AuthorizationHeader

  constructor(options: RemoteWebhookOptions) {
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? 30_000
    this.#authorization = new AuthorizationHeader(options.kubeconfig, options.clock)
    this.#url = new URL(options.kubeconfig.server)
    this.#url.pathname = cleanedPath(this.#url.pathname)
    // Go's client drops the query of the configured server
    this.#url.search = ''
    this.#url.searchParams.set('timeout', `${this.#timeoutMs / 1000}s`)
  }

  /**
   * Posts `body` as JSON, or a Buffer as it is, until an answer comes or the retries are used up. Rejects with the last
   * WebhookCallError, or with the reason of `signal` when that aborts before there is an error. `attempt` makes each call and may look
   * at its answer: a WebhookCallError that it throws is one of the call.
   */
  async post(body: unknown, signal?: AbortSignal): Promise<Answer>
  async post<T>(body: unknown, signal: AbortSignal | undefined, attempt: (call: () => Promise<Answer>) => Promise<T>): Promise<T>
  async post(
    body: unknown,
    signal?: AbortSignal,
    attempt: (call: () => Promise<Answer>) => Promise<unknown> = call => call()
  ): Promise<unknown> {
    const { clock, random, backoff = defaultBackoff, shouldRetry = isTransient } = this.#options
    let wait = backoff.initialMs
    for (let step = 1; ; step++) {
      try {
        return await attempt(() => this.#call(body, signal))
      } catch (error) {
        if (!(error instanceof WebhookCallError) || !shouldRetry(error) || step >= backoff.steps || signal?.aborted) throw error
        await sleep(clock, wait * (1 + random.apart('retries').fraction() * backoff.jitter), signal)
        if (signal?.aborted) throw error
        wait *= backoff.factor
      }
    }
  }

  #call(body: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    return withDelays(
      () => this.#exchange(body, signal),
      async milliseconds => {
        await sleep(this.#options.clock, milliseconds, signal)
        return !signal?.aborted
      }
    )
  }

  async #exchange(body: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    const { kubeconfig, egress } = this.#options
    // the HTTP client takes 15 MB and 60 ms to load
    this.#connection ??= import('./remote-connection.js').then(({ connect }) => connect(kubeconfig, egress))
    const { request, dispatcher } = await this.#connection
    const authorization = await this.#authorization.read()
    return exchange({
      request,
      dispatcher,
      url: this.#url,
      shown: this.#url.href,
      headers: { ...kubeconfig.headers, ...(authorization === undefined ? {} : { authorization }) },
      body,
      mayBeEmpty: this.#options.mayBeEmpty,
      timeoutMs: this.#timeoutMs,
      signal,
      faults: this.#options.faults
    })
  }

  async close(): Promise<void> {
    await this.#connection?.then(({ dispatcher }) => dispatcher.destroy())
  }
}

/** Waits, but not longer than until `signal` aborts. */
function sleep(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const done = () => {
      timer.cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = clock.setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}
