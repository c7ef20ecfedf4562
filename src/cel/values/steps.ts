/**
 * Counts what an evaluation does beside what cel-go's cost model charges: comparing two large maps costs a few units there, a text of
 * millions of characters is measured for one, and an expression can do so for each item of a list. kube-apiserver has threads for that. Here
 * nothing else happens meanwhile, so steps count as cost once they are more than the cost explains.
 *
 * Evaluation is synchronous, so there is one count at a time, or one nested in another: variables are computed where they are used.
 */

/** Aborts an evaluation where cel-go panics, with the message of the panic. */
export class EvaluationPanic extends Error {}

export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** A step takes some 50 nanoseconds. So a limit of 1,000,000 means a fraction of a second. */
const stepsPerCost = 3
/** Ordinary evaluations cost what they cost in kube-apiserver. */
const freeSteps = 30_000
/** Characters that are read in the time of a step. */
const charactersPerStep = 8

/** The last resort: no known expression gets that far. */
const maxMilliseconds = 2000
const stepsBetweenLooks = 4096

let steps = 0
let limit = Number.POSITIVE_INFINITY
let deadline = Number.POSITIVE_INFINITY
let nextLook = Number.POSITIVE_INFINITY

/** Runs an evaluation that may cost so much. `costOfSteps` returns what its steps have cost so far, beside what it was charged. */
export function withinCost<T>(cost: number, evaluate: (costOfSteps: () => number) => T): T {
  const outer = { steps, limit, deadline }
  steps = 0
  limit = cost * stepsPerCost + freeSteps
  // a nested evaluation has no more time than the outer one
  deadline = Math.min(deadline, performance.now() + maxMilliseconds)
  nextLook = Math.min(limit, stepsBetweenLooks)
  try {
    return evaluate(() => Math.floor(Math.max(0, steps - freeSteps) / stepsPerCost))
  } finally {
    ;({ steps, limit, deadline } = outer)
    nextLook = Math.min(limit, steps + stepsBetweenLooks)
  }
}

/** Must be called for what a loop visits. Throws at the limits. */
export function tick(count = 1): void {
  steps += count
  if (steps > nextLook) look()
}

/** The same for a text that is read or made. */
export const tickText = (length: number): void => tick(Math.floor(length / charactersPerStep))

/** The same for listing the keys of an object. V8 is slow to list those of large ones. */
export const tickKeys = (count: number): void => tick(count < 64 ? count : 4 * count)

function look(): void {
  if (steps > limit) throw new CostLimitExceeded()
  if (performance.now() > deadline) throw new EvaluationPanic('operation interrupted')
  nextLook = Math.min(limit, steps + stepsBetweenLooks)
}
