/**
 * Counts the work of an evaluation that cel-go's cost model does not charge: there, comparing two large maps costs a few units, and an
 * expression may do it for each item of a list. kube-apiserver has threads for that. Here nothing else happens meanwhile. So steps
 * count as cost once they are more than the cost explains.
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

/**
 * How many steps count as one unit of cost. A step takes some 50 nanoseconds, so a limit of 1,000,000 means a fraction of a
 * second.
 */
const stepsPerCost = 3
/** Steps that are free, so that ordinary evaluations cost what they cost in kube-apiserver. */
const freeSteps = 30_000

/** Steps that cost nothing, for evaluations that share them: thousands of rules may be evaluated for one object. */
export class FreeSteps {
  left: number

  constructor(left: number) {
    this.left = left
  }
}

/** Characters that are read in the time of a step. */
const charactersPerStep = 8

/** The longest time of an evaluation, as a last resort: no known expression gets that far. */
const maxMilliseconds = 2000
const stepsBetweenLooks = 4096

let steps = 0
let limit = Number.POSITIVE_INFINITY
let deadline = Number.POSITIVE_INFINITY
let nextLook = Number.POSITIVE_INFINITY

/**
 * Runs an evaluation that may cost so much. `costWith` returns what it has cost, given what it was charged. Of `shared` it uses up the steps that the charges do
 * not explain.
 */
export function withinCost<T>(cost: number, evaluate: (costWith: (charged: number) => number) => T, shared?: FreeSteps): T {
  const outer = { steps, limit, deadline }
  const free = shared ? Math.min(freeSteps, shared.left) : freeSteps
  steps = 0
  limit = cost * stepsPerCost + free
  // a nested evaluation has no more time than the outer one
  deadline = Math.min(deadline, performance.now() + maxMilliseconds)
  nextLook = Math.min(limit, stepsBetweenLooks)
  try {
    return evaluate(charged => {
      if (shared) shared.left -= Math.min(free, Math.max(0, steps - charged * stepsPerCost))
      return Math.max(charged, Math.floor(Math.max(0, steps - free) / stepsPerCost))
    })
  } finally {
    ;({ steps, limit, deadline } = outer)
    nextLook = Math.min(limit, steps + stepsBetweenLooks)
  }
}

/** To be called for everything that a loop visits. Throws at the limits. */
export function tick(count = 1): void {
  steps += count
  if (steps > nextLook) look()
}

/** To be called for a text that is read or made. */
export const tickText = (length: number): void => tick(Math.floor(length / charactersPerStep))

/** To be called for listing the keys of an object, which V8 does slowly for large ones. */
export const tickKeys = (count: number): void => tick(count < 64 ? count : 4 * count)

function look(): void {
  if (steps > limit) throw new CostLimitExceeded()
  if (performance.now() > deadline) throw new EvaluationPanic('operation interrupted')
  nextLook = Math.min(limit, steps + stepsBetweenLooks)
}
