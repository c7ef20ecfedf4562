/** Writes JSON values as YAML, byte for byte as Kubernetes does: with the layout, quotes and folds of go-yaml v2. */
import { goNumber } from '../../util/go-format.js'
import { looksLikeOther } from './yaml-resolve.js'

const indentStep = 2
/** Long lines are folded at the first blank after this column. */
const width = 80
/** Longer keys are written as `? key`. */
const longestSimpleKey = 128

export function emitYaml(value: unknown): string {
  const emitter = new Emitter()
  emitter.node(value, -indentStep, 'root')
  return emitter.finish()
}

type Place = 'root' | 'item' | 'value' | 'key'

class Emitter {
  #out = ''
  #column = 0
  /** True when the last character separates tokens: no blank is needed before an indicator. */
  #blank = true
  /** True while the line contains only indentation and indicators, so that a block can begin on it. */
  #fresh = true

  finish(): string {
    this.#indent(0)
    return this.#out
  }

  /** Writes a value that belongs to a block at column `indent`. */
  node(value: unknown, indent: number, place: Place): void {
    if (Array.isArray(value)) this.#sequence(value, indent, place)
    else if (typeof value === 'object' && value !== null) this.#mapping(value as Record<string, unknown>, indent)
    else if (typeof value === 'string') this.#string(value, indent + indentStep, place === 'key')
    else
      this.#plain(
        value === null ? 'null' : typeof value === 'number' ? goNumber(value) : String(value),
        indent + indentStep,
        false
      )
  }

  #sequence(items: readonly unknown[], outer: number, place: Place): void {
    if (items.length === 0) return this.#indicator('[]')
    // the items of a list are not indented below its key
    const indent = place === 'value' && !this.#fresh ? outer : outer + indentStep
    for (const item of items) {
      this.#indent(indent)
      this.#indicator('-', true)
      this.node(item, indent, 'item')
    }
  }

  #mapping(fields: Readonly<Record<string, unknown>>, outer: number): void {
    const keys = Object.keys(fields).filter(key => fields[key] !== undefined)
    if (keys.length === 0) return this.#indicator('{}')
    const indent = outer + indentStep
    for (const key of keys.sort(byNaturalOrder)) {
      this.#indent(indent)
      if (Buffer.byteLength(key) <= longestSimpleKey && !lineBreak.test(key)) {
        this.node(key, indent, 'key')
        this.#write(':')
        this.#blank = false
      } else {
        this.#indicator('?', true)
        this.node(key, indent, 'value')
        this.#indent(indent)
        this.#indicator(':', true)
      }
      this.node(fields[key], indent, 'value')
    }
  }

  #string(text: string, indent: number, isKey: boolean): void {
    const shape = shapeOf(text)
    if (text.includes('\n')) {
      if (shape.literal && !isKey) return this.#literal(text, indent)
      return this.#doubleQuoted(text, indent, isKey)
    }
    if (looksLikeOther(text)) return this.#doubleQuoted(text, indent, isKey)
    if (shape.plain) return this.#plain(text, indent, !isKey)
    if (shape.singleQuoted) return this.#singleQuoted(text, indent, isKey)
    this.#doubleQuoted(text, indent, isKey)
  }

  #plain(text: string, indent: number, folds: boolean): void {
    if (!this.#blank) this.#write(' ')
    this.#folded(text, indent, folds)
    this.#blank = false
    this.#fresh = false
  }

  #singleQuoted(text: string, indent: number, isKey: boolean): void {
    this.#indicator("'")
    this.#folded(text.replaceAll("'", "''"), indent, !isKey)
    this.#write("'")
    this.#blank = false
    this.#fresh = false
  }

  /** Breaks lines at single blanks beyond the width. */
  #folded(text: string, indent: number, folds: boolean): void {
    if (!folds || this.#column + text.length <= width) return this.#write(text)
    const parts = text.match(/ +|[^ ]+/g) ?? []
    parts.forEach((part, i) => {
      if (part === ' ' && this.#column > width && i > 0 && i < parts.length - 1) this.#fold(indent)
      else this.#write(part)
    })
  }

  #doubleQuoted(text: string, indent: number, isKey: boolean): void {
    this.#indicator('"')
    let afterBlank = false
    const chars = [...text]
    chars.forEach((char, i) => {
      if (char !== ' ') {
        this.#write(escaped(char))
        afterBlank = false
        return
      }
      if (!isKey && !afterBlank && this.#column > width && i > 0 && i < chars.length - 1) {
        this.#fold(indent)
        if (chars[i + 1] === ' ') this.#write('\\')
      } else this.#write(char)
      afterBlank = true
    })
    this.#write('"')
    this.#blank = false
    this.#fresh = false
  }

  #literal(text: string, indent: number): void {
    const startsBlank = /^[ \n\u2028\u2029]/.test(text)
    const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
    this.#indicator('|')
    this.#write(`${startsBlank ? indentStep : ''}${chomping}`)
    const lines = text.split('\n')
    const last = lines.pop()!
    for (const line of lines) this.#line(line, indent)
    if (last !== '') this.#line(last, indent)
    this.#fresh = last === ''
    if (this.#fresh) this.#break()
    this.#blank = true
  }

  #line(text: string, indent: number): void {
    this.#break()
    if (text !== '') this.#write(' '.repeat(indent) + text)
  }

  /** Opens a collection, a quote or an item. `isIndentation`: a block may begin after it. */
  #indicator(text: string, isIndentation = false): void {
    if (!this.#blank) this.#write(' ')
    this.#write(text)
    this.#blank = false
    this.#fresh = this.#fresh && isIndentation
  }

  /** Moves to a column, on a new line unless this one is still fresh. */
  #indent(to: number): void {
    if (!this.#fresh || this.#column > to || (this.#column === to && !this.#blank)) this.#break()
    if (this.#column < to) this.#write(' '.repeat(to - this.#column))
    this.#blank = true
    this.#fresh = true
  }

  #fold(indent: number): void {
    this.#fresh = false
    this.#indent(indent)
  }

  #break(): void {
    this.#out += '\n'
    this.#column = 0
  }

  #write(text: string): void {
    this.#out += text
    this.#column += text.length
  }
}

/** The line breaks of YAML 1.1. */
const lineBreak = /[\n\r\x85\u2028\u2029]/
/** Characters to escape: control characters, the byte order mark, and everything beyond 16 bits. */
const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/
const indicator = /^(?:[#,[\]{}&*!|>'"%@`]|---|\.\.\.|[?:-](?:[ \t\n]|$))|:(?:[ \t\n]|$)|[ \t\n]#/

/** The styles, apart from double quotes, in which a string can be written. */
function shapeOf(text: string): { plain: boolean; singleQuoted: boolean; literal: boolean } {
  if (special.test(text) || / [\n\u2028\u2029]/.test(text)) return { plain: false, singleQuoted: false, literal: false }
  const blankAfterBreak = /[\n\u2028\u2029] /.test(text)
  const outerBlank = /^[ \n\u2028\u2029]|[ \n\u2028\u2029]$/.test(text)
  return {
    plain: !outerBlank && !lineBreak.test(text) && !indicator.test(text),
    singleQuoted: !blankAfterBreak,
    literal: !text.endsWith(' ')
  }
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P'
}

function escaped(char: string): string {
  const known = escapes[char]
  if (known !== undefined) return known
  if (!special.test(char)) return char
  const code = char.codePointAt(0)!
  const hex = code.toString(16).toUpperCase()
  return code <= 0xff
    ? `\\x${hex.padStart(2, '0')}`
    : code <= 0xffff
      ? `\\u${hex.padStart(4, '0')}`
      : `\\U${hex.padStart(8, '0')}`
}

const letter = /\p{L}/u
const digit = /\p{Nd}/u

/** Sorts letters after all other characters, and numbers inside keys by value: a2 before a10. */
function byNaturalOrder(left: string, right: string): number {
  const a = [...left]
  const b = [...right]
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const x = a[i]!
    const y = b[i]!
    if (x === y) continue
    const xIsLetter = letter.test(x)
    const yIsLetter = letter.test(y)
    if (xIsLetter !== yIsLetter) return xIsLetter ? 1 : -1
    if (!xIsLetter) {
      // when both continue the same number, a leading zero counts
      const within = (x === '0' || y === '0') && continuesNumber(a, i) ? '1' : ''
      const m = numberAt(a, i)
      const n = numberAt(b, i)
      const difference = BigInt(`${within}${m}` || 0) - BigInt(`${within}${n}` || 0)
      if (difference !== 0n) return difference < 0n ? -1 : 1
      if (m.length !== n.length) return m.length - n.length
    }
    return x.codePointAt(0)! - y.codePointAt(0)!
  }
  return a.length - b.length
}

function continuesNumber(chars: readonly string[], before: number): boolean {
  for (let j = before - 1; j >= 0 && digit.test(chars[j]!); j--) if (chars[j] !== '0') return true
  return false
}

function numberAt(chars: readonly string[], at: number): string {
  let end = at
  while (end < chars.length && /[0-9]/.test(chars[end]!)) end++
  return chars.slice(at, end).join('')
}
