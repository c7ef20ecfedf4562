/** The mode Webhook (https://kubernetes.io/docs/reference/access-authn-authz/webhook/): a remote server decides. */
import type { AuthorizationAttributes, Authorizer, Decision, UserRules } from '../../../apimachinery/request/authorization.js'
import { WebhookCallError } from '../../../transport/webhooks/exchange.js'
import { deadlineExceeded } from '../../../transport/webhooks/go-errors.js'
import type { RemoteWebhook } from '../../../transport/webhooks/remote-webhook.js'
import type { Clock } from '../../../util/clock.js'
import type { Logger } from '../../../util/logger.js'
import type { AuthorizationMetrics, CallResult } from '../metrics.js'
import type { ExplainingAuthorizer, OpinionDetails } from '../opinions.js'
import { DecisionCache } from './decision-cache.js'
import { type CompiledCondition, conditionsMet, eachCondition } from './match-conditions.js'
import { questionText } from './question.js'
import { decisionOf, type ReviewStatus, type ReviewVersion, readStatus, reviewBody } from './review.js'
import { reviewSpec } from './review-spec.js'

export interface WebhookAuthorizerOptions {
  /** The name of the authorizer in metrics. */
  readonly name: string
  readonly webhook: Pick<RemoteWebhook, 'post' | 'close'>
  readonly version: ReviewVersion
  /** Milliseconds for which decisions are kept; 0 keeps none. */
  readonly authorizedTTL: number
  readonly unauthorizedTTL: number
  /** Whether a request is refused when the webhook cannot be asked. Otherwise the next authorizers decide. */
  readonly deniesOnFailure: boolean
  readonly conditions: readonly CompiledCondition[]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: AuthorizationMetrics
}

/** A decision is not kept when those parts of the question that the client chooses are longer than this. */
const maxCachedBytes = 10_000

const unlisted: UserRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  problems: ['webhook authorizer does not support user rule resolution']
}

type Origin = Parameters<Authorizer['authorize']>[1]

export class WebhookAuthorizer implements ExplainingAuthorizer {
  readonly #options: WebhookAuthorizerOptions
  readonly #cache: DecisionCache
  #calls = 0
  #isClosed = false

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options
    this.#cache = new DecisionCache(options.clock)
  }

  rulesFor(): UserRules {
    return unlisted
  }

  explain(attributes: AuthorizationAttributes): OpinionDetails | undefined {
    const { conditions } = this.#options
    return conditions.length === 0 ? undefined : { matchConditions: eachCondition(conditions, attributes) }
  }

  /** Closes the connection as soon as the calls under way have ended. */
  close(): void {
    this.#isClosed = true
    if (this.#calls === 0) void this.#options.webhook.close()
  }

  /** Returns a promise only when the webhook has to be asked. */
  authorize(attributes: AuthorizationAttributes, origin?: Origin): Decision | undefined | Promise<Decision> {
    const met = this.#conditionsMet(attributes)
    if (met === false) return undefined
    if (met !== true) return this.#failed(met.error)
    const question = questionText(attributes)
    return this.#cache.get(question) ?? this.#ask(attributes, question, origin)
  }

  #conditionsMet(attributes: AuthorizationAttributes): ReturnType<typeof conditionsMet> {
    const { conditions, metrics, name } = this.#options
    if (conditions.length === 0) return true
    const began = performance.now()
    const met = conditionsMet(conditions, attributes)
    const outcome = met === true ? 'met' : met === false ? 'excluded' : 'failed'
    metrics.conditionsEvaluated(name, (performance.now() - began) / 1000, outcome)
    return met
  }

  async #ask(attributes: AuthorizationAttributes, question: string, origin: Origin): Promise<Decision> {
    const { authorizedTTL, unauthorizedTTL } = this.#options
    let status: ReviewStatus
    try {
      status = await this.#call(attributes, origin?.signal)
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error
      return this.#failed(error.message)
    }
    const decision = decisionOf(status)
    if (isSmall(attributes)) this.#cache.set(question, decision, status.allowed ? authorizedTTL : unauthorizedTTL)
    return decision
  }

  async #call(attributes: AuthorizationAttributes, signal: AbortSignal | undefined): Promise<ReviewStatus> {
    const { name, webhook, version, metrics, deniesOnFailure, log } = this.#options
    let result: CallResult = 'error'
    this.#calls++
    try {
      return await webhook.post(reviewBody(reviewSpec(attributes), version), signal, async call => {
        const began = performance.now()
        try {
          const status = readStatus((await call()).text, version)
          result = 'success'
          return status
        } catch (error) {
          result = signal?.aborted ? 'canceled' : isTimeout(error) ? 'timeout' : 'error'
          throw error
        } finally {
          metrics.webhookCalled(name, result, (performance.now() - began) / 1000)
        }
      })
    } catch (error) {
      log.error(`Failed to make webhook authorizer request: ${(error as Error).message}`)
      if (!deniesOnFailure && !signal?.aborted) metrics.failedOpen(name, result)
      throw error
    } finally {
      if (--this.#calls === 0 && this.#isClosed) void webhook.close()
    }
  }

  #failed(error: string): Decision {
    return { allowed: false, ...(this.#options.deniesOnFailure ? { denied: true } : {}), reason: '', error }
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof WebhookCallError && (error.code === 504 || error.message.endsWith(`: ${deadlineExceeded}`))

function isSmall({ namespace, verb, group, version, resource, subresource, name, path }: AuthorizationAttributes): boolean {
  const chosen = namespace + verb + group + version + resource + subresource + name + path
  // no character has more than 3 bytes for each of its UTF-16 units
  return chosen.length * 3 < maxCachedBytes || Buffer.byteLength(chosen) < maxCachedBytes
}
