/** Splits an expression into tokens, by the rules of the grammar (CEL.g4). */
import type { Location } from '../ast.js'

export type TokenKind = 'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'sign' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** A 'sign' is an operator, punctuation, or one of the words true, false, null and in. */
  readonly text: string
  readonly at: Location
  /** Offset in the source. */
  readonly offset: number
}

const escaped = /\\(?:[abfnrtv"'\\?`]|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-3][0-7]{2})/.source
const string = [
  `"""(?:${escaped}|[^\\\\])*?"""`,
  `'''(?:${escaped}|[^\\\\])*?'''`,
  `"(?:${escaped}|[^\\\\"\\n\\r])*"`,
  `'(?:${escaped}|[^\\\\'\\n\\r])*'`,
  `[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*')`
].join('|')

const strings = new RegExp(`[bB]?(?:${string})`, 'y')
const names = /[A-Za-z_]\w*/y
const hexadecimals = /0x[\da-fA-F]+[uU]?/y
const doubles = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y
const integers = /\d+[uU]?/y
const signs = /==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y
const spaces = /(?:[\t \r\n\f]|\/\/[^\n]*)+/y
const words: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in'])

/** Returns the tokens with an 'end' after the last one; undefined for a text with an invalid character. */
export function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = []
  const place = new Places(source)
  let offset = 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = offset
    return pattern.exec(source)?.[0]
  }
  const readNumber = (): [TokenKind, string] | undefined => {
    const double = match(doubles)
    const whole = match(hexadecimals) ?? match(integers)
    if (double !== undefined && double.length > (whole?.length ?? 0)) return ['double', double]
    return whole === undefined ? undefined : [/[uU]$/.test(whole) ? 'uint' : 'int', whole]
  }
  const read = (): [TokenKind, string] | undefined => {
    const first = source[offset]!
    if (/[bBrR"']/.test(first)) {
      const text = match(strings)
      if (text !== undefined) return [/^[bB]/.test(text) ? 'bytes' : 'string', text]
    }
    if (/[\d.]/.test(first)) {
      const number = readNumber()
      if (number) return number
    }
    const name = match(names)
    if (name !== undefined) return [words.has(name) ? 'sign' : 'name', name]
    const sign = match(signs)
    return sign === undefined ? undefined : ['sign', sign]
  }
  for (;;) {
    offset += match(spaces)?.length ?? 0
    const at = place.at(offset)
    if (offset === source.length) {
      tokens.push({ kind: 'end', text: '', at, offset })
      return tokens
    }
    const found = read()
    if (!found) return undefined
    tokens.push({ kind: found[0], text: found[1], at, offset })
    offset += found[1].length
  }
}

/** Computes lines and columns of ascending offsets. Columns count code points, some of which are two UTF-16 units. */
class Places {
  readonly #source: string
  readonly #astral: boolean
  #line = 1
  #column = 0
  #offset = 0

  constructor(source: string) {
    this.#source = source
    this.#astral = /[\ud800-\udbff]/.test(source)
  }

  at(offset: number): Location {
    const passed = this.#source.slice(this.#offset, offset)
    this.#offset = offset
    const end = passed.lastIndexOf('\n')
    if (end >= 0) {
      this.#line += passed.split('\n').length - 1
      this.#column = 0
    }
    const rest = passed.slice(end + 1)
    this.#column += this.#astral ? [...rest].length : rest.length
    return { line: this.#line, column: this.#column }
  }
}
