/**
 * Asks a webhook who a bearer token's user is
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#webhook-token-authentication).
 */
import type { TokenReview } from '../../apimachinery/api/generated/authentication-v1.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { describeJson } from '../../apimachinery/schema/scalars.js'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import type { RemoteWebhook } from '../../transport/webhooks/remote-webhook.js'
import { parseExact } from '../../util/exact-json.js'
import type { Logger } from '../../util/logger.js'
import { type Authenticated, type TokenAuthenticator, TokenError } from './authenticator.js'

export type TokenReviewVersion = 'v1' | 'v1beta1'

export interface WebhookTokensOptions {
  readonly webhook: Pick<RemoteWebhook, 'post'>
  /** The version of the TokenReview that is sent and expected. */
  readonly version: TokenReviewVersion
  /** The server's audiences: a webhook that names none accepts tokens for them. */
  readonly apiAudiences: readonly string[]
  readonly log: Logger
}

/** Milliseconds for all tries together. */
const totalMs = 30_000

export class WebhookTokens implements TokenAuthenticator {
  readonly #options: WebhookTokensOptions
  #lastProblem = ''

  constructor(options: WebhookTokensOptions) {
    this.#options = options
  }

  async authenticateToken(token: string, audiences?: readonly string[]): Promise<Authenticated | undefined> {
    const { apiAudiences } = this.#options
    const wanted = audiences ?? apiAudiences
    const status = await this.#review(token, wanted)
    const given = status.audiences ?? []
    const shared = wanted.filter(audience => (given.length > 0 ? given : apiAudiences).includes(audience))
    if (wanted.length > 0 && shared.length === 0) return undefined
    if (!status.authenticated) {
      if (status.error) throw new TokenError(status.error)
      return undefined
    }
    const { username = '', uid, groups = [], extra } = status.user ?? {}
    return {
      user: { name: username, groups, ...(uid ? { uid } : {}), ...(extra ? { extra } : {}) },
      ...(shared.length > 0 ? { audiences: shared } : {})
    }
  }

  async #review(token: string, audiences: readonly string[]): Promise<NonNullable<TokenReview['status']>> {
    const { webhook, version } = this.#options
    const review = {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: { token, ...(audiences.length > 0 ? { audiences } : {}) },
      status: { user: {} }
    }
    try {
      const { text } = await webhook.post(review, AbortSignal.timeout(totalMs))
      const status = readStatus(text, review.apiVersion)
      this.#lastProblem = ''
      return status
    } catch (error) {
      const message = messageOf(error)
      if (message === undefined) throw error
      // said once when a webhook is down, not for each token
      if (message !== this.#lastProblem) this.#options.log.error(`Failed to make webhook authenticator request: ${message}`)
      this.#lastProblem = message
      throw new TokenError(message)
    }
  }
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof WebhookCallError || error instanceof UnreadableReview) return error.message
  return error instanceof Error && error.name === 'TimeoutError' ? 'context deadline exceeded' : undefined
}

class UnreadableReview extends Error {}

function readStatus(text: string, apiVersion: string): NonNullable<TokenReview['status']> {
  let value: any
  try {
    value = parseExact(text)
  } catch (error) {
    throw new UnreadableReview(`the answer is no JSON: ${(error as Error).message}`)
  }
  for (const field of ['apiVersion', 'kind']) {
    const said = value?.[field] ?? ''
    if (typeof said !== 'string')
      throw new UnreadableReview(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${describeJson(said)} into Go struct field .${field} of type string`
      )
  }
  const kind = value?.kind ?? 'TokenReview'
  const version = value?.apiVersion ?? apiVersion
  if (kind !== 'TokenReview' || version !== apiVersion)
    throw new UnreadableReview(`the answer is ${kind} of ${version}, not TokenReview of ${apiVersion}`)
  try {
    return decode(loadSchema().type('authentication.v1.TokenReview'), { ...value, kind, apiVersion }).object.status ?? {}
  } catch (error) {
    throw error instanceof DecodeError ? new UnreadableReview(error.message) : error
  }
}
