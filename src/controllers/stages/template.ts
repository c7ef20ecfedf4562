/**
 * Go templates (https://pkg.go.dev/text/template) as kwok's Stages have them: what a Stage writes, as text in which the object's fields are filled in. Known are fields,
 * variables, pipelines, `if`, `with` and `range`, and the functions of `template-functions.ts`; anything else is refused when the template is read.
 */

/** A template that is not understood; with the line. */
export class UnknownTemplate extends Error {}
/** A template that cannot be filled in for an object. */
export class TemplateFailed extends Error {}

export type TemplateFunction = (...args: any[]) => unknown
export type TemplateFunctions = Readonly<Record<string, TemplateFunction>>

/** Fills in a template. Throws TemplateFailed. */
export type Template = (data: unknown, functions: TemplateFunctions) => string

const longestTemplate = 200_000
const longestText = 1_000_000
const deepest = 50
/** The most parts that are evaluated for one text. */
const mostSteps = 200_000

type Expression = (scope: Scope) => unknown
type Part = (scope: Scope) => void

interface Variable {
  readonly name: string
  value: unknown
}

class Scope {
  readonly functions: TemplateFunctions
  readonly variables: Variable[]
  dot: unknown
  readonly #out: string[] = []
  #length = 0
  #steps = 0

  constructor(data: unknown, functions: TemplateFunctions) {
    this.dot = data
    this.functions = functions
    this.variables = [{ name: '$', value: data }]
  }

  step(): void {
    if (++this.#steps > mostSteps) throw new TemplateFailed(`more than ${mostSteps} steps`)
  }

  write(text: string): void {
    this.#length += text.length
    if (this.#length > longestText) throw new TemplateFailed(`a text of more than ${longestText} characters`)
    this.#out.push(text)
  }

  variable(name: string): Variable {
    for (let i = this.variables.length - 1; i >= 0; i--) if (this.variables[i]!.name === name) return this.variables[i]!
    throw new TemplateFailed(`${name} has no value`)
  }

  /** Evaluates parts with another dot, and forgets their variables. */
  within(dot: unknown, parts: readonly Part[], variables: readonly Variable[] = []): void {
    const [before, count] = [this.dot, this.variables.length]
    this.dot = dot
    this.variables.push(...variables)
    for (const part of parts) part(this)
    this.variables.length = count
    this.dot = before
  }

  get text(): string {
    return this.#out.join('')
  }
}

/**
 * Reads a template; `known` are the functions that it may call. Throws UnknownTemplate.
 *
 * @example
 * parseTemplate('phase: {{ .phase | Quote }}', new Set(['Quote']))({ phase: 'Running' }, { Quote: JSON.stringify }) // phase: "Running"
 */
export function parseTemplate(text: string, known: ReadonlySet<string>): Template {
  if (text.length > longestTemplate) throw new UnknownTemplate(`longer than ${longestTemplate} characters`)
  const parts = new Parser(piecesOf(text.trim()), known).whole()
  return (data, functions) => {
    const scope = new Scope(data, functions)
    for (const part of parts) part(scope)
    return scope.text
  }
}

interface Piece {
  readonly line: number
  /** What stands between the braces; undefined for text. */
  readonly action?: string | undefined
  readonly text: string
}

/** Text and actions in their order, without comments; `{{-` and `-}}` have taken away the white space beside them. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let line = 1
  let at = 0
  let trims = false
  while (at < text.length) {
    const open = text.indexOf('{{', at)
    const end = open < 0 ? text.length : open
    const trimsBefore = open >= 0 && /^-\s/.test(text.slice(open + 2, open + 4))
    let plain = text.slice(at, end)
    const linesOfPlain = linesIn(plain)
    if (trims) plain = plain.trimStart()
    if (trimsBefore) plain = plain.trimEnd()
    if (plain !== '') pieces.push({ line, text: plain })
    line += linesOfPlain
    if (open < 0) break
    const close = endOfAction(text, open + 2)
    if (close < 0) throw new UnknownTemplate(`line ${line}: an action without an end`)
    let action = text.slice(open + 2, close)
    const linesOfAction = linesIn(action)
    trims = /\s-$/.test(action)
    if (trims) action = action.slice(0, -1)
    if (trimsBefore) action = action.slice(1)
    action = action.trim()
    if (!(action.startsWith('/*') && action.endsWith('*/'))) pieces.push({ line, action, text: '' })
    line += linesOfAction
    at = close + 2
  }
  return pieces
}

const linesIn = (text: string) => text.split('\n').length - 1

/** Where the braces are that end an action: not in a text or a comment of it. */
function endOfAction(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const one = text[at]!
    if (quote) {
      if (one === '\\' && quote === '"') at++
      else if (one === quote) quote = ''
    } else if (one === '"' || one === '`') quote = one
    else if (one === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) return -1
      at = end + 1
    } else if (one === '}' && text[at + 1] === '}') return at
  }
  return -1
}

const token = /\s*(?:("(?:[^"\\\n]|\\.)*"|`[^`]*`)|(-?\d+(?:\.\d+)?)|(\$\w*)|(\.\w+)|(\w+)|(:=|[|(),=.]))/y

interface Token {
  readonly text: string
  /** Whether white space stands before it. */
  readonly isApart: boolean
}

function tokensOf(action: string, line: number): Token[] {
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < action.length) {
    const from = token.lastIndex
    const found = token.exec(action)
    if (!found)
      throw new UnknownTemplate(`line ${line}: ${JSON.stringify(action.slice(from, from + 20).trim())} is not understood`)
    const text = found[0].trimStart()
    tokens.push({ text, isApart: text.length < found[0].length })
  }
  return tokens
}

const literals: Readonly<Record<string, unknown>> = { true: true, false: false, nil: null }

class Parser {
  readonly #pieces: readonly Piece[]
  readonly #known: ReadonlySet<string>
  #piece = 0
  #depth = 0
  #line = 1
  #tokens: readonly Token[] = []
  #token = 0
  /** The variables that are known at this place. */
  readonly #variables: string[] = ['$']

  constructor(pieces: readonly Piece[], known: ReadonlySet<string>) {
    this.#pieces = pieces
    this.#known = known
  }

  whole(): Part[] {
    const { parts, end } = this.#block()
    if (end !== undefined) throw this.#unknown(`${end} without a beginning`)
    return parts
  }

  #unknown(text: string): UnknownTemplate {
    return new UnknownTemplate(`line ${this.#line}: ${text}`)
  }

  /** Reads until `end` or `else`, which is returned with the rest of its action. */
  #block(): { parts: Part[]; end: string | undefined } {
    if (++this.#depth > deepest) throw this.#unknown('too deep')
    const parts: Part[] = []
    const variables = this.#variables.length
    for (;;) {
      const piece = this.#pieces[this.#piece++]
      if (!piece || piece.action === 'end' || piece.action?.startsWith('else')) {
        if (piece) this.#line = piece.line
        this.#variables.length = variables
        this.#depth--
        return { parts, end: piece?.action }
      }
      this.#line = piece.line
      const { action, text } = piece
      parts.push(action === undefined ? scope => scope.write(text) : this.#action(action))
    }
  }

  #action(action: string): Part {
    const [, keyword = '', rest = ''] = /^(\w+)\b([\s\S]*)$/.exec(action) ?? []
    if (keyword === 'if' || keyword === 'with') return this.#branch(keyword, rest)
    if (keyword === 'range') return this.#range(rest)
    if (['define', 'template', 'block', 'break', 'continue'].includes(keyword))
      throw this.#unknown(`${keyword} is not understood`)
    this.#read(action)
    const [name, sign] = [this.#tokens[0]?.text ?? '', this.#tokens[1]?.text]
    if (!name.startsWith('$') || (sign !== ':=' && sign !== '=')) {
      const value = this.#whole()
      return scope => scope.write(shown(value(scope)))
    }
    this.#token = 2
    const value = this.#whole()
    if (sign === ':=') {
      this.#variables.push(name)
      return scope => void scope.variables.push({ name, value: value(scope) })
    }
    this.#declared(name)
    return scope => {
      scope.variable(name).value = value(scope)
    }
  }

  #branch(keyword: 'if' | 'with', condition: string): Part {
    const known = this.#variables.length
    const { name, value } = this.#assigned(condition)
    const { parts, end } = this.#block()
    const otherwise = this.#otherwise(end)
    this.#variables.length = known
    return scope => {
      const found = value(scope)
      const variables = name ? [{ name, value: found }] : []
      const holds = isTrue(found)
      scope.within(holds && keyword === 'with' ? found : scope.dot, holds ? parts : otherwise, variables)
    }
  }

  #range(text: string): Part {
    const known = this.#variables.length
    const [, declared, rest] = /^\s*(\$\w+(?:\s*,\s*\$\w+)?)\s*:=([\s\S]*)$/.exec(text) ?? [undefined, undefined, text]
    const names = declared?.split(',').map(name => name.trim()) ?? []
    const value = this.#pipelineOf(rest!)
    this.#variables.push(...names)
    const { parts, end } = this.#block()
    this.#variables.length = known
    const otherwise = this.#otherwise(end)
    return scope => {
      const entries = entriesOf(value(scope))
      if (entries.length === 0) return scope.within(scope.dot, otherwise)
      for (const [key, element] of entries) {
        const values = names.length === 1 ? [element] : [key, element]
        scope.within(
          element,
          parts,
          names.map((name, i) => ({ name, value: values[i] }))
        )
      }
    }
  }

  /** What stands between `else` and `end`; `end` is the action that came before. */
  #otherwise(end: string | undefined): Part[] {
    if (end === 'end') return []
    if (end === undefined) throw this.#unknown('an end is missing')
    const again = /^else\s+(if|with)\b([\s\S]*)$/.exec(end)
    if (again) return [this.#branch(again[1] as 'if' | 'with', again[2]!)]
    if (end !== 'else') throw this.#unknown(`${end} is not understood`)
    const { parts, end: last } = this.#block()
    if (last !== 'end') throw this.#unknown('an end is missing')
    return parts
  }

  /** The value of a condition, which may have a name. */
  #assigned(text: string): { name: string | undefined; value: Expression } {
    const [, name, rest] = /^\s*(\$\w+)\s*:=([\s\S]*)$/.exec(text) ?? [undefined, undefined, text]
    const value = this.#pipelineOf(rest!)
    if (name) this.#variables.push(name)
    return { name, value }
  }

  #pipelineOf(text: string): Expression {
    this.#read(text)
    return this.#whole()
  }

  #read(text: string): void {
    this.#tokens = tokensOf(text.trim(), this.#line)
    this.#token = 0
  }

  #whole(): Expression {
    const value = this.#pipeline()
    if (this.#peek() !== undefined) throw this.#unknown(`${this.#peek()!.text} is not expected`)
    return value
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#token]
  }

  #pipeline(): Expression {
    if (++this.#depth > deepest) throw this.#unknown('too deep')
    let value = this.#command(undefined)
    while (this.#peek()?.text === '|') {
      this.#token++
      value = this.#command(value)
    }
    this.#depth--
    return value
  }

  /** A value, or a function with its arguments, of which `last` is the last. */
  #command(last: Expression | undefined): Expression {
    const name = this.#peek()?.text ?? ''
    if (/^[A-Za-z_]/.test(name) && !Object.hasOwn(literals, name)) {
      this.#token++
      return this.#call(name, [...this.#operands(), ...(last ? [last] : [])])
    }
    const [value, ...others] = this.#operands()
    if (!value) throw this.#unknown(this.#peek() ? `${this.#peek()!.text} is not expected` : 'a value is missing')
    if (others.length > 0 || last) throw this.#unknown(`${name} is no function`)
    return value
  }

  #call(name: string, args: readonly Expression[]): Expression {
    if (name === 'and' || name === 'or') {
      if (args.length === 0) throw this.#unknown(`${name} needs values`)
      return scope => {
        let value: unknown
        for (const arg of args) {
          value = arg(scope)
          if (isTrue(value) === (name === 'or')) return value
        }
        return value
      }
    }
    if (!this.#known.has(name)) throw this.#unknown(`function ${JSON.stringify(name)} is not known`)
    const line = this.#line
    return scope => {
      scope.step()
      const values = args.map(arg => arg(scope))
      try {
        return scope.functions[name]!(...values)
      } catch (error) {
        throw new TemplateFailed(`line ${line}: ${name}: ${(error as Error).message}`)
      }
    }
  }

  #operands(): Expression[] {
    const found: Expression[] = []
    for (let next = this.#peek(); next && next.text !== '|' && next.text !== ')'; next = this.#peek()) {
      this.#token++
      found.push(this.#fields(this.#operand(next.text)))
    }
    return found
  }

  #operand(text: string): Expression {
    if (text === '(') {
      const value = this.#pipeline()
      if (this.#peek()?.text !== ')') throw this.#unknown('a ) is missing')
      this.#token++
      return value
    }
    if (text === '.') return scope => scope.dot
    if (text.startsWith('.')) return this.#field(scope => scope.dot, text.slice(1))
    if (text.startsWith('$')) {
      this.#declared(text)
      return scope => scope.variable(text).value
    }
    if (/^[-\d]/.test(text)) return () => Number(text)
    if (/^["`]/.test(text)) {
      const value = this.#textOf(text)
      return () => value
    }
    if (Object.hasOwn(literals, text)) return () => literals[text]
    // a function without arguments
    if (/^[A-Za-z_]/.test(text)) return this.#call(text, [])
    throw this.#unknown(`${text} is not expected`)
  }

  /** The fields that follow a value at once. */
  #fields(value: Expression): Expression {
    let found = value
    for (let next = this.#peek(); next && !next.isApart && /^\.\w/.test(next.text); next = this.#peek()) {
      this.#token++
      found = this.#field(found, next.text.slice(1))
    }
    return found
  }

  #field(of: Expression, name: string): Expression {
    const line = this.#line
    return scope => {
      scope.step()
      const value = of(scope)
      // as in Go, nothing has no fields, and a field that is not there is nothing
      if (value === null || value === undefined) return null
      if (typeof value !== 'object' || Array.isArray(value))
        throw new TemplateFailed(`line ${line}: can't evaluate field ${name} in ${JSON.stringify(value).slice(0, 50)}`)
      return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null
    }
  }

  #declared(name: string): void {
    if (!this.#variables.includes(name)) throw this.#unknown(`undefined variable ${JSON.stringify(name)}`)
  }

  #textOf(quoted: string): string {
    if (quoted.startsWith('`')) return quoted.slice(1, -1)
    try {
      return JSON.parse(quoted)
    } catch {
      throw this.#unknown(`${quoted} is not understood`)
    }
  }
}

/**
 * Whether a value is true for Go's templates: neither nothing, false, 0 nor empty.
 *
 * @example
 * isTrue({}) // false
 */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined) return false
  if (typeof value === 'object') return Object.keys(value).length > 0
  return Boolean(value)
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function entriesOf(value: unknown): [unknown, unknown][] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map((element, index) => [index, element])
  if (typeof value === 'object') return Object.entries(value).sort(([a], [b]) => byText(a, b))
  throw new TemplateFailed(`range can't iterate over ${JSON.stringify(value).slice(0, 50)}`)
}

/**
 * A value as Go's templates print it.
 *
 * @example
 * shown({ a: [1, 'b'] }) // map[a:[1 b]]
 */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return '<no value>'
  if (Array.isArray(value)) return `[${value.map(inner).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  return `map[${entriesOf(value)
    .map(([key, element]) => `${key}:${inner(element)}`)
    .join(' ')}]`
}

const inner = (value: unknown) => (value === null || value === undefined ? '<nil>' : shown(value))
