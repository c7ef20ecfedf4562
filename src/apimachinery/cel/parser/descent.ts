/** A recursive-descent parser of well-formed expressions, which follows the rules of the grammar (CEL.g4). */
import type { Expr, Location, MapEntry, MessageField } from '../ast.js'
import { noOptionals } from '../ast.js'
import { type Issues, noLocation } from '../issues.js'
import { bytesLiteral, doubleLiteral, intLiteral, stringLiteral, uintLiteral } from './literals.js'
import { maxDepth } from './syntax-tree.js'
import { type Token, tokensOf } from './tokens.js'
import { logical, operators, TreeMaker } from './tree.js'

/**
 * Thrown for expressions that this parser leaves to ANTLR's: syntax errors, and nesting that might be too deep for ANTLR's
 * parser.
 */
export class NotReadable extends Error {
  readonly at: Location
  constructor(at: Location, message: string) {
    super(message)
    this.at = at
  }
}

/** Returns the tree, which is invalid when issues are reported. Throws NotReadable before it reports any issue. */
export function descend(source: string, issues: Issues, bindings: boolean): Expr {
  const tokens = tokensOf(source)
  if (!tokens) throw new NotReadable(noLocation, 'Syntax error: token recognition error')
  const found: [Location, string][] = []
  const make = new TreeMaker({ report: (at, message) => void found.push([at, message]) }, bindings)
  const expr = new Descent(tokens, make).whole()
  for (const [at, message] of found) issues.report(at, message)
  return expr
}

const relations: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in'])
const products: ReadonlySet<string> = new Set(['*', '/', '%'])
const sums: ReadonlySet<string> = new Set(['+', '-'])

const silent = new TreeMaker({ report() {} }, false)

class Descent {
  readonly #tokens: readonly Token[]
  #make: TreeMaker
  #next = 0
  /** At least the depth that any rule of the grammar reaches here: each link of a chain counts, as it does for ANTLR. */
  #depth = 0

  constructor(tokens: readonly Token[], make: TreeMaker) {
    this.#tokens = tokens
    this.#make = make
  }

  whole(): Expr {
    const expr = this.#expr()
    return this.#token.kind === 'end' ? expr : this.#fail()
  }

  get #token(): Token {
    return this.#tokens[this.#next]!
  }

  #fail(): never {
    const { at, text, kind } = this.#token
    throw new NotReadable(at, `Syntax error: mismatched input '${kind === 'end' ? '<EOF>' : text}'`)
  }

  #is(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === sign
  }

  #skip(sign: string): Location | undefined {
    if (!this.#is(sign)) return undefined
    return this.#tokens[this.#next++]!.at
  }

  #expect(sign: string): Location {
    return this.#skip(sign) ?? this.#fail()
  }

  #name(): Token {
    return this.#token.kind === 'name' ? this.#tokens[this.#next++]! : this.#fail()
  }

  #deeper(): void {
    if (++this.#depth >= maxDepth) throw new NotReadable(noLocation, `expression recursion limit exceeded: ${maxDepth}`)
  }

  #expr(): Expr {
    this.#deeper()
    const condition = this.#or()
    const question = this.#skip('?')
    let expr = condition
    if (question) {
      const yes = this.#or()
      this.#expect(':')
      expr = this.#make.call(question, '_?_:_', undefined, [condition, yes, this.#expr()])
    }
    this.#depth--
    return expr
  }

  #or(): Expr {
    return this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
  }

  #logical(sign: string, fn: string, term: () => Expr): Expr {
    const terms = [term()]
    const ops: Location[] = []
    for (let op = this.#skip(sign); op; op = this.#skip(sign)) {
      ops.push(op)
      terms.push(term())
    }
    return logical(fn, terms, ops)
  }

  #relation(): Expr {
    return this.#chain(relations, () => this.#chain(sums, () => this.#chain(products, () => this.#unary())))
  }

  #chain(signs: ReadonlySet<string>, operand: () => Expr): Expr {
    const before = this.#depth
    let left = operand()
    while (this.#token.kind === 'sign' && signs.has(this.#token.text)) {
      const { at, text } = this.#token
      this.#next++
      this.#deeper()
      left = this.#make.call(at, operators[text]!, undefined, [left, operand()])
    }
    this.#depth = before
    return left
  }

  #unary(): Expr {
    const sign = this.#is('!') ? '!' : '-'
    const ops: Location[] = []
    // a single minus before a number is part of the number
    if (!this.#isNumber(this.#next)) for (let op = this.#skip(sign); op; op = this.#skip(sign)) ops.push(op)
    const operand = this.#member()
    return ops.length % 2 === 0 ? operand : this.#make.call(ops[0]!, `${sign}_`, undefined, [operand])
  }

  /** Whether a minus and the digits of an int or double start at this token. */
  #isNumber(at: number): boolean {
    const [sign, number] = [this.#tokens[at]!, this.#tokens[at + 1]]
    return sign.kind === 'sign' && sign.text === '-' && (number?.kind === 'int' || number?.kind === 'double')
  }

  #member(): Expr {
    const before = this.#depth
    let expr = this.#primary()
    for (let linked = this.#link(expr); linked; linked = this.#link(expr)) {
      expr = linked
      this.#deeper()
    }
    this.#depth = before
    return expr
  }

  #link(operand: Expr): Expr | undefined {
    const dot = this.#skip('.')
    if (dot) {
      const optional = this.#skip('?')
      const name = this.#name()
      const open = optional ? undefined : this.#skip('(')
      if (open)
        return this.#make.call(
          open,
          name.text,
          operand,
          this.#list(')', () => this.#expr())
        )
      if (!optional) return { kind: 'select', at: dot, operand, field: name.text, test: false }
      const literal: Expr = { kind: 'literal', at: name.at, value: name.text }
      return { kind: 'call', at: dot, function: '_?._', target: undefined, args: [operand, literal] }
    }
    const open = this.#skip('[')
    if (!open) return undefined
    const fn = this.#skip('?') ? '_[?_]' : '_[_]'
    const index = this.#expr()
    this.#expect(']')
    return this.#make.call(open, fn, undefined, [operand, index])
  }

  /** Parses comma-separated items up to a bracket, optionally with a trailing comma. */
  #list<T>(end: string, item: () => T, trailingComma = false): T[] {
    const items: T[] = []
    if (!this.#is(end) && !this.#is(',')) {
      do items.push(item())
      while (this.#skip(',') && !(trailingComma && this.#is(end)))
    } else if (trailingComma) this.#skip(',')
    this.#expect(end)
    return items
  }

  #primary(): Expr {
    const { kind, at, text } = this.#token
    if (kind === 'name' || this.#is('.')) return this.#named()
    if (kind !== 'sign' || text === '-') return this.#literal()
    this.#next++
    switch (text) {
      case '(': {
        const inner = this.#expr()
        this.#expect(')')
        return inner
      }
      case '[':
        return this.#elements(at)
      case '{':
        return { kind: 'map', at, entries: this.#list('}', () => this.#entry(), true) }
      case 'true':
      case 'false':
        return { kind: 'literal', at, value: text === 'true' }
      case 'null':
        return { kind: 'literal', at, value: null }
      default:
        this.#next--
        return this.#fail()
    }
  }

  #elements(at: Location): Expr {
    const optional = new Set<number>()
    let count = 0
    const element = () => {
      if (this.#skip('?')) optional.add(count)
      count++
      return this.#expr()
    }
    const elements = this.#list(']', element, true)
    return { kind: 'list', at, elements, optional: optional.size > 0 ? optional : noOptionals }
  }

  #entry(): MapEntry {
    const optional = this.#skip('?') !== undefined
    const key = this.#expr()
    this.#expect(':')
    return { key, value: this.#expr(), optional }
  }

  /** Parses a name, a function call or a message. Only the token after the whole chain of names decides which. */
  #named(): Expr {
    const start = this.#token.at
    const dot = this.#skip('.') !== undefined
    const message = this.#message(dot)
    if (message) return message
    const { text, at } = this.#name()
    const open = this.#skip('(')
    if (!open) return this.#make.ident(start, at, dot, text)
    const reserved = this.#make.reserved(start, text)
    const make = this.#make
    // errors within the brackets are not reported
    if (reserved) this.#make = silent
    const args = this.#list(')', () => this.#expr())
    this.#make = make
    return reserved ?? make.call(open, (dot ? '.' : '') + text, undefined, args)
  }

  #message(dot: boolean): Expr | undefined {
    const names: string[] = []
    let i = this.#next
    for (; this.#tokens[i]!.kind === 'name'; i++) {
      names.push(this.#tokens[i]!.text)
      if (this.#tokens[i + 1]!.text !== '.' || this.#tokens[i + 1]!.kind !== 'sign') break
      i++
    }
    const open = this.#tokens[i + 1]
    if (this.#tokens[i]!.kind !== 'name' || open?.kind !== 'sign' || open.text !== '{') return undefined
    this.#next = i + 2
    const typeName = (dot ? '.' : '') + names.join('.')
    return { kind: 'message', at: open.at, typeName, fields: this.#list('}', () => this.#field(), true) }
  }

  #field(): MessageField {
    const optional = this.#skip('?') !== undefined
    const { text } = this.#name()
    const at = this.#expect(':')
    return { at, name: text, value: this.#expr(), optional }
  }

  #literal(): Expr {
    const { at } = this.#token
    const sign = this.#isNumber(this.#next) ? '-' : ''
    if (sign) this.#next++
    const { kind, text } = this.#token
    if (kind === 'sign' || kind === 'end') this.#fail()
    this.#next++
    return this.#make.literal(at, () => {
      if (kind === 'int') return intLiteral(sign, text)
      if (kind === 'double') return doubleLiteral(sign + text)
      return kind === 'uint' ? uintLiteral(text) : kind === 'string' ? stringLiteral(text) : bytesLiteral(text)
    })
  }
}
