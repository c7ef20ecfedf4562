import { tooManyChecks } from '../status/status.js'
import type { FieldErrors, Path } from '../validation/field.js'
import type { WholeFloats } from '../validation/whole-floats.js'
import { isInt64 } from './go-number.js'

/** One error in a value, before the value is placed in an object. */
export interface Failure {
  /** The message of kube-apiserver's schema library. Of several failures with the same text, a run keeps the first. */
  readonly text: string
  /** Adds the error. `at` converts a path in the value to a path in the object. */
  report(errors: FieldErrors, at: (path: string) => string): void
}

/** Limit on the failures of one run. */
const maxFailures = 1000

/**
 * Limit on what one run may try beyond the value's own parts: alternatives, required fields and values of enums, which multiply the
 * size of the object by that of the schema. kube-apiserver has no limit. This many take less than a second.
 */
const maxTries = 1_000_000

/**
 * One validation of one value. It tracks the current place, so that paths are formatted only for errors, and counts the checks
 * that applied: if all alternatives of a junctor fail, the errors of the one with the highest count are reported.
 */
export class Run {
  failures: Failure[] = []
  matches = 0
  #texts = new Set<string>()
  #tries = 0
  readonly #path: (string | number)[] = []
  readonly #floats: WholeFloats | undefined
  readonly #base: string

  /** `floats`: of the whole object, in which the value is at `base`. */
  constructor(floats?: WholeFloats, base?: Path) {
    this.#floats = floats
    this.#base = base ? `${base}.` : ''
  }

  /** Whether Go holds the present value as an int64. */
  isInt64(value: number | bigint): boolean {
    return isInt64(value) && this.#floats?.get(this.#base + this.path) !== value
  }

  enter(step: string | number): void {
    this.#path.push(step)
  }

  leave(): void {
    this.#path.pop()
  }

  get path(): string {
    return this.#path.map(step => (typeof step === 'number' ? `[${step}]` : step)).join('')
  }

  /** Counts what is tried. Throws a StatusError 413 when that is too much. */
  spend(tries: number): void {
    this.#tries += tries
    if (this.#tries > maxTries) throw tooManyChecks(maxTries)
  }

  /** Whether no more failures are kept. */
  get isFull(): boolean {
    return this.failures.length >= maxFailures
  }

  add(failure: Failure): void {
    if (this.isFull || this.#texts.has(failure.text)) return
    this.#texts.add(failure.text)
    this.failures.push(failure)
  }

  /** Forgets the failures after the first ones. */
  cut(length: number): void {
    for (const { text } of this.failures.splice(length)) this.#texts.delete(text)
  }

  addAll(failures: readonly Failure[]): void {
    for (const failure of failures) this.add(failure)
  }

  /** Adds an error at the value, or at a path below it, with a message of its own. */
  fail(text: string, report: (errors: FieldErrors, at: string) => void, path = this.path): void {
    this.add({ text, report: (errors, at) => report(errors, at(path)) })
  }

  /** Adds an "Invalid value" error with the library's message; `value` is the printed value. */
  invalid(value: unknown, words: string): void {
    const text = `${this.path} in body ${words}`
    this.fail(text, (errors, at) => errors.invalid(at, value, text))
  }

  /** Adds an error without a field: it is reported for the whole object, with an empty value. */
  invalidAtRoot(text: string): void {
    this.fail(text, (errors, at) => errors.invalid(at, '', text), '')
  }

  /** Runs a check in isolation, and returns its failures and count. */
  apart(check: () => void): { failures: Failure[]; matches: number } {
    const { failures, matches } = this
    const texts = this.#texts
    this.failures = []
    this.matches = 0
    this.#texts = new Set()
    check()
    const result = { failures: this.failures, matches: this.matches }
    this.failures = failures
    this.matches = matches
    this.#texts = texts
    return result
  }

  report(errors: FieldErrors, base: Path | undefined): void {
    const at = (path: string) => {
      const below = path.startsWith('.') ? path.slice(1) : path
      if (base === undefined) return below === '' ? '<nil>' : below
      return below === '' ? String(base) : `${base}.${below}`
    }
    for (const failure of this.failures) failure.report(errors, at)
  }
}
