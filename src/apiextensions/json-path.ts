/**
 * JSONPath in Kubernetes' dialect (https://kubernetes.io/docs/reference/kubectl/jsonpath/), without templates: the language of a
 * custom resource's printer columns, selectable fields and scale paths.
 */
import { getKey, isObject } from '../util/json.js'

/**
 * Finds the first value at a path, in document order; undefined when a step does not exist or has another type, or when the budget
 * is used up before.
 */
export type JsonPath = (root: unknown, budget?: Budget) => unknown

/** How many values an evaluation may look at. A path with several ".." has more ways through a small object than can be tried. */
export interface Budget {
  left: number
}

export const newBudget = (): Budget => ({ left: 100_000 })

interface Search {
  readonly root: unknown
  readonly budget: Budget
}

type Step = (value: unknown, search: Search) => Iterable<unknown>

/** The most steps of a path. */
const maxSteps = 100

/** Compiles a path such as ".spec.containers[*].name". Returns undefined when the text is not a path. */
export function jsonPath(text: string): JsonPath | undefined {
  const parser = new Parser(text)
  const steps = parser.path()
  if (!steps || !parser.atEnd) return undefined
  return (root, budget = newBudget()) => first(steps, root, { root, budget })
}

function first(steps: readonly Step[], start: unknown, search: Search, from = 0): unknown {
  if (from === steps.length) return start
  for (const value of steps[from]!(start, search)) {
    if (search.budget.left-- <= 0) return undefined
    const found = first(steps, value, search, from + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const none: readonly unknown[] = []

const field =
  (name: string): Step =>
  value => {
    const found = isObject(value) ? getKey(value, name) : undefined
    return found === undefined ? none : [found]
  }

const childrenOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : none

const children: Step = childrenOf

/** Yields the value and all values inside it. */
function* everything(value: unknown): Iterable<unknown> {
  const open = [[value].values()]
  while (open.length > 0) {
    const { done, value: next } = open.at(-1)!.next()
    if (done) {
      open.pop()
      continue
    }
    yield next
    if (typeof next === 'object') open.push(childrenOf(next).values() as ArrayIterator<unknown>)
  }
}

function slice(start: number | undefined, end: number | undefined, step: number): Step {
  return function* (value) {
    if (!Array.isArray(value)) return
    const at = (index: number) => (index < 0 ? index + value.length : index)
    const from = Math.max(0, at(start ?? 0))
    const to = Math.min(value.length, at(end ?? value.length))
    for (let i = from; i < to; i += step) yield value[i]
  }
}

const element =
  (index: number): Step =>
  value => {
    const found = Array.isArray(value) ? value.at(index) : undefined
    return found === undefined ? none : [found]
  }

/** Selects several members of one object or list. */
const union = (members: readonly Step[]): Step =>
  function* (value, search) {
    for (const member of members) yield* member(value, search)
  }

type Operand = (item: unknown, search: Search) => unknown

const filter = (left: Operand, operator: Operator | undefined, right: Operand | undefined): Step =>
  function* (value, search) {
    for (const item of childrenOf(value)) {
      if (search.budget.left-- <= 0) return
      const a = left(item, search)
      if (a !== undefined && (!operator || compare(a, operator, right!(item, search)))) yield item
    }
  }

type Operator = '==' | '!=' | '<=' | '>=' | '<' | '>'

function compare(a: unknown, operator: Operator, b: unknown): boolean {
  if (operator === '==') return a === b
  if (operator === '!=') return a !== b
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) return false
  const x = a as number
  const y = b as number
  return operator === '<' ? x < y : operator === '>' ? x > y : operator === '<=' ? x <= y : x >= y
}

/** Reads the text once from left to right. Each method returns undefined when the text does not match. */
class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.#at === this.#text.length
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found ?? undefined
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  path(): Step[] | undefined {
    const steps: Step[] = []
    while (steps.length < maxSteps) {
      if (this.#take('..')) steps.push(everything)
      else if (this.#take('[')) {
        const step = this.#bracket()
        if (!step || !this.#take(']')) return undefined
        steps.push(step)
        continue
      } else if (!this.#take('.')) return steps
      // ".." and "." may lead to a bracket, or stand alone for the value itself
      if (this.#take('*')) steps.push(children)
      else {
        const name = this.#match(/(?:\\.|[^\s.[\](){}|,'"=!<>@?*\\])+/y)?.[0]
        if (name !== undefined) steps.push(field(name.replace(/\\(.)/g, '$1')))
      }
    }
    return undefined
  }

  #bracket(): Step | undefined {
    if (this.#take('*')) return children
    if (this.#take('?(')) return this.#filter()
    const members: Step[] = []
    do {
      const member = this.#member()
      if (!member) return undefined
      members.push(member)
    } while (this.#match(/\s*,\s*/y))
    return members.length === 1 ? members[0] : union(members)
  }

  #member(): Step | undefined {
    const name = this.#string()
    if (name !== undefined) return field(name)
    const range = this.#match(/(-?\d{1,9})?:(-?\d{1,9})?(?::(-?\d{1,9}))?/y)
    if (range) {
      const [, from, to, by = '1'] = range
      if (Number(by) < 1) return undefined
      return slice(from === undefined ? undefined : Number(from), to === undefined ? undefined : Number(to), Number(by))
    }
    const index = this.#match(/-?\d{1,9}/y)
    return index && element(Number(index[0]))
  }

  #string(): string | undefined {
    const found = this.#match(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/y)
    return found && (found[1] ?? found[2])!.replace(/\\(.)/g, '$1')
  }

  #filter(): Step | undefined {
    this.#match(/\s*/y)
    const left = this.#operand()
    const operator = this.#match(/\s*(==|!=|<=|>=|<|>)\s*/y)?.[1] as Operator | undefined
    const right = operator && this.#operand()
    if (!left || (operator && !right) || !this.#match(/\s*\)/y)) return undefined
    return filter(left, operator, right)
  }

  #operand(): Operand | undefined {
    if (this.#take('@')) return this.#relative(item => item)
    if (this.#take('$')) return this.#relative((_, { root }) => root)
    const text = this.#string()
    if (text !== undefined) return () => text
    const literal = this.#match(/true|false|-?\d+(?:\.\d+)?/y)?.[0]
    if (literal === undefined) return undefined
    const value: unknown = JSON.parse(literal)
    return () => value
  }

  #relative(start: Operand): Operand | undefined {
    const steps = this.path()
    return steps && ((item, search) => first(steps, start(item, search), search))
  }
}
