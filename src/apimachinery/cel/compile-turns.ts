/**
 * Runs validations that compile or run many expressions, of CEL or regular ones. Compiling takes some ten microseconds per character.
 * Validations are synchronous, so one that has compiled for too long is aborted. After other events have had their turn, it starts over
 * with the expressions that are compiled by then. A job of many steps is kept, too, and goes on with its next step. A validation asks
 * for the same expressions and jobs in the same order each time.
 */

import { nextTurn } from '../../util/turns.js'
import { tooManyExpressions, tooManyInstructions } from '../status/status.js'

const limits = { milliseconds: 10, characters: 256 * 1024, instructions: 500_000 }

/** Ends a validation, which then begins again in another turn. */
class OutOfTurn extends Error {}

class Compilation {
  readonly #done: { readonly source: string; readonly compiled: unknown }[] = []
  readonly #patterns = new Map<string, unknown>()
  readonly #jobs: { readonly steps: Iterator<void, unknown>; end?: IteratorReturnResult<unknown> }[] = []
  #at = 0
  #jobsAt = 0
  #characters = 0
  #instructions = 0
  #endOfTurn = 0
  #began = 0

  begin(): void {
    this.#at = 0
    this.#jobsAt = 0
    this.#endOfTurn = 0
    this.#began = performance.now()
  }

  compile<T>(source: string, run: () => T): T {
    const known = this.#done[this.#at]
    if (known?.source === source) {
      this.#at++
      return known.compiled as T
    }
    this.#start(source)
    const compiled = run()
    this.#done.splice(this.#at++, Number.POSITIVE_INFINITY, { source, compiled })
    return compiled
  }

  /** Does the same for a regular expression, which means the same everywhere. Definitions repeat them thousands of times. */
  compilePattern<T>(source: string, run: () => T, sizeOf: (compiled: T) => number): T {
    const known = this.#patterns.get(source)
    if (known !== undefined) return known as T
    this.#start(source)
    const compiled = run()
    this.#instructions += sizeOf(compiled)
    if (this.#instructions > limits.instructions) throw tooManyInstructions(limits.instructions)
    this.#patterns.set(source, compiled)
    return compiled
  }

  /** Takes at least one step of a job that has not ended, so that each turn makes progress. */
  work<T>(job: () => Iterator<void, T>): T {
    const known = (this.#jobs[this.#jobsAt++] ??= { steps: job() })
    if (!known.end) {
      this.#isTurnOver()
      for (;;) {
        const { done, value } = known.steps.next()
        if (done) {
          known.end = { done, value }
          break
        }
        if (this.#isTurnOver()) throw new OutOfTurn()
      }
    }
    return known.end!.value as T
  }

  #start({ length }: string): void {
    if (this.#isTurnOver()) throw new OutOfTurn()
    this.#characters += length
    if (this.#characters > limits.characters) throw tooManyExpressions(limits.characters)
  }

  /**
   * Whether the turn is over. It begins with the first question, and lasts at least as long as it took to come here again:
   * otherwise thousands of expressions would never end.
   */
  #isTurnOver(): boolean {
    const now = performance.now()
    if (this.#endOfTurn !== 0) return now > this.#endOfTurn
    this.#endOfTurn = now + Math.max(limits.milliseconds, now - this.#began)
    return false
  }
}

let current: Compilation | undefined

/**
 * Runs a validation, repeatedly if necessary. Returns a promise only when that takes more than one turn. `checkWanted` throws when nobody waits for
 * the result any more.
 */
export function inTurns(validate: () => void, checkWanted?: () => void): undefined | Promise<void> {
  const compilation = new Compilation()
  return attempt(compilation, validate) ? undefined : again(compilation, validate, checkWanted)
}

async function again(compilation: Compilation, validate: () => void, checkWanted: (() => void) | undefined): Promise<void> {
  do {
    await nextTurn()
    checkWanted?.()
  } while (!attempt(compilation, validate))
}

function attempt(compilation: Compilation, validate: () => void): boolean {
  const before = current
  current = compilation
  compilation.begin()
  try {
    validate()
    return true
  } catch (error) {
    if (error instanceof OutOfTurn) return false
    throw error
  } finally {
    current = before
  }
}

/** Compiles as part of the current validation, if there is one. */
export const compileInTurn = <T>(source: string, run: () => T): T => (current ? current.compile(source, run) : run())

/** The same for a regular expression. `sizeOf` returns how many instructions it has become: a short one may become many. */
export const compilePatternInTurn = <T>(source: string, run: () => T, sizeOf: (compiled: T) => number): T =>
  current ? current.compilePattern(source, run, sizeOf) : run()

/**
 * Runs a job step by step: others get turns between its steps, if there is a current validation. The job may compile, but must
 * not run another job.
 */
export function workInTurns<T>(job: () => Iterator<void, T>): T {
  const validation = current
  if (!validation) return endOf(job())
  current = undefined
  try {
    return validation.work(job)
  } finally {
    current = validation
  }
}

function endOf<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
