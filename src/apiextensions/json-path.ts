/**
 * JSONPath in Kubernetes' dialect (https://kubernetes.io/docs/reference/kubectl/jsonpath/), without templates: the language of a
 * custom resource's printer columns, selectable fields and scale paths.
 */
import { getKey, isObject } from '../util/json.js'

/** Finds the values at a path, in document order; none when a step does not exist or has another type. */
export type JsonPath = (root: unknown) => unknown[]

type Step = (value: unknown, root: unknown) => unknown[]

/** Bounds the steps of a path. */
const maxSteps = 100

/** Compiles a path such as ".spec.containers[*].name". Returns undefined when the text is not a path. */
export function jsonPath(text: string): JsonPath | undefined {
  const parser = new Parser(text)
  const steps = parser.path()
  if (!steps || !parser.atEnd) return undefined
  return root => follow(steps, root, root)
}

function follow(steps: readonly Step[], start: unknown, root: unknown): unknown[] {
  let values = [start]
  for (const step of steps) values = values.flatMap(value => step(value, root))
  return values
}

const field =
  (name: string): Step =>
  value => {
    const found = isObject(value) ? getKey(value, name) : undefined
    return found === undefined ? [] : [found]
  }

const children: Step = value => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [])

/** The value and all values inside it. */
const everything: Step = value => {
  const out: unknown[] = []
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    out.push(next)
    for (const child of [...children(next, undefined)].reverse()) open.push(child)
  }
  return out
}

function slice(start: number | undefined, end: number | undefined, step: number): Step {
  return value => {
    if (!Array.isArray(value)) return []
    const at = (index: number) => (index < 0 ? index + value.length : index)
    const from = Math.max(0, at(start ?? 0))
    const to = Math.min(value.length, at(end ?? value.length))
    const out: unknown[] = []
    for (let i = from; i < to; i += step) out.push(value[i])
    return out
  }
}

const element =
  (index: number): Step =>
  value => {
    const found = Array.isArray(value) ? value.at(index) : undefined
    return found === undefined ? [] : [found]
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
    return members.length === 1 ? members[0] : (value, root) => members.flatMap(member => member(value, root))
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
    return (value, root) =>
      children(value, root).filter(item => {
        const [a] = left(item, root)
        return operator ? a !== undefined && compare(a, operator, right!(item, root)[0]) : a !== undefined
      })
  }

  #operand(): Step | undefined {
    if (this.#take('@')) return this.#relative(value => value)
    if (this.#take('$')) return this.#relative((_, root) => root)
    const text = this.#string()
    if (text !== undefined) return () => [text]
    const literal = this.#match(/true|false|-?\d+(?:\.\d+)?/y)?.[0]
    if (literal === undefined) return undefined
    const value: unknown = JSON.parse(literal)
    return () => [value]
  }

  #relative(start: (value: unknown, root: unknown) => unknown): Step | undefined {
    const steps = this.path()
    return steps && ((value, root) => follow(steps, start(value, root), root))
  }
}
