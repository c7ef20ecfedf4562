/** Converts ANTLR's tree to the abstract syntax tree. */
import type { ParserRuleContext, Token } from 'antlr4ng'
import type { Expr, Location, MapEntry, MessageField } from '../ast.js'
import { noOptionals } from '../ast.js'
import type { Issues } from '../issues.js'
import type { Value } from '../values/value.js'
import * as g from './generated/CELParser.js'
import { bytesLiteral, doubleLiteral, intLiteral, stringLiteral, uintLiteral } from './literals.js'
import { GivenUp, maxDepth } from './syntax-tree.js'
import { hole, logical, operators, TreeMaker } from './tree.js'

const locationOf = (token: Token): Location => ({ line: token.line, column: token.column })
const startOf = (context: ParserRuleContext): Location => locationOf(context.start!)
const name = (token: Token | null | undefined) => token?.text ?? ''

/** Converts ANTLR's tree to ours. After syntax errors the tree may have holes; then the conversion only has to terminate. */
export class TreeBuilder {
  readonly #issues: Issues
  readonly #make: TreeMaker
  #depth = 0

  constructor(issues: Issues, bindings: boolean) {
    this.#issues = issues
    this.#make = new TreeMaker(issues, bindings)
  }

  build(tree: ParserRuleContext | null | undefined): Expr {
    if (!isCompound(tree)) return this.#build(tree)
    if (++this.#depth > maxDepth) throw new GivenUp('max recursion depth exceeded')
    const expr = this.#build(tree)
    this.#depth--
    return expr
  }

  #build(c: ParserRuleContext | null | undefined): Expr {
    if (c instanceof g.ExprContext) return this.#conditional(c)
    if (c instanceof g.ConditionalOrContext) return this.#logical('_||_', c)
    if (c instanceof g.ConditionalAndContext) return this.#logical('_&&_', c)
    if (c instanceof g.RelationContext) return c._op ? this.#binary(c._op, c._left, c._right) : this.build(c.calc())
    if (c instanceof g.CalcContext) return c._op ? this.#binary(c._op, c._left, c._right) : this.build(c.unary())
    if (c instanceof g.PlainContext) return this.build(c.member())
    if (c instanceof g.NotContext) return this.#unary('!_', c)
    if (c instanceof g.NegateContext) return this.#unary('-_', c)
    if (c instanceof g.Primary_Context) return this.build(c.primary())
    if (c instanceof g.SelectContext) return this.#select(c)
    if (c instanceof g.MemberCallContext) return this.#memberCall(c)
    if (c instanceof g.IndexContext) return this.#index(c)
    if (c instanceof g.IdentContext) return this.#ident(c)
    if (c instanceof g.GlobalCallContext) return this.#globalCall(c)
    if (c instanceof g.NestedContext) return this.build(c._inner)
    if (c instanceof g.CreateListContext) return this.#list(c)
    if (c instanceof g.CreateMapContext) return this.#map(c)
    if (c instanceof g.CreateMessageContext) return this.#message(c)
    if (c instanceof g.ConstantContext) return this.#literal(c.literal())
    return hole
  }

  #conditional(c: g.ExprContext): Expr {
    const condition = this.build(c._condition)
    if (!c._question) return condition
    return this.#make.call(locationOf(c._question), '_?_:_', undefined, [condition, this.build(c._yes), this.build(c._no)])
  }

  #logical(fn: string, c: g.ConditionalOrContext | g.ConditionalAndContext): Expr {
    const terms = c._terms.map(t => this.build(t))
    const ops = c._ops.map(locationOf)
    return terms.length <= ops.length ? hole : logical(fn, terms, ops)
  }

  #binary(op: Token, left: ParserRuleContext | undefined, right: ParserRuleContext | undefined): Expr {
    return this.#make.call(locationOf(op), operators[name(op)]!, undefined, [this.build(left), this.build(right)])
  }

  #unary(fn: string, c: g.NotContext | g.NegateContext): Expr {
    const operand = this.build(c.member())
    return c._ops.length % 2 === 0 ? operand : this.#make.call(locationOf(c._ops[0]!), fn, undefined, [operand])
  }

  #select(c: g.SelectContext): Expr {
    const operand = this.build(c.member())
    if (!c._name || !c._op) return hole
    const at = locationOf(c._op)
    const field = this.#fieldName(c._name)
    if (!c._opt) return { kind: 'select', at, operand, field, test: false }
    const literal: Expr = { kind: 'literal', at: startOf(c._name), value: field }
    return { kind: 'call', at, function: '_?._', target: undefined, args: [operand, literal] }
  }

  /** Kubernetes escapes names with underscores, and does not support `…`. */
  #fieldName(c: g.EscapeIdentContext): string {
    if (c instanceof g.EscapedNameContext) this.#issues.report(startOf(c), "unsupported syntax: '`'")
    if (c instanceof g.SimpleNameContext) return name(c._name)
    if (!(c instanceof g.EscapedNameContext)) this.#issues.report(startOf(c), 'unsupported ident kind')
    return ''
  }

  #memberCall(c: g.MemberCallContext): Expr {
    const target = this.build(c.member())
    if (!c._name || !c._open) return hole
    return this.#make.call(locationOf(c._open), name(c._name), target, this.#all(c._args?._items))
  }

  #index(c: g.IndexContext): Expr {
    const target = this.build(c.member())
    if (!c._op) return hole
    return this.#make.call(locationOf(c._op), c._opt ? '_[?_]' : '_[_]', undefined, [target, this.build(c._index)])
  }

  #all(items: readonly ParserRuleContext[] | undefined): Expr[] {
    return (items ?? []).map(item => this.build(item))
  }

  #ident(c: g.IdentContext): Expr {
    if (!c._name) return hole
    return this.#make.ident(startOf(c), locationOf(c._name), !!c._dot, name(c._name))
  }

  #globalCall(c: g.GlobalCallContext): Expr {
    if (!c._name || !c._open) return hole
    const reserved = this.#make.reserved(startOf(c), name(c._name))
    if (reserved) return reserved
    return this.#make.call(locationOf(c._open), (c._dot ? '.' : '') + name(c._name), undefined, this.#all(c._args?._items))
  }

  #list(c: g.CreateListContext): Expr {
    const items = c._elements?._items ?? []
    const optional = new Set(items.flatMap((item, i) => (item._opt ? [i] : [])))
    const elements = this.#all(items.map(item => item._value!))
    return { kind: 'list', at: locationOf(c._open!), elements, optional: optional.size > 0 ? optional : noOptionals }
  }

  #map(c: g.CreateMapContext): Expr {
    const entries = (c._entries?._keys ?? []).map(
      (key, i): MapEntry => ({ key: this.build(key._value), value: this.build(c._entries!._values[i]), optional: !!key._opt })
    )
    return { kind: 'map', at: locationOf(c._open!), entries }
  }

  #message(c: g.CreateMessageContext): Expr {
    const list = c._fields
    const fields = (list?._fields ?? []).flatMap((field, i): MessageField[] => {
      const ident = field.escapeIdent()
      const colon = list!._colons[i]
      if (!ident || !colon) return []
      const value = this.build(list!._values[i])
      return [{ at: locationOf(colon), name: this.#fieldName(ident), value, optional: !!field._opt }]
    })
    const typeName = (c._dot ? '.' : '') + c._names.map(name).join('.')
    return { kind: 'message', at: locationOf(c._open!), typeName, fields }
  }

  #literal(c: g.LiteralContext): Expr {
    return this.#make.literal(startOf(c), () => literalValue(c))
  }
}

/** Whether a node can nest in itself without limit in the grammar, so that its depth must be limited here. */
function isCompound(c: ParserRuleContext | null | undefined): boolean {
  if (c instanceof g.ExprContext) return !!c._question
  if (c instanceof g.RelationContext || c instanceof g.CalcContext) return !!c._op
  return c instanceof g.SelectContext || c instanceof g.MemberCallContext || c instanceof g.IndexContext
}

function literalValue(c: g.LiteralContext): Value | undefined {
  if (c instanceof g.IntContext) return intLiteral(name(c._sign), name(c._token))
  if (c instanceof g.UintContext) return uintLiteral(name(c._token))
  if (c instanceof g.DoubleContext) return doubleLiteral(name(c._sign) + name(c._token))
  if (c instanceof g.StringContext) return stringLiteral(name(c._token))
  if (c instanceof g.BytesContext) return bytesLiteral(name(c._token))
  if (c instanceof g.TrueContext) return true
  if (c instanceof g.FalseContext) return false
  if (c instanceof g.NullContext) return null
  return undefined
}
