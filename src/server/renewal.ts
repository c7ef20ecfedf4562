import type { Clock, Timer } from '../util/clock.js'
import type { Logger } from '../util/logger.js'

const dayMs = 24 * 60 * 60 * 1000

/** Certificates expire while a server runs: every day they are looked at again, and what was renewed is used. */
export function renewDaily(clock: Clock, renew: () => Promise<void>, log: Logger): { stop(): void } {
  let timer: Timer
  const schedule = () => {
    timer = clock.setTimeout(() => {
      renew().catch(error => log.error(`renewing the certificates failed: ${error instanceof Error ? error.message : error}`))
      schedule()
    }, dayMs)
  }
  schedule()
  return { stop: () => timer.cancel() }
}
