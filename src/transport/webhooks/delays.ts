import { WebhookCallError } from './exchange.js'

const maxDelays = 10

/**
 * Makes a call, and makes it again while the server answers 429 or an error of its own with the seconds of a Retry-After header: up to
 * ten times, as Go's REST client. `sleep` resolves to false when nobody waits any more; the call then fails with its last error.
 */
export async function withDelays<T>(call: () => Promise<T>, sleep: (milliseconds: number) => Promise<boolean>): Promise<T> {
  for (let delays = 0; ; delays++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof WebhookCallError) || delays === maxDelays) throw error
      const { retryAfter, code = 0 } = error
      if (retryAfter === undefined || (code !== 429 && code < 500)) throw error
      if (!(await sleep(retryAfter * 1000))) throw error
    }
  }
}
