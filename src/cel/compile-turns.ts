/**
 * Runs validations that compile many expressions. Compiling takes some ten microseconds per character and cannot be interrupted,
 * and validations are synchronous. A validation that has compiled for too long is therefore aborted; after other events have had
 * their turn, it starts over and reuses the compiled expressions. A validation requests the same expressions in the same order
 * each time.
 */
import { tooManyExpressions } from '../status/status.js'
import { nextTurn } from '../util/turns.js'
import type { Compiled } from './program.js'

const limits = { milliseconds: 10, characters: 256 * 1024 }

/** Aborts a validation. */
class OutOfTurn extends Error {}

class Compilation {
  readonly #done: { readonly source: string; readonly compiled: Compiled }[] = []
  #at = 0
  #characters = 0
  #endOfTurn = 0

  begin(): void {
    this.#at = 0
    this.#endOfTurn = 0
  }

  compile(source: string, run: () => Compiled): Compiled {
    const known = this.#done[this.#at]
    if (known?.source === source) {
      this.#at++
      return known.compiled
    }
    const now = performance.now()
    if (this.#endOfTurn === 0) this.#endOfTurn = now + limits.milliseconds
    else if (now > this.#endOfTurn) throw new OutOfTurn()
    this.#characters += source.length
    if (this.#characters > limits.characters) throw tooManyExpressions(limits.characters)
    const compiled = run()
    this.#done.splice(this.#at++, Number.POSITIVE_INFINITY, { source, compiled })
    return compiled
  }
}

let current: Compilation | undefined

/** Runs a validation, repeatedly if necessary. Returns a promise only when that takes more than one turn. */
export function inTurns(validate: () => void): undefined | Promise<void> {
  const compilation = new Compilation()
  return attempt(compilation, validate) ? undefined : again(compilation, validate)
}

async function again(compilation: Compilation, validate: () => void): Promise<void> {
  do await nextTurn()
  while (!attempt(compilation, validate))
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
export const compileInTurn = (source: string, run: () => Compiled): Compiled => (current ? current.compile(source, run) : run())
