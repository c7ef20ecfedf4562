/**
 * Remembers for a while what a slow authenticator has found out about a token, as kube-apiserver's cached token authenticator
 * does.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../util/clock.js'
import { type Authenticated, type TokenAuthenticator, TokenError } from './authenticator.js'
import type { TokenCacheMetrics } from './credential-metrics.js'

export interface TokenCacheOptions {
  readonly clock: Clock
  /** Milliseconds for which users are remembered; 0 disables it. */
  readonly successMs: number
  /** Milliseconds for which tokens are remembered that authenticate nobody. */
  readonly failureMs: number
  /** Whether refusals with a TokenError are remembered as well. */
  readonly cacheErrors: boolean
  readonly metrics?: TokenCacheMetrics | undefined
  /** The audiences of those who name none, so that requests and reviews share what is known. */
  readonly audiences?: readonly string[]
}

/** How many tokens are remembered. Those that were not asked for lately are forgotten first. */
const maxEntries = 32 * 1024

interface Entry {
  readonly until: number
  readonly found: Authenticated | undefined
  readonly error?: TokenError
}

export class CachedTokens implements TokenAuthenticator {
  readonly #authenticator: TokenAuthenticator
  readonly #options: TokenCacheOptions
  /**
   * By the token's digest under a key of this process: no token stays in memory, and no client can choose where its entry lies.
   */
  readonly #entries = new Map<string, Entry>()
  /** Questions under way, which all callers share who ask the same. */
  readonly #asking = new Map<string, Promise<Authenticated | undefined>>()
  readonly #secret = randomBytes(32).toString('base64')

  constructor(authenticator: TokenAuthenticator, options: TokenCacheOptions) {
    this.#authenticator = authenticator
    this.#options = options
  }

  authenticateToken(
    token: string,
    audiences?: readonly string[]
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    const key = this.#keyOf(token, audiences ?? this.#options.audiences)
    const entry = this.#entries.get(key)
    if (entry) {
      this.#entries.delete(key)
      if (entry.until > this.#options.clock.now()) {
        this.#entries.set(key, entry)
        this.#options.metrics?.hit()
        if (entry.error) throw entry.error
        return entry.found
      }
    }
    const { metrics } = this.#options
    let asking = this.#asking.get(key)
    if (!asking) {
      const answer = this.#ask(key, token, audiences)
      asking = (metrics?.fetched(answer) ?? answer).finally(() => this.#asking.delete(key))
      this.#asking.set(key, asking)
    }
    return metrics?.asked(asking) ?? asking
  }

  async #ask(key: string, token: string, audiences: readonly string[] | undefined): Promise<Authenticated | undefined> {
    const { successMs, failureMs, cacheErrors } = this.#options
    try {
      const found = await this.#authenticator.authenticateToken(token, audiences)
      this.#remember(key, found ? successMs : failureMs, { found })
      return found
    } catch (error) {
      if (cacheErrors && error instanceof TokenError) this.#remember(key, failureMs, { found: undefined, error })
      throw error
    }
  }

  #remember(key: string, milliseconds: number, entry: Omit<Entry, 'until'>): void {
    if (milliseconds <= 0) return
    this.#entries.set(key, { ...entry, until: this.#options.clock.now() + milliseconds })
    if (this.#entries.size > maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
  }

  #keyOf(token: string, audiences: readonly string[] | undefined): string {
    // lengths before the parts keep the parts apart
    const parts = [token, ...(audiences ?? [])]
    const text = `${audiences?.length ?? -1},${parts.map(part => `${part.length},`).join('')}${parts.join('')}`
    // nobody sees a digest, so a prefix makes it as secret as an HMAC does, in a fifth of the time
    return hash('sha256', this.#secret + text, 'base64')
  }
}
