/** Metrics of tokens and client certificates, under kube-apiserver's names. */
import { defaultBuckets, type Metrics } from '../../util/instruments/metrics.js'
import type { Count } from '../../util/instruments/series.js'

/** Counts the service account tokens that are used. */
export interface ServiceAccountTokenCounts {
  readonly valid: Count
  /** Tokens that are valid only because their time was extended. */
  readonly stale: Count
  /** Tokens from Secrets. */
  readonly legacy: Count
  readonly generated: Count
  readonly manual: Count
  readonly invalidated: Count
}

export function serviceAccountTokenCounts(metrics: Metrics): ServiceAccountTokenCounts {
  const count = (name: string, help: string, stage: 'ALPHA' | 'BETA' = 'ALPHA') =>
    metrics.counter({ name: `serviceaccount_${name}_total`, help, stage }).of()
  return {
    valid: count('valid_tokens', 'Uses of tokens of service accounts that were within their time.', 'BETA'),
    stale: count('stale_tokens', 'Uses of tokens of service accounts whose time had been extended.', 'BETA'),
    legacy: count('legacy_tokens', 'Uses of tokens without audiences.', 'BETA'),
    generated: count('legacy_auto_token_uses', 'Uses of tokens in Secrets that were generated with a service account.'),
    manual: count('legacy_manual_token_uses', 'Uses of tokens in Secrets that somebody created.'),
    invalidated: count('invalid_legacy_auto_token_uses', 'Uses of tokens in Secrets that have been marked as invalid.')
  }
}

const days = 86_400

/** Observes the seconds for which a client's certificate will still be valid. */
export function certificateExpiration(metrics: Metrics): (seconds: number) => void {
  const remaining = metrics
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'How long the certificates of requests will still be valid.',
      stage: 'ALPHA',
      buckets: [...[0, 1800, 3600, 7200, 21_600, 43_200], ...[1, 2, 4, 7, 30, 90, 180, 360].map(count => count * days)]
    })
    .of()
  return seconds => remaining.observe(seconds)
}

/** Counts how the cache of tokens is used. */
export class TokenCacheMetrics {
  readonly #requests
  readonly #seconds
  readonly #fetches
  readonly #active

  constructor(metrics: Metrics) {
    const name = 'authentication_token_cache'
    const labels = ['status']
    this.#requests = metrics.counter({
      name: `${name}_request_total`,
      help: 'Questions about tokens by whether the answer was remembered.',
      stage: 'ALPHA',
      labels
    })
    this.#seconds = metrics.histogram({
      name: `${name}_request_duration_seconds`,
      help: 'How long questions about tokens took.',
      stage: 'ALPHA',
      labels,
      buckets: defaultBuckets
    })
    this.#fetches = metrics.counter({
      name: `${name}_fetch_total`,
      help: 'Tokens that an authenticator was asked about, by the result.',
      stage: 'ALPHA',
      labels
    })
    this.#active = metrics.gauge({
      name: `${name}_active_fetch_count`,
      help: 'Questions to authenticators that are under way, and requests that wait for them.',
      stage: 'ALPHA',
      labels
    })
  }

  hit(): void {
    this.#requests.of('hit').value++
    this.#seconds.of('hit').observe(0)
  }

  /** Counts a question whose answer was not in the cache. */
  async asked<T>(answer: Promise<T>): Promise<T> {
    const began = performance.now()
    const blocked = this.#active.of('blocked')
    blocked.value++
    try {
      return await answer
    } finally {
      blocked.value--
      this.#requests.of('miss').value++
      this.#seconds.of('miss').observe((performance.now() - began) / 1000)
    }
  }

  /** Counts a question to the authenticator, which all callers share who ask the same. */
  async fetched<T>(answer: Promise<T>): Promise<T> {
    const active = this.#active.of('in_flight')
    active.value++
    try {
      const found = await answer
      this.#fetches.of('ok').value++
      return found
    } catch (error) {
      this.#fetches.of('error').value++
      throw error
    } finally {
      active.value--
    }
  }
}
