/**
 * A callback that waits for its time.
 *
 * @example
 * const timer: Timer = clock.setTimeout(() => console.log('a second later'), 1000)
 * timer.cancel()
 */
export interface Timer {
  cancel(): void
}

/**
 * The time that a server goes by: timestamps, expiry of tokens and Leases, intervals of controllers. Tests give one that they
 * freeze and advance.
 *
 * @example
 * const frozen: Clock = { now: () => Date.UTC(2030, 0, 1), setTimeout: () => ({ cancel() {} }) }
 * const server = createServer({ clock: frozen })
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `callback` once, after `milliseconds`. Does not keep the process alive. */
  setTimeout(callback: () => void, milliseconds: number): Timer
  /**
   * Tells a clock that tests advance how to see that work is under way, which it then lets come to its end before time moves on. Returns
   * what ends that. Left out by clocks that move by themselves.
   */
  watchWork?(isBusy: () => boolean): () => void
  /**
   * While a test walks through time: where that ends, in milliseconds since 1970. What would be written, and overwritten before then by what follows it, may
   * be left out, where nobody looks at it meanwhile. Undefined at other times; left out by clocks that move by themselves.
   */
  readonly walksUntil?: number | undefined
}

/** The longest that Node waits: for a longer time, it would not wait at all. */
const longestMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, milliseconds) {
    let timer: NodeJS.Timeout
    const wait = (left: number) => {
      timer = setTimeout(() => (left > longestMs ? wait(left - longestMs) : callback()), Math.min(left, longestMs)).unref()
    }
    wait(milliseconds)
    return { cancel: () => clearTimeout(timer) }
  }
}
