/** Infers the type of every expression, resolves names and overloads, and reports errors in cel-go's words. */
import {
  type Call,
  type Comprehension,
  type Expr,
  type Ident,
  type ListLiteral,
  type Location,
  type MapLiteral,
  type MessageLiteral,
  qualifiedName,
  type Select,
  withoutDot
} from './ast.js'
import type { FunctionDeclaration } from './declarations.js'
import type { Environment } from './environment.js'
import type { Issues } from './issues.js'
import { reservedWords } from './parser/reserved.js'
import {
  anyType,
  boolType,
  dynType,
  errorType,
  formatSignature,
  formatType,
  intType,
  isOptional,
  listType,
  mapType,
  optionalType,
  sameType,
  type Type,
  typeParam
} from './types.js'
import { Bindings, isDynOrError, mostGeneral } from './unify.js'
import { typeOf } from './values/value.js'

export function check(expr: Expr, environment: Environment, issues: Issues): void {
  const checker = new Checker(environment, issues)
  checker.check(expr)
  checker.finish()
}

/** Returns the parameter of an optional type, or else the type itself. */
const unwrapped = (type: Type): Type => (isOptional(type) ? type.params[0]! : type)

class Checker {
  readonly #environment: Environment
  readonly #issues: Issues
  readonly #bindings = new Bindings()
  readonly #typed: Expr[] = []
  /** Variables of the enclosing comprehensions, innermost last. */
  readonly #scopes: { readonly name: string; readonly type: Type }[] = []
  #freeParams = 0

  constructor(environment: Environment, issues: Issues) {
    this.#environment = environment
    this.#issues = issues
  }

  /** Replaces type parameters by the types that they were bound to. */
  finish(): void {
    for (const expr of this.#typed) expr.type = this.#bindings.substitute(expr.type!, true)
  }

  check(expr: Expr): Type {
    const type = this.#typeOf(expr)
    expr.type = type
    this.#typed.push(expr)
    return type
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return typeOf(expr.value)
      case 'ident':
        return this.#ident(expr)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'message':
        return this.#message(expr)
      case 'comprehension':
        return this.#comprehension(expr)
    }
  }

  #report(at: Location, message: string): Type {
    this.#issues.report(at, message)
    return errorType
  }

  #undeclared(at: Location, name: string): Type {
    return this.#report(at, `undeclared reference to '${name}' (in container '')`)
  }

  #mismatch(at: Location, expected: Type, found: Type): Type {
    return this.#report(at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`)
  }

  /** Returns the variable of the innermost comprehension that has one of this name. */
  #local(name: string): Type | undefined {
    return this.#scopes.findLast(s => s.name === name)?.type
  }

  /** Returns a name without its dot, unless that keeps it apart from a variable of a comprehension. */
  #plain(name: string): string {
    const [first] = withoutDot(name).split('.', 1)
    return this.#local(first!) ? name : withoutDot(name)
  }

  #ident(expr: Ident): Type {
    const type = this.#local(expr.name) ?? this.#environment.identifier(expr.name)
    if (!type) return this.#undeclared(expr.at, expr.name)
    expr.name = this.#plain(expr.name)
    return type
  }

  #select(expr: Select): Type {
    const name = qualifiedName(expr)
    // a.b is a field of a variable a of a comprehension, though there be a variable a.b
    const isGlobal = name !== undefined && !this.#local(name.split('.', 1)[0]!)
    const type = isGlobal ? this.#environment.identifier(name) : undefined
    if (type) {
      expr.qualified = this.#plain(name!)
      return type
    }
    const field = this.#field(expr.at, expr.operand, expr.field, false)
    return expr.test ? boolType : this.#bindings.substitute(field, false)
  }

  #field(at: Location, operand: Expr, field: string, optional: boolean): Type {
    const operandType = this.#bindings.substitute(this.check(operand), false)
    const target = unwrapped(operandType)
    const type = this.#fieldOf(at, target, field)
    return optional || target !== operandType ? optionalType(type) : type
  }

  #fieldOf(at: Location, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.params[1]!
      case 'object':
        return declaredField(target, field) ?? this.#report(at, unknownField(target, target.name, field))
      case 'param':
        this.#bindings.assign(dynType, target)
        return dynType
      default:
        if (!isDynOrError(target)) this.#report(at, `type '${formatType(target)}' does not support field selection`)
        return dynType
    }
  }

  #call(expr: Call): Type {
    if (expr.function === '_?._') {
      const [operand, field] = expr.args
      this.check(field!)
      expr.overloads = ['select_optional_field']
      return this.#bindings.substitute(this.#field(expr.at, operand!, (field as { value: string }).value, true), false)
    }
    for (const arg of expr.args) this.check(arg)
    if (expr.target) {
      const prefix = qualifiedName(expr.target)
      const namespaced = prefix === undefined ? undefined : this.#environment.function(`${prefix}.${expr.function}`)
      if (namespaced) {
        expr.function = namespaced.name
        expr.target = undefined
        return this.#resolve(expr, namespaced)
      }
      this.check(expr.target)
    }
    const declared = this.#environment.function(expr.function)
    if (!declared || (expr.target && expr.function.startsWith('.'))) return this.#undeclared(expr.at, expr.function)
    expr.function = declared.name
    return this.#resolve(expr, declared)
  }

  #resolve(expr: Call, { name, overloads }: FunctionDeclaration): Type {
    const operands = expr.target ? [expr.target, ...expr.args] : expr.args
    const types = operands.map(operand => operand.type!)
    if (name === '_&&_' || name === '_||_') {
      const wrong = operands.filter(operand => !this.#bindings.assign(operand.type!, boolType))
      for (const operand of wrong) this.#mismatch(operand.at, boolType, operand.type!)
      expr.overloads = [overloads[0]!.id]
      return wrong.length > 0 ? errorType : boolType
    }
    const matching: string[] = []
    let result: Type | undefined
    for (const overload of overloads) {
      if (overload.isMember !== (expr.target !== undefined) || overload.params.length !== types.length) continue
      const fresh = new Bindings()
      for (const param of overload.typeParams) fresh.bind(param, this.#freeParam())
      const expected = overload.params.map(p => fresh.substitute(p, false))
      if (!this.#bindings.assignAll(types, expected)) continue
      matching.push(overload.id)
      const type = this.#bindings.substitute(fresh.substitute(overload.result, false), false)
      if (!result) result = type
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = dynType
    }
    if (!result) {
      const signature = formatSignature(
        types.map(t => this.#bindings.substitute(t, true)),
        expr.target !== undefined
      )
      return this.#report(expr.at, `found no matching overload for '${name}' applied to '${signature}'`)
    }
    expr.overloads = matching
    return result
  }

  #freeParam(): Type {
    return typeParam(`_var${this.#freeParams++}`)
  }

  /** Returns the element type of an optional element: [?x]. */
  #optionalValue(value: Expr): Type {
    const type = value.type!
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(value.at, optionalType(type), type)
    return unwrapped(type)
  }

  /** Joins element types. Whether mixed types are allowed is checked later. */
  #join(previous: Type | undefined, current: Type): Type {
    if (!previous) return current
    return this.#bindings.assign(previous, current) ? mostGeneral(previous, current) : dynType
  }

  #list(expr: ListLiteral): Type {
    let joined: Type | undefined
    expr.elements.forEach((element, i) => {
      const type = this.check(element)
      joined = this.#join(joined, expr.optional.has(i) ? this.#optionalValue(element) : type)
    })
    return listType(joined ?? this.#freeParam())
  }

  #map(expr: MapLiteral): Type {
    let keys: Type | undefined
    let values: Type | undefined
    for (const { key, value, optional } of expr.entries) {
      keys = this.#join(keys, this.check(key))
      const type = this.check(value)
      values = this.#join(values, optional ? this.#optionalValue(value) : type)
    }
    return mapType(keys ?? this.#freeParam(), values ?? this.#freeParam())
  }

  #message(expr: MessageLiteral): Type {
    const named = this.#environment.identifier(expr.typeName)
    if (!named) return this.#undeclared(expr.at, expr.typeName)
    let type = errorType
    if (named.kind !== 'type') this.#report(expr.at, `'${named.name}' is not a type`)
    else if (named.params[0]?.kind !== 'object') this.#report(expr.at, `'${named.params[0]?.name}' is not a message type`)
    else type = named.params[0]
    expr.typeName = expr.typeName.replace(/^\./, '')
    for (const field of expr.fields) {
      this.check(field.value)
      const expected = declaredField(type, field.name) ?? this.#report(field.at, unknownField(type, expr.typeName, field.name))
      const found = field.optional ? this.#optionalValue(field.value) : field.value.type!
      if (!this.#bindings.assign(expected, found))
        this.#report(
          field.at,
          `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(found)}'`
        )
    }
    return type
  }

  #comprehension(expr: Comprehension): Type {
    this.check(expr.range)
    const accumulated = this.check(expr.initial)
    const range = this.#bindings.substitute(expr.range.type!, false)
    const [first, second] = this.#variables(expr, range)
    this.#scopes.push({ name: expr.accumulator, type: accumulated }, { name: expr.variable, type: first })
    if (expr.variable2 !== undefined) this.#scopes.push({ name: expr.variable2, type: second })
    this.#expect(expr.condition, boolType)
    this.#expect(expr.step, accumulated)
    this.#scopes.length -= expr.variable2 === undefined ? 1 : 2
    const result = this.check(expr.result)
    this.#scopes.length--
    return this.#bindings.substitute(result, false)
  }

  #variables(expr: Comprehension, range: Type): [Type, Type] {
    switch (range.kind) {
      case 'list':
        return expr.variable2 === undefined ? [range.params[0]!, errorType] : [intType, range.params[0]!]
      case 'map':
        return [range.params[0]!, range.params[1]!]
      case 'dyn':
        if (range.name === anyType.name) break
        return this.#dynamicVariables(range)
      case 'error':
      case 'param':
        return this.#dynamicVariables(range)
    }
    this.#report(
      expr.range.at,
      `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`
    )
    return [errorType, errorType]
  }

  #dynamicVariables(range: Type): [Type, Type] {
    this.#bindings.assign(dynType, range)
    return [dynType, dynType]
  }

  #expect(expr: Expr, expected: Type): void {
    const found = this.check(expr)
    if (!this.#bindings.assign(expected, found)) this.#mismatch(expr.at, expected, found)
  }
}

/** A field that is declared in its escaped form, as __if__, may go by its plain name, too: expressions know it as that since Kubernetes 1.31. */
const declaredField = ({ fields }: Type, name: string): Type | undefined =>
  fields?.get(name) ?? (reservedWords.has(name) ? fields?.get(`__${name}__`) : undefined)

function unknownField(type: Type, typeName: string, field: string): string {
  return type.fields ? `undefined field '${field}'` : `unexpected failed resolution of '${typeName}'`
}
