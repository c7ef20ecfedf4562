/**
 * Go's messages for malformed JSON. JSON.parse decides whether a document is well-formed. For a malformed one, this file finds
 * the mistake character by character, as encoding/json does, because clients see its message.
 */
import { goQuote } from '../../util/go-format.js'

/** Go's limit on nesting. */
const maxDepth = 10_000

const literals = ['true', 'false', 'null'] as const

const endOfInput = 'unexpected end of JSON input'

/** Returns the error with which encoding/json refuses `text`; undefined if it is well-formed. Bytes may be invalid UTF-8. */
export function jsonSyntaxError(text: string | Buffer): string | undefined {
  return new Scanner(text).scan()
}

/** The tokens that may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'separator'

class Scanner {
  readonly #text: string
  readonly #bytes: boolean
  #at = 0
  #error: string | undefined

  constructor(text: string | Buffer) {
    this.#bytes = typeof text !== 'string'
    // one character per byte, because strings may contain any bytes
    this.#text = typeof text === 'string' ? text : text.toString('latin1')
  }

  scan(): string | undefined {
    /** Open containers: true for objects, false for lists. */
    const open: boolean[] = []
    let expected: Expected = 'value'
    for (;;) {
      this.#skipSpace()
      const char = this.#text[this.#at]
      if (expected === 'separator' && open.length === 0)
        return char === undefined ? undefined : this.#invalid('after top-level value')
      if (char === undefined) return endOfInput
      const inObject = open.at(-1) === true

      switch (expected) {
        case 'value':
        case 'value or ]':
          if (char === '{' || char === '[') {
            if (open.length === maxDepth) return this.#invalid('exceeded max depth')
            open.push(char === '{')
            expected = char === '{' ? 'key or }' : 'value or ]'
            this.#at++
          } else if (char === ']' && expected === 'value or ]') {
            open.pop()
            expected = 'separator'
            this.#at++
          } else {
            if (!this.#scalar(char)) return this.#error
            expected = 'separator'
          }
          break
        case 'key':
        case 'key or }':
          if (char === '}' && expected === 'key or }') {
            open.pop()
            expected = 'separator'
            this.#at++
          } else {
            if (char !== '"') return this.#invalid('looking for beginning of object key string')
            if (!this.#string()) return this.#error
            expected = 'colon'
          }
          break
        case 'colon':
          if (char !== ':') return this.#invalid('after object key')
          expected = 'value'
          this.#at++
          break
        case 'separator':
          if (char === ',') expected = inObject ? 'key' : 'value'
          else if (char === (inObject ? '}' : ']')) open.pop()
          else return this.#invalid(inObject ? 'after object key:value pair' : 'after array element')
          this.#at++
      }
    }
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++
  }

  #scalar(char: string): boolean {
    if (char === '"') return this.#string()
    if (char === '-' || isDigit(char)) return this.#number()
    const literal = literals.find(l => l[0] === char)
    return literal ? this.#literal(literal) : this.#fail('looking for beginning of value')
  }

  #literal(literal: string): boolean {
    for (const letter of literal) {
      if (this.#text[this.#at] !== letter) return this.#fail(`in literal ${literal} (expecting '${letter}')`)
      this.#at++
    }
    return true
  }

  #number(): boolean {
    if (this.#text[this.#at] === '-') this.#at++
    if (this.#text[this.#at] === '0') this.#at++
    else if (!this.#digits('in numeric literal')) return false
    if (this.#text[this.#at] === '.') {
      this.#at++
      if (!this.#digits('after decimal point in numeric literal')) return false
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at++
      if (!this.#digits('in exponent of numeric literal')) return false
    }
    return true
  }

  #digits(context: string): boolean {
    if (!isDigit(this.#text[this.#at])) return this.#fail(context)
    while (isDigit(this.#text[this.#at])) this.#at++
    return true
  }

  #string(): boolean {
    for (;;) {
      const char = this.#text[++this.#at]
      if (char === undefined) {
        this.#error = endOfInput
        return false
      }
      if (char === '"') {
        this.#at++
        return true
      }
      if (char < ' ') return this.#fail('in string literal')
      if (char === '\\' && !this.#escape()) return false
    }
  }

  #escape(): boolean {
    const char = this.#text[++this.#at]
    if (char !== 'u') return (char !== undefined && 'bfnrt\\/"'.includes(char)) || this.#fail('in string escape code')
    for (let i = 0; i < 4; i++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[++this.#at] ?? '')) return this.#fail('in \\u hexadecimal character escape')
    }
    return true
  }

  #fail(context: string): false {
    this.#error = this.#invalid(context)
    return false
  }

  /** Go appends a space to the input, and reports that space when a token is truncated. */
  #invalid(context: string): string {
    const found = this.#text.codePointAt(this.#at) ?? 0x20
    return `invalid character ${quoteByte(this.#bytes ? found : firstByte(found))} ${context}`
  }
}

/** Go looks at bytes: for a character beyond ASCII it shows the first byte of its UTF-8 form, as if it were a character. */
function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6)
  return codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18)
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''"
  if (byte === 0x22) return "'\"'"
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}
