import type { FieldErrors, Path } from '../validation/field.js'

/** One thing that is wrong with a value, not yet placed in an object. */
export interface Failure {
  /** What kube-apiserver's schema library says; a run keeps the first of several failures that say the same. */
  readonly text: string
  /** Adds the error; `at` places a path of the value in the object. */
  report(errors: FieldErrors, at: (path: string) => string): void
}

/** A list of a million wrong items is wrong enough after so many. */
const maxFailures = 1000

/**
 * One validation of one value. It remembers where it is, so that paths are only written where something is wrong, and
 * counts the checks that had something to say: of several alternatives that all fail, the one with the highest count
 * explains itself.
 */
export class Run {
  failures: Failure[] = []
  matches = 0
  readonly #path: (string | number)[] = []

  enter(step: string | number): void {
    this.#path.push(step)
  }

  leave(): void {
    this.#path.pop()
  }

  get path(): string {
    return this.#path.map(step => (typeof step === 'number' ? `[${step}]` : step)).join('')
  }

  add(failure: Failure): void {
    if (this.failures.length < maxFailures && !this.failures.some(f => f.text === failure.text)) this.failures.push(failure)
  }

  addAll(failures: readonly Failure[]): void {
    for (const failure of failures) this.add(failure)
  }

  /** An error at the value, or at a path below it, in words of its own. */
  fail(text: string, report: (errors: FieldErrors, at: string) => void, path = this.path): void {
    this.add({ text, report: (errors, at) => report(errors, at(path)) })
  }

  /** "Invalid value" with the library's words; `value` is what is printed as invalid. */
  invalid(value: unknown, words: string): void {
    const text = `${this.path} in body ${words}`
    this.fail(text, (errors, at) => errors.invalid(at, value, text))
  }

  /** Errors that know no field: they are reported at the whole object, with an empty value. */
  invalidAtRoot(text: string): void {
    this.fail(text, (errors, at) => errors.invalid(at, '', text), '')
  }

  /** The failures and the count of one check alone. */
  apart(check: () => void): { failures: Failure[]; matches: number } {
    const { failures, matches } = this
    this.failures = []
    this.matches = 0
    check()
    const result = { failures: this.failures, matches: this.matches }
    this.failures = failures
    this.matches = matches
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
