/**
 * Limits the time of an evaluation, for loops that cel-go's cost model does not charge: comparing a few nested variables can take
 * hours. Evaluation is synchronous, so there is one deadline at a time, or one nested in another.
 */

/** Aborts an evaluation where cel-go panics, with the message of the panic. */
export class EvaluationPanic extends Error {}

let deadline = Number.POSITIVE_INFINITY
let ticks = 0

export function withDeadline<T>(end: number, evaluate: () => T): T {
  const before = deadline
  // a nested evaluation has no more time than the outer one
  deadline = Math.min(before, end)
  try {
    return evaluate()
  } finally {
    deadline = before
  }
}

/** Must be called for each element that a loop visits. Reads the clock only now and then. */
export function tick(): void {
  if ((++ticks & 1023) === 0 && performance.now() > deadline) throw new EvaluationPanic('operation interrupted')
}
