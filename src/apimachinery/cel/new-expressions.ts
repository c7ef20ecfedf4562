/**
 * Which functions expressions may use that a client writes. A new expression has only those of the oldest release that the server has to work
 * with (--min-compatibility-version), so that this release can read it after a downgrade. One that is stored already keeps all.
 */
import type { Environment } from './environment.js'

export class NewExpressions {
  readonly #release: number
  readonly #stored: ReadonlySet<string>

  /** `release` is the minor version; `stored` are the expressions of the object as it was before. */
  constructor(release: number, stored: Iterable<string | undefined> = []) {
    this.#release = release
    this.#stored = new Set([...stored].filter(expression => expression !== undefined))
  }

  /** Returns what of an environment an expression may use. */
  environment(expression: string, environment: Environment): Environment {
    return this.#stored.has(expression) ? environment : environment.asOf(this.#release)
  }
}
