/** Checks that follow type checking: literals that are bound to fail, and lists and maps of mixed types. */
import { type Call, type Expr, type ListLiteral, type MapLiteral, walk } from './ast.js'
import type { Issues } from './issues.js'
import { compileRegex } from './library/regular-expression.js'
import { type Clause, formatProblem } from './library/string-format.js'
import { anyType, formatType, isOptional, type Type } from './types.js'
import { parseDuration, parseTimestamp, timestampOf } from './values/text.js'
import { CelError, type Value } from './values/value.js'

export function validateChecked(root: Expr, issues: Issues): void {
  const expressions = [...walk(root)]
  const calls = expressions.filter(e => e.kind === 'call')
  validateLiterals(calls, 'duration', value => typeof value === 'string' && parseDuration(value) !== undefined, issues)
  validateLiterals(calls, 'timestamp', isTimestamp, issues)
  validateRegexes(calls, issues)
  const exempt = new Set(calls.filter(c => c.function === 'format').flatMap(c => [...walk(c)]))
  for (const expr of expressions) if (expr.kind === 'list' && !exempt.has(expr)) validateList(expr, issues)
  for (const expr of expressions) if (expr.kind === 'map' && !exempt.has(expr)) validateMap(expr, issues)
  for (const call of calls) if (call.function === 'format') validateFormat(call, issues)
}

const literalText = (expr: Expr | undefined) =>
  expr?.kind === 'literal' && typeof expr.value === 'string' ? expr.value : undefined

function isTimestamp(value: Value): boolean {
  if (typeof value === 'bigint') return !(timestampOf(value * 1_000_000_000n) instanceof CelError)
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined
  return parsed !== undefined && !(timestampOf(parsed.nanos) instanceof CelError)
}

function validateLiterals(calls: readonly Call[], name: string, isValid: (value: Value) => boolean, issues: Issues): void {
  for (const { function: fn, target, args } of calls) {
    const literal = fn === name && !target && args.length === 1 ? args[0] : undefined
    if (literal?.kind === 'literal' && !isValid(literal.value)) issues.report(literal.at, `invalid ${name} argument`)
  }
}

function validateRegexes(calls: readonly Call[], issues: Issues): void {
  for (const { function: fn, target, args } of calls) {
    const argument = fn === 'matches' ? args[target ? 0 : 1] : undefined
    const pattern = literalText(argument)
    if (pattern !== undefined && compileRegex(pattern) instanceof CelError)
      issues.report(argument!.at, 'invalid matches argument')
  }
}

function equivalent(a: Type, b: Type): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((p, i) => equivalent(p, b.params[i]!))
  )
}

const unwrapped = (type: Type, optional: boolean) => (optional && isOptional(type) ? type.params[0]! : type)

function mismatch(expr: Expr, expected: Type, found: Type, issues: Issues): void {
  issues.report(expr.at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`)
}

function validateList({ elements, optional }: ListLiteral, issues: Issues): void {
  const types = elements.map((e, i) => unwrapped(e.type!, optional.has(i)))
  const other = types.findIndex(type => !equivalent(types[0]!, type))
  if (other >= 0) mismatch(elements[other]!, types[0]!, types[other]!, issues)
}

function validateMap({ entries }: MapLiteral, issues: Issues): void {
  const [first, ...rest] = entries
  if (!first) return
  const keyType = first.key.type!
  const valueType = unwrapped(first.value.type!, first.optional)
  for (const { key, value, optional } of rest) {
    if (!equivalent(keyType, key.type!)) mismatch(key, keyType, key.type!, issues)
    const type = unwrapped(value.type!, optional)
    if (!equivalent(valueType, type)) mismatch(value, valueType, type, issues)
  }
}

/** Validates "…".format([…]) if both parts are literals. */
function validateFormat(call: Call, issues: Issues): void {
  const format = literalText(call.target)
  const [list] = call.args
  if (format === undefined || list?.kind !== 'list') return
  let at = call.at
  let used = 0
  const problem = formatProblem(format, list.elements.length, (clause, i) => {
    used++
    const wrong = wrongElement(clause, list.elements[i]!)
    if (wrong) at = wrong.at
    return wrong && fullName(wrong.type!)
  })
  if (problem !== undefined) issues.report(at, problem)
  else if (list.elements.length > used)
    issues.report(at, `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`)
}

const fullName = ({ name }: Type) => (name === anyType.name ? 'google.protobuf.Any' : name)

const printable = new Set('list map int uint double bool string timestamp bytes duration type null dyn'.split(' '))
const accepted: Record<string, readonly string[]> = {
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint']
}

/** Returns the part of an argument that a clause cannot format. */
function wrongElement({ letter }: Clause, expr: Expr): Expr | undefined {
  const { kind, name } = expr.type!
  if (name === anyType.name) return expr
  if (letter !== 's') return kind === 'dyn' || accepted[letter]!.includes(kind) ? undefined : expr
  if (!printable.has(kind)) return expr
  const parts = expr.kind === 'list' ? expr.elements : expr.kind === 'map' ? expr.entries.flatMap(e => [e.key, e.value]) : []
  for (const part of parts) {
    const wrong = wrongElement({ letter: 's', precision: 0 }, part)
    if (wrong) return wrong
  }
  return undefined
}
