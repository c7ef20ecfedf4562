import type { Clock } from '../util/clock.js'

export interface TerminationOptions {
  /** Stops gracefully. It is called once. */
  stop(): Promise<void>
  exit(code: number): void
  /** Tells a person at a terminal what a signal does. */
  note(line: string): void
  readonly clock: Clock
}

/**
 * Two signals within this many milliseconds count as one: npm forwards Ctrl-C to a process that the terminal has already sent it
 * to.
 */
const oneSignal = 300

/**
 * Handles SIGINT and SIGTERM. The first signal stops gracefully and exits with 0 (or with 1 if that fails); a second one exits
 * with 1 at once.
 */
export const terminationHandler = ({ stop, exit, note, clock }: TerminationOptions): (() => void) => {
  let first: number | undefined
  return () => {
    if (first === undefined) {
      first = clock.now()
      note('Stopping: requests in progress may end. Ctrl-C again stops at once.')
      stop().then(
        () => exit(0),
        () => exit(1)
      )
    } else if (clock.now() - first >= oneSignal) {
      exit(1)
    }
  }
}
