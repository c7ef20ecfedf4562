/** Makes texts that a parser of lists must survive: of its own words in any order, some of them repeated until the text is large. */
import { pick, type Random, random } from './random.js'

export class HostileTexts {
  readonly #next: Random

  constructor(seed: number) {
    this.#next = random(seed)
  }

  /** Makes a text of the words. Most are short; one in `rare` has about `characters`. */
  make(words: readonly string[], characters: number, rare = 20): string {
    const part = () => Array.from({ length: this.#next(8) }, () => pick(this.#next, words)).join('')
    if (this.#next(rare) > 0) return part()
    const repeated = part() || words[0]!
    return part() + repeated.repeat(Math.ceil(characters / repeated.length)) + part()
  }
}
