/** Whether a text is a JSONPath template (https://kubernetes.io/docs/reference/kubectl/jsonpath/), and if not, why, in client-go's words. */
import { isPrintable } from '../../util/go-format.js'

/** A problem ends the reading of all templates around it. */
class Problem extends Error {}

/** Returns what is wrong with a template, in which "{…}" are actions and the rest is text. */
export function jsonPathProblem(template: string): string | undefined {
  try {
    readTemplate(template)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function readTemplate(template: string): void {
  const reader = new ActionReader(template)
  for (let at = template.indexOf('{'); at >= 0; at = template.indexOf('{', reader.at)) reader.action(at + 1)
}

const readAction = (text: string) => readTemplate(`{${text}}`)

/** What ends the name of a field. A backslash takes the next character into the name. */
const fieldName = /(?:\\(?:.|$)|[^\s.,[\]$@{}\\]|[^\S \t\r\n])*/suy
const identifier = /(?:[^\s.,[\]$@{}]|[^\S \t\r\n])*/uy
const arrayBody = /[^\]\n]*/uy
const number = /[+-]?[\p{Nd}.]*/uy
const wordStart = /[_\p{L}\p{Nd}]/uy
const numberStart = /[+-]|\p{Nd}/uy
const quotedBody = {
  "'": /^(?:[^\\']|\\(?:[abfnrtv\\']|x[\da-f]{2}|[0-3][0-7]{2}|u(?!d[89a-f])[\da-f]{4}|U00(?!00d[89a-f])(?:0[\da-f]|10)[\da-f]{4}))*$/isu,
  '"': /^(?:[^\\"]|\\(?:[abfnrtv\\"]|x[\da-f]{2}|[0-3][0-7]{2}|u(?!d[89a-f])[\da-f]{4}|U00(?!00d[89a-f])(?:0[\da-f]|10)[\da-f]{4}))*$/isu
} as const

class ActionReader {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads an action from behind its "{" to behind its "}". */
  action(from: number): void {
    this.at = from
    let afterDescent = false
    for (;;) {
      const char = this.#next()
      if (char === '}') {
        this.at++
        return
      }
      if (this.#starts('[?(')) this.#filter()
      else if (this.#starts('..')) {
        if (afterDescent) throw new Problem('invalid multiple recursive descent')
        this.at += 2
        afterDescent = true
        if (!this.#matches(wordStart)) continue
        this.#take(fieldName)
      } else if (char === ' ' || char === '@' || char === '$') {
        this.at++
        continue
      } else this.#part(char)
      afterDescent = false
    }
  }

  #part(char: string): void {
    if (char === '' || char === '\r' || char === '\n') throw new Problem('unclosed action')
    if (char === '[') this.#array()
    else if (char === '"' || char === "'") this.#quoted(char)
    else if (char === '.') {
      this.at++
      this.#take(fieldName)
    } else if (this.#matches(numberStart)) this.#number()
    else if (this.#matches(wordStart)) this.#take(identifier)
    else throw new Problem(`unrecognized character in action: ${codePoint(char)}`)
  }

  #number(): void {
    const text = this.#take(number)
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) || !Number.isFinite(Number(text)))
      throw new Problem(`cannot parse number ${text}`)
  }

  #array(): void {
    const text = this.#take(arrayBody).slice(1)
    if (this.#text[this.at++] !== ']') throw new Problem('unterminated array')
    const parts = text.split(',')
    if (parts.length > 1) for (const part of parts) readAction(`[${part.replace(/^ +| +$/g, '')}]`)
    else if (/^'[^']*'$/.test(text)) readAction(`.${text.slice(1, -1)}`)
    else if (text !== '*') checkSlice(text)
  }

  /** Reads a filter. A ")" within the first pair of quotes does not end it. */
  #filter(): void {
    this.at += 3
    const start = this.at
    let quote: string | undefined
    let isClosed = false
    for (; ; this.at++) {
      const char = this.#text[this.at]
      if (char === undefined || char === '\n') throw new Problem('unterminated filter')
      if (char === ')' && (quote !== undefined) === isClosed) break
      if (char !== '"' && char !== "'") continue
      if (quote === undefined) quote = char
      else if (char === quote && this.#text[this.at - 1] !== '\\') isClosed = true
    }
    const text = this.#text.slice(start, this.at++)
    if (this.#text[this.at++] !== ']') throw new Problem('unclosed array expect ]')
    const comparison = /^([^!<>=]+)[!<>=]+([\s\S]+)$/.exec(text)
    for (const side of comparison?.slice(1) ?? [text]) readAction(side)
  }

  #quoted(quote: '"' | "'"): void {
    const start = this.at
    do {
      this.at++
      const char = this.#text[this.at]
      if (char === undefined || char === '\n') throw new Problem('unterminated quoted string')
    } while (this.#text[this.at] !== quote || this.#text[this.at - 1] === '\\')
    this.at++
    const text = this.#text.slice(start, this.at)
    if (!quotedBody[quote].test(text.slice(1, -1))) throw new Problem(`unquote string ${text} error invalid syntax`)
  }

  /** The character at the present place, empty at the end. */
  #next(): string {
    const point = this.#text.codePointAt(this.at)
    return point === undefined ? '' : String.fromCodePoint(point)
  }

  #starts(text: string): boolean {
    return this.#text.startsWith(text, this.at)
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    return pattern.test(this.#text)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const [text] = pattern.exec(this.#text)!
    this.at += text.length
    return text
  }
}

function checkSlice(text: string): void {
  const parts = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text)?.slice(1)
  if (!parts) throw new Problem(`invalid array index ${text}`)
  for (const part of parts) {
    const index = part?.replace(':', '') ?? ''
    if (index !== '' && !isInt64(index)) throw new Problem(`array index ${index} is not a number`)
  }
}

const isInt64 = (text: string) => text.length <= 20 && /\d/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

function codePoint(char: string): string {
  const hex = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return isPrintable(char) ? `U+${hex} '${char}'` : `U+${hex}`
}
