/** Label selectors (https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#api). */
import { aggregateText, compareUtf8, goQuote } from '../util/go-format.js'
import { isLabelValue, isQualifiedName } from '../validation/names.js'

export type Labels = Readonly<Record<string, string>>
export type LabelMatcher = (labels: Labels) => boolean

type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** The selector text cannot be parsed. The message is kube-apiserver's. */
export class SelectorError extends Error {}

interface Token {
  readonly kind: 'text' | 'end' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<'
  readonly text: string
}

const special = /[=!(),<>]/

function* tokens(text: string): Generator<Token> {
  let i = 0
  while (i < text.length) {
    const c = text[i]!
    if (/\s/.test(c)) i++
    else if (c === '=' || c === '!') {
      const kind = text[i + 1] === '=' ? (c === '=' ? '==' : '!=') : c
      yield { kind, text: kind }
      i += kind.length
    } else if (special.test(c)) {
      yield { kind: c as Token['kind'], text: c }
      i++
    } else {
      const start = i
      while (i < text.length && !special.test(text[i]!) && !/\s/.test(text[i]!)) i++
      yield { kind: 'text', text: text.slice(start, i) }
    }
  }
  while (true) yield { kind: 'end', text: '' }
}

class Parser {
  readonly #tokens: Generator<Token>
  #upcoming: Token

  constructor(text: string) {
    this.#tokens = tokens(text)
    this.#upcoming = this.#tokens.next().value as Token
  }

  #peek(): Token {
    return this.#upcoming
  }

  #take(): Token {
    const token = this.#upcoming
    this.#upcoming = this.#tokens.next().value as Token
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
    checkValues(key, [...values].sort(), false)
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

/** The values of one key. A single one has no Set, because there may be thousands of keys in each of thousands of watches. */
type Values = string | Set<string>

const valuesOf = (values: readonly string[]): Values => (values.length === 1 ? values[0]! : new Set(values))
const has = (values: Values, value: string): boolean => (typeof values === 'string' ? values === value : values.has(value))

/** Adds to the values. */
function withValues(before: Values | undefined, more: readonly string[]): Values {
  if (before === undefined) return valuesOf(more)
  const all = typeof before === 'string' ? new Set([before]) : before
  for (const value of more) all.add(value)
  return all
}

/** What all requirements together demand of one key. */
class KeyRule {
  /** Whether the label must be there. */
  isRequired = false
  #isForbidden = false
  #among: Values | undefined
  #except: Values | undefined
  #bounds: { above?: bigint; below?: bigint } | undefined

  add({ operator, values }: Requirement): void {
    if (operator === '!') this.#isForbidden = true
    else if (operator === '!=' || operator === 'notin') {
      this.#except = withValues(this.#except, values)
    } else {
      this.isRequired = true
      if (operator !== 'exists') this.#restrict(operator, values)
    }
  }

  #restrict(operator: Operator, values: readonly string[]): void {
    if (operator !== '>' && operator !== '<') {
      const among = this.#among
      this.#among = valuesOf(among === undefined ? values : values.filter(value => has(among, value)))
      return
    }
    const bound = toInteger(values[0]!)
    const bounds = (this.#bounds ??= {})
    if (operator === '>' && (bounds.above === undefined || bound > bounds.above)) bounds.above = bound
    if (operator === '<' && (bounds.below === undefined || bound < bounds.below)) bounds.below = bound
  }

  accepts(value: string): boolean {
    if (this.#isForbidden || (this.#among !== undefined && !has(this.#among, value))) return false
    if (this.#except !== undefined && has(this.#except, value)) return false
    if (!this.#bounds) return true
    if (!isInteger(value)) return false
    const { above, below } = this.#bounds
    const number = toInteger(value)
    return !(above !== undefined && number <= above) && !(below !== undefined && number >= below)
  }
}

/** Returns a matcher whose work depends on the labels of an object, not on the number of requirements: there may be 50,000. */
function matcherOf(requirements: readonly Requirement[]): LabelMatcher {
  const rules = new Map<string, KeyRule>()
  for (const requirement of requirements) {
    let rule = rules.get(requirement.key)
    if (!rule) rules.set(requirement.key, (rule = new KeyRule()))
    rule.add(requirement)
  }
  if (rules.size === 1) {
    const [[key, rule]] = rules as unknown as [[string, KeyRule]]
    return labels => (Object.hasOwn(labels, key) ? rule.accepts(labels[key]!) : !rule.isRequired)
  }
  let required = 0
  for (const { isRequired } of rules.values()) if (isRequired) required++
  return labels => {
    let found = 0
    for (const key of Object.keys(labels)) {
      const rule = rules.get(key)
      if (!rule) continue
      if (!rule.accepts(labels[key]!)) return false
      if (rule.isRequired) found++
    }
    return found === required
  }
}

const int64 = { smallest: -(2n ** 63n), largest: 2n ** 63n - 1n }

/** Whether Go's strconv.ParseInt accepts the text as a 64-bit integer. */
function isInteger(text: string): boolean {
  if (!/^[-+]?\d+$/.test(text) || text.length > 100) return false
  const value = toInteger(text)
  return value >= int64.smallest && value <= int64.largest
}

const toInteger = (text: string) => BigInt(text.replace('+', ''))

export interface ParsedSelector {
  readonly matches: LabelMatcher
  /** A label value that every matching object has, so that an index can look it up. */
  readonly equals: { readonly key: string; readonly value: string } | undefined
}

/** Parses a label selector; undefined when it selects everything. Throws SelectorError. */
export function parseLabelSelector(text: string): ParsedSelector | undefined {
  const requirements = new Parser(text).parse()
  if (requirements.length === 0) return undefined
  const exact = requirements.find(
    r => r.values.length === 1 && (r.operator === '=' || r.operator === '==' || r.operator === 'in')
  )
  return {
    matches: matcherOf(requirements),
    equals: exact && { key: exact.key, value: exact.values[0]! }
  }
}

/**
 * One requirement of a label selector, as authorizers see it.
 *
 * @example
 * // --selector=tier=web
 * const requirement: LabelRequirement = { key: 'tier', operator: 'In', values: ['web'] }
 */
export interface LabelRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values: readonly string[]
}

const requirementOperators: Partial<Record<Operator, LabelRequirement['operator']>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist'
}

/** Returns the requirements of a label selector by key, or undefined when it cannot be parsed. Bounds (`>`, `<`) are left out. */
export function readableLabelSelector(text: string): readonly LabelRequirement[] | undefined {
  try {
    const requirements = new Parser(text).parse().toSorted((a, b) => compareUtf8(a.key, b.key))
    return requirements.flatMap(({ key, operator: found, values }) => {
      const operator = requirementOperators[found]
      return operator === undefined ? [] : [{ key, operator, values: values.toSorted(compareUtf8) }]
    })
  } catch (error) {
    if (error instanceof SelectorError) return undefined
    throw error
  }
}

export interface LabelSelector {
  readonly matchLabels?: Labels | undefined
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined | null }[]
    | undefined
}

const expressionOperators: Record<string, Operator> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' }

/** Returns a matcher for a LabelSelector object. An empty selector matches everything, a missing one nothing. */
export function labelSelectorMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (!selector) return () => false
  return matcherOf([
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...(selector.matchExpressions ?? []).map(e => ({
      key: e.key,
      operator: expressionOperators[e.operator] ?? 'in',
      values: e.values ?? []
    }))
  ])
}

/** Formats a LabelSelector object as text, as `kubectl get -o wide` shows it. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  if (!selector) return '<none>'
  const parts = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` }))
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const list = [...(values ?? [])].sort().join(',')
    parts.push({
      key,
      text:
        operator === 'In'
          ? `${key} in (${list})`
          : operator === 'NotIn'
            ? `${key} notin (${list})`
            : operator === 'Exists'
              ? key
              : `!${key}`
    })
  }
  parts.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return parts.length === 0 ? '<none>' : parts.map(p => p.text).join(',')
}
