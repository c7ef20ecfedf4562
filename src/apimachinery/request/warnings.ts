/** The most characters of one truncated warning, and of all warnings together, beyond which further ones are dropped. */
const limits = { one: 256, all: 4096 }

/** The most warnings of an answer. Code that finds warnings in pairs of things need not look for more. */
export const mostWarnings = limits.all

/** The warnings of an answer, each once. When there are too many, all are truncated, and further ones are dropped. */
export class Warnings {
  readonly #seen = new Set<string>()
  #texts: string[] = []
  #characters = 0
  #truncating = false

  get texts(): readonly string[] {
    return this.#texts
  }

  add(text: string): void {
    if (text === '' || (this.#truncating && this.#characters >= limits.all) || this.#seen.has(text)) return
    this.#seen.add(text)
    // a header cannot contain them, and kube-apiserver sends none then
    if (/\p{Cc}/u.test(text)) return
    const length = characters(text, limits.all)
    if (!this.#truncating && this.#characters + length > limits.all) {
      this.#truncating = true
      const before = this.#texts
      this.#texts = []
      this.#characters = 0
      for (const earlier of before) this.#push(cut(earlier))
    }
    this.#push(this.#truncating ? cut(text) : text)
  }

  #push(text: string): void {
    this.#texts.push(text)
    this.#characters += characters(text, limits.all)
  }
}

/** How many characters a text has, counted no further than just above `most`. */
function characters(text: string, most: number): number {
  let count = 0
  for (const _ of text) if (++count > most) break
  return count
}

function cut(text: string): string {
  if (text.length <= limits.one) return text
  let count = 0
  let end = 0
  for (const character of text) {
    if (count++ === limits.one) return text.slice(0, end)
    end += character.length
  }
  return text
}
