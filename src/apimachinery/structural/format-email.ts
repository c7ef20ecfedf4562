/** Parses addresses as Go's net/mail does (RFC 5322): "a@b", "Name <a@b>", with comments, or as a group of one address. */
import { isIP } from 'node:net'

export function isEmail(text: string): boolean {
  const reader = new Reader(text)
  return reader.address(true) === 1 && reader.skipComments() && reader.isAtEnd
}

const specials = '()<>[]:;@\\,"'

/** Matches visible characters, including those beyond ASCII. */
const isVisible = (char: string) => (char > ' ' && char < '\x7f') || char > '\x7f'
const isAtom = (char: string) => isVisible(char) && !specials.includes(char)

/** Every method returns false, or undefined, when the text does not continue as expected. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Returns the number of addresses read. */
  address(mayBeGroup: boolean): number | undefined {
    this.#skipSpace()
    if (this.isAtEnd) return undefined
    if (this.#addressSpec()) {
      this.#skipSpace()
      return !this.#consume('(') || this.#comment() ? 1 : undefined
    }
    if (this.#next !== '<' && !this.#phrase()) return undefined
    this.#skipSpace()
    if (mayBeGroup && this.#consume(':')) return this.#group()
    return this.#consume('<') && this.#addressSpec() && this.#consume('>') ? 1 : undefined
  }

  skipComments(): boolean {
    this.#skipSpace()
    while (this.#consume('(')) {
      if (!this.#comment()) return false
      this.#skipSpace()
    }
    return true
  }

  get #next(): string {
    return this.#text[this.#at] ?? ''
  }

  #consume(char: string): boolean {
    if (this.#next !== char) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    while (this.#next === ' ' || this.#next === '\t') this.#at++
  }

  #group(): number | undefined {
    this.#skipSpace()
    if (this.#consume(';')) return this.skipComments() ? 0 : undefined
    for (let count = 0; ; ) {
      this.#skipSpace()
      const read = this.address(false)
      if (read === undefined || !this.skipComments()) return undefined
      count += read
      if (this.#consume(';')) return this.skipComments() ? count : undefined
      if (!this.#consume(',')) return undefined
    }
  }

  #addressSpec(): boolean {
    const start = this.#at
    this.#skipSpace()
    const isLocal = this.#next === '"' ? this.#quoted() > 0 : this.#dotAtom()
    if (isLocal && this.#consume('@')) {
      this.#skipSpace()
      if (this.#next === '[' ? this.#domainLiteral() : this.#dotAtom()) return true
    }
    this.#at = start
    return false
  }

  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) return false
      this.#skipSpace()
      if (this.isAtEnd) return true
      const start = this.#at
      const isWord = this.#next === '"' ? this.#quoted() >= 0 : this.#atom() !== ''
      if (isWord) continue
      this.#at = start
      return words > 0
    }
  }

  #atom(): string {
    const start = this.#at
    while (!this.isAtEnd && isAtom(this.#next)) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #dotAtom(): boolean {
    const atom = this.#atom()
    return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..')
  }

  /** Returns the length of the quoted text, or -1 if there is none. */
  #quoted(): number {
    const start = this.#at
    let length = 0
    for (let at = start + 1; at < this.#text.length; at++) {
      let char = this.#text[at]!
      if (char === '"') {
        this.#at = at + 1
        return length
      }
      if (char === '\\') char = this.#text[++at] ?? '\0'
      if (!isVisible(char) && char !== ' ' && char !== '\t') return -1
      length++
    }
    return -1
  }

  #domainLiteral(): boolean {
    const end = this.#text.indexOf(']', this.#at)
    const literal = this.#text.slice(this.#at + 1, end)
    if (end < 0 || isIP(literal) === 0 || literal.includes('%')) return false
    this.#at = end + 1
    return true
  }

  /** Reads a comment after its opening parenthesis. */
  #comment(): boolean {
    for (let depth = 1; !this.isAtEnd; ) {
      const char = this.#next
      this.#at++
      if (char === '\\' && !this.isAtEnd) this.#at++
      else if (char === '(') depth++
      else if (char === ')' && --depth === 0) return true
    }
    return false
  }
}
