/** Parses the text of label selectors. */
import { aggregateText, compareText, goQuote } from '../../util/go-format.js'
import { isLabelValue, isQualifiedName } from '../validation/names.js'
import { checkSize, SelectorError } from './limits.js'

export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

/** A requirement for the label `key`. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

interface Token {
  readonly kind: 'text' | 'end' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<'
  readonly text: string
}

const blank = /[ \t\r\n]*/y
const word = /[^ \t\r\n=!(),<>]+/y
const end: Token = { kind: 'end', text: '' }
/** What consists of one or two characters: the same for all selectors. */
const marks = new Map(
  (['(', ')', ',', '!', '=', '==', '!=', '>', '<'] as const).map(kind => [kind as string, { kind, text: kind }])
)

class Parser {
  readonly #text: string
  #at = 0
  #upcoming: Token

  constructor(text: string) {
    this.#text = text
    this.#upcoming = this.#next()
  }

  #next(): Token {
    const text = this.#text
    const start = this.#skipped(blank, this.#at)
    if (start === text.length) return end
    this.#at = this.#skipped(word, start)
    if (this.#at > start) return { kind: 'text', text: text.slice(start, this.#at) }
    const mark = marks.get(text.slice(start, start + 2)) ?? marks.get(text[start]!)!
    this.#at = start + mark.text.length
    return mark
  }

  /** Where what the pattern matches from `start` on ends. */
  #skipped(pattern: RegExp, start: number): number {
    pattern.lastIndex = start
    return pattern.test(this.#text) ? pattern.lastIndex : start
  }

  #peek(): Token {
    return this.#upcoming
  }

  #take(): Token {
    const token = this.#upcoming
    this.#upcoming = this.#next()
    return token
  }

  #skip(kind: Token['kind']): boolean {
    if (this.#upcoming.kind !== kind) return false
    this.#take()
    return true
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = []
    if (this.#peek().kind === 'end') return requirements
    for (;;) {
      if (this.#peek().kind !== 'text' && this.#peek().kind !== '!')
        throw new SelectorError(`found '${this.#peek().text}', expected: !, identifier, or 'end of string'`)
      try {
        requirements.push(this.#requirement())
      } catch (error) {
        throw error instanceof SelectorError ? new SelectorError(`unable to parse requirement: ${error.message}`) : error
      }
      const after = this.#take()
      if (after.kind === 'end') return requirements
      if (after.kind !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`)
      if (this.#peek().kind !== 'text' && this.#peek().kind !== '!')
        throw new SelectorError(`found '${this.#peek().text}', expected: identifier after ','`)
    }
  }

  #requirement(): Requirement {
    const negated = this.#skip('!')
    const key = this.#take()
    if (key.kind !== 'text') throw new SelectorError(`found '${key.text}', expected: identifier`)
    checkKey(key.text)
    if (negated) return { key: key.text, operator: '!', values: [] }
    if (this.#peek().kind === 'end' || this.#peek().kind === ',') return { key: key.text, operator: 'exists', values: [] }
    const operator = this.#take()
    if (operator.kind === 'text' && (operator.text === 'in' || operator.text === 'notin'))
      return { key: key.text, operator: operator.text, values: this.#set(key.text) }
    if (!['=', '==', '!=', '>', '<'].includes(operator.kind))
      throw new SelectorError(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`)
    const value = this.#peek().kind === 'text' ? this.#take().text : ''
    if (value === '' && this.#peek().kind !== ',' && this.#peek().kind !== 'end')
      throw new SelectorError(`found '${this.#peek().text}', expected: identifier`)
    checkValues(key.text, [value], operator.kind === '>' || operator.kind === '<')
    return { key: key.text, operator: operator.kind as Operator, values: [value] }
  }

  #set(key: string): string[] {
    const open = this.#take()
    if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`)
    const values = new Set<string>()
    const { kind, text } = this.#peek()
    if (kind === ')') values.add('')
    else if (kind === 'text' || kind === ',') this.#list(values)
    else throw new SelectorError(`found '${text}', expected: ',', ')' or identifier`)
    // consumes the closing parenthesis
    this.#take()
    checkValues(key, [...values].sort(compareText), false)
    return [...values]
  }

  /** Parses comma-separated values up to the closing parenthesis. */
  #list(values: Set<string>): void {
    for (;;) {
      const { kind, text } = this.#take()
      const next = this.#peek()
      if (kind === 'text') {
        values.add(text)
        if (next.kind !== ',' && next.kind !== ')') throw new SelectorError(`found '${next.text}', expected: ',' or ')'`)
      } else if (kind === ',') {
        if (values.size === 0 || next.kind === ')' || next.kind === ',') values.add('')
      } else throw new SelectorError(`found '${text}', expected: ',', or identifier`)
      if (next.kind === ')') return
    }
  }
}

function checkKey(key: string): void {
  const errors = isQualifiedName(key)
  if (errors.length > 0) throw new SelectorError(`<nil>: Invalid value: ${goQuote(key)}: ${errors.join('; ')}`)
}

/** Reports every invalid value. Bounds must be integers. */
function checkValues(key: string, values: readonly string[], isBound: boolean): void {
  const wrong = values.flatMap((value, i) => {
    if (isBound && !isInteger(value))
      return [`values[${i}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`]
    return []
  })
  for (const [i, value] of values.entries()) {
    const errors = isLabelValue(value)
    if (errors.length > 0) wrong.push(`values[${i}][${key}]: Invalid value: ${goQuote(value)}: ${errors.join('; ')}`)
  }
  if (wrong.length > 0) throw new SelectorError(aggregateText(wrong))
}

const int64 = { smallest: -(2n ** 63n), largest: 2n ** 63n - 1n }

/** Whether Go's strconv.ParseInt accepts the text as a 64-bit integer. */
export function isInteger(text: string): boolean {
  if (!/^[-+]?\d+$/.test(text) || text.length > 100) return false
  const value = toInteger(text)
  return value >= int64.smallest && value <= int64.largest
}

export const toInteger = (text: string) => BigInt(text.replace('+', ''))

/** Parses a label selector. Throws SelectorError. */
export function parseRequirements(text: string): readonly Requirement[] {
  checkSize(text, 'label')
  return new Parser(text).parse()
}
