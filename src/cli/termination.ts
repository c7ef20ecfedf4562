import type { Clock } from '../util/clock.js'

export interface TerminationOptions {
  /** Ends gracefully. Called once. */
  stop(): Promise<void>
  exit(code: number): void
  readonly clock: Clock
}

/** npm hands Ctrl-C on to a process that the terminal has told already: two signals this close are one. */
const oneSignal = 300

/**
 * What to do at SIGINT and SIGTERM: at the first one stop gracefully and exit with 0 (1 if that fails), at a second one exit
 * with 1 at once.
 */
export const terminationHandler = ({ stop, exit, clock }: TerminationOptions): (() => void) => {
  let first: number | undefined
  return () => {
    if (first === undefined) {
      first = clock.now()
      stop().then(
        () => exit(0),
        () => exit(1)
      )
    } else if (clock.now() - first >= oneSignal) {
      exit(1)
    }
  }
}
