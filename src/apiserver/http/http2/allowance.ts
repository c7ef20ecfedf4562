import { ConnectionError, errorCode } from './errors.js'

/** Frames at once. */
const burst = 1000
/** Frames per second after that. */
const rate = 33

/**
 * How many frames a client may send that cost the server something and carry no request: settings, pings, resets of requests that it has
 * just made (CVE-2023-44487), empty frames, parts of headers (CVE-2024-27316). The figures are those of nghttp2.
 */
export class Allowance {
  #left = burst
  #at = performance.now()

  /** Throws ConnectionError ENHANCE_YOUR_CALM when nothing is left. */
  use(): void {
    if (this.#left >= 1) return void this.#left--
    const now = performance.now()
    this.#left = Math.min(burst, ((now - this.#at) / 1000) * rate)
    this.#at = now
    if (this.#left < 1) throw new ConnectionError(errorCode.enhanceYourCalm, 'too many frames without a request')
    this.#left--
  }
}
