/**
 * The part of jq (https://jqlang.org/manual/) in which kwok's Stages say which objects they mean, and from which of their fields delays and weights come: paths, `select`,
 * comparisons, and some functions. Anything else is refused when the Stage is read.
 */

/** An expression that is not understood. */
export class UnknownExpression extends Error {}

/** Returns what an expression yields for a value, without nulls; nothing where it fails, as on a path through a text. */
export type Query = (value: unknown) => unknown[]

type Filter = (value: unknown) => unknown[]

class QueryFailed extends Error {}

const longest = 10_000
const deepest = 50
/** The most results of a part of an expression. */
const mostResults = 10_000

/**
 * Reads an expression. Throws UnknownExpression.
 *
 * @example
 * parseQuery('.status.conditions.[] | select( .type == "Ready" ) | .status')({ status: { conditions: [{ type: 'Ready', status: 'True' }] } }) // ['True']
 */
export function parseQuery(text: string): Query {
  if (text.length > longest) throw new UnknownExpression(`longer than ${longest} characters`)
  const filter = new Parser(tokensOf(text)).whole()
  return value => {
    try {
      return filter(value).filter(one => one !== null && one !== undefined)
    } catch (error) {
      if (error instanceof QueryFailed) return []
      throw error
    }
  }
}

const token = /\s*(?:("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|[.[\]()|<>?,-]))/y

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  const source = text.trimEnd()
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const from = token.lastIndex
    const found = token.exec(source)
    if (!found) throw new UnknownExpression(`${JSON.stringify(source.slice(from, from + 20).trimStart())} is not understood`)
    tokens.push(found[0].trimStart())
  }
  return tokens
}

const compare: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => order(a, b) === 0,
  '!=': (a, b) => order(a, b) !== 0,
  '<': (a, b) => order(a, b) < 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>': (a, b) => order(a, b) > 0,
  '>=': (a, b) => order(a, b) >= 0
}

const isTrue = (value: unknown) => value !== false && value !== null && value !== undefined

class Parser {
  readonly #tokens: readonly string[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  whole(): Filter {
    const filter = this.#pipe()
    if (this.#peek() !== undefined) throw this.#unexpected()
    return filter
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next]
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false
    this.#next++
    return true
  }

  #expect(wanted: string): void {
    if (!this.#take(wanted)) throw this.#unexpected()
  }

  #unexpected(): UnknownExpression {
    const found = this.#peek()
    return new UnknownExpression(found === undefined ? 'its end is not expected' : `${found} is not expected`)
  }

  #pipe(): Filter {
    if (++this.#depth > deepest) throw new UnknownExpression('too deep')
    let filter = this.#alternative()
    while (this.#take('|')) filter = piped(filter, this.#alternative())
    this.#depth--
    return filter
  }

  #alternative(): Filter {
    let filter = this.#or()
    while (this.#take('//')) {
      const [first, second] = [filter, this.#or()]
      filter = value => {
        const found = orNothing(first, value).filter(isTrue)
        return found.length > 0 ? found : second(value)
      }
    }
    return filter
  }

  #or(): Filter {
    let filter = this.#and()
    while (this.#take('or')) {
      const [first, second] = [filter, this.#and()]
      filter = value => first(value).flatMap(one => (isTrue(one) ? [true] : second(value).map(isTrue)))
    }
    return filter
  }

  #and(): Filter {
    let filter = this.#comparison()
    while (this.#take('and')) {
      const [first, second] = [filter, this.#comparison()]
      filter = value => first(value).flatMap(one => (isTrue(one) ? second(value).map(isTrue) : [false]))
    }
    return filter
  }

  #comparison(): Filter {
    const first = this.#postfix()
    const compares = Object.hasOwn(compare, this.#peek() ?? '') ? compare[this.#peek()!] : undefined
    if (!compares) return first
    this.#next++
    const second = this.#postfix()
    return value => bounded(second(value).flatMap(right => first(value).map(left => compares(left, right))))
  }

  #postfix(): Filter {
    let filter = this.#term()
    for (;;) {
      if (this.#take('?')) {
        const tried = filter
        filter = value => orNothing(tried, value)
      } else if (this.#take('.')) filter = piped(filter, this.#peek() === '[' ? this.#brackets() : this.#name())
      else if (this.#peek() === '[') filter = piped(filter, this.#brackets())
      else return filter
    }
  }

  #term(): Filter {
    const first = this.#peek()
    if (first === undefined) throw this.#unexpected()
    this.#next++
    if (first === '.') {
      const next = this.#peek() ?? ''
      return /^["A-Za-z_]/.test(next) && !keywords.has(next) ? this.#name() : value => [value]
    }
    if (first === '(') {
      const inner = this.#pipe()
      this.#expect(')')
      return inner
    }
    if (first === '-' && /^\d/.test(this.#peek() ?? '')) return constant(-Number(this.#tokens[this.#next++]))
    if (first.startsWith('"')) return constant(textOf(first))
    if (/^\d/.test(first)) return constant(Number(first))
    if (Object.hasOwn(constants, first)) return constant(constants[first])
    if (Object.hasOwn(functions, first)) return each(functions[first]!)
    if (Object.hasOwn(functionsOfOne, first)) {
      this.#expect('(')
      const argument = this.#pipe()
      this.#expect(')')
      return functionsOfOne[first]!(argument)
    }
    this.#next--
    throw new UnknownExpression(`${first} is not known`)
  }

  #name(): Filter {
    const name = this.#peek()
    if (name === undefined || !/^["A-Za-z_]/.test(name)) throw this.#unexpected()
    this.#next++
    const key = name.startsWith('"') ? textOf(name) : name
    return value => [fieldOf(value, key)]
  }

  #brackets(): Filter {
    this.#expect('[')
    if (this.#take(']')) return elements
    const isNegative = this.#take('-')
    const key = this.#peek() ?? ''
    const index = key.startsWith('"') && !isNegative ? textOf(key) : /^\d+$/.test(key) ? Number(key) : undefined
    if (index === undefined) throw this.#unexpected()
    this.#next++
    this.#expect(']')
    if (typeof index === 'string') return value => [fieldOf(value, index)]
    return value => [elementOf(value, isNegative ? -index : index)]
  }
}

const keywords: ReadonlySet<string> = new Set(['and', 'or'])
const constants: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }
const constant =
  (value: unknown): Filter =>
  () => [value]
const each =
  (make: (value: unknown) => unknown): Filter =>
  value => [make(value)]

function textOf(quoted: string): string {
  try {
    return JSON.parse(quoted)
  } catch {
    throw new UnknownExpression(`${quoted} is not a text`)
  }
}

function bounded(values: unknown[]): unknown[] {
  if (values.length > mostResults) throw new QueryFailed('too many results')
  return values
}

const piped =
  (first: Filter, second: Filter): Filter =>
  value =>
    bounded(first(value).flatMap(second))

function orNothing(filter: Filter, value: unknown): unknown[] {
  try {
    return filter(value)
  } catch (error) {
    if (error instanceof QueryFailed) return []
    throw error
  }
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldOf(value: unknown, key: string): unknown {
  if (isNothing(value)) return null
  if (!isMap(value)) throw new QueryFailed(`no field ${key}`)
  return Object.hasOwn(value, key) ? value[key] : null
}

function elementOf(value: unknown, index: number): unknown {
  if (isNothing(value)) return null
  if (!Array.isArray(value)) throw new QueryFailed(`no element ${index}`)
  return value.at(index) ?? null
}

function elements(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isMap(value)) return Object.values(value)
  throw new QueryFailed('nothing to go through')
}

/** jq orders values of different types: null, false, true, numbers, texts, arrays, objects. */
const rankOf = (value: unknown): number =>
  isNothing(value)
    ? 0
    : typeof value === 'boolean'
      ? Number(value) + 1
      : typeof value === 'number'
        ? 3
        : typeof value === 'string'
          ? 4
          : Array.isArray(value)
            ? 5
            : 6

function order(a: unknown, b: unknown): number {
  const ranks = rankOf(a) - rankOf(b)
  if (ranks !== 0 || rankOf(a) < 3) return ranks
  const [left, right] = rankOf(a) > 4 ? [JSON.stringify(a), JSON.stringify(b)] : [a as string, b as string]
  return left < right ? -1 : left > right ? 1 : 0
}

function lengthOf(value: unknown): number {
  if (isNothing(value)) return 0
  if (typeof value === 'number') return Math.abs(value)
  if (typeof value === 'string') return [...value].length
  if (typeof value === 'boolean') throw new QueryFailed('a boolean has no length')
  return Object.keys(value as object).length
}

const functions: Readonly<Record<string, (value: unknown) => unknown>> = {
  not: value => !isTrue(value),
  length: lengthOf,
  tostring: value => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
}

/** A function that asks something of a text. */
const ofTexts =
  (asks: (text: string, argument: string) => boolean) =>
  (argument: Filter): Filter =>
  value =>
    argument(value).map(one => {
      if (typeof value !== 'string' || typeof one !== 'string') throw new QueryFailed('not a text')
      return asks(value, one)
    })

const functionsOfOne: Readonly<Record<string, (argument: Filter) => Filter>> = {
  select: condition => value => condition(value).flatMap(one => (isTrue(one) ? [value] : [])),
  has: key => value =>
    key(value).map(one => {
      if (isMap(value) && typeof one === 'string') return Object.hasOwn(value, one)
      if (Array.isArray(value) && typeof one === 'number') return one >= 0 && one < value.length
      throw new QueryFailed('has')
    }),
  startswith: ofTexts((text, start) => text.startsWith(start)),
  endswith: ofTexts((text, end) => text.endsWith(end))
}
