/** A scheduled callback, which can be cancelled until it runs. */
export interface Timer {
  cancel(): void
}

/** Time, passed in where it matters, so that tests can freeze and advance it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `callback` once, after `milliseconds`. Does not keep the process alive. */
  setTimeout(callback: () => void, milliseconds: number): Timer
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds).unref()
    return { cancel: () => clearTimeout(timer) }
  }
}
