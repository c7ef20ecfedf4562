/** Writes expressions as people write them: operators between their operands, and loops as the macros that they come from. */
import type { Call, Comprehension, Expr, ListLiteral, MapLiteral, MessageLiteral } from './ast.js'
import { accumulator } from './parser/macros.js'

/** Longer texts are cut off. */
const maxText = 200

export function expressionText(expr: Expr): string {
  const text = textOf(expr)
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

function textOf(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return literalText(expr.value)
    case 'ident':
      return expr.name
    case 'select':
      return expr.test ? `has(${textOf(expr.operand)}.${expr.field})` : `${textOf(expr.operand)}.${expr.field}`
    case 'call':
      return callText(expr)
    case 'list':
      return listText(expr)
    case 'map':
      return mapText(expr)
    case 'message':
      return messageText(expr)
    case 'comprehension':
      return loopText(expr)
  }
}

function literalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`
  return String(value)
}

const optional = (isOptional: boolean) => (isOptional ? '?' : '')
const listText = ({ elements, optional: marked }: ListLiteral) =>
  `[${elements.map((element, i) => optional(marked.has(i)) + textOf(element)).join(', ')}]`
const mapText = ({ entries }: MapLiteral) =>
  `{${entries.map(({ key, value, optional: is }) => `${optional(is)}${textOf(key)}: ${textOf(value)}`).join(', ')}}`
const messageText = ({ typeName, fields }: MessageLiteral) =>
  `${typeName}{${fields.map(({ name, value, optional: is }) => `${optional(is)}${name}: ${textOf(value)}`).join(', ')}}`

/** An operand in parentheses, where it is an operation itself. */
const operand = (expr: Expr): string => {
  const isOperation =
    expr.kind === 'call' && (/^_.+_$/.test(expr.function) || expr.function === '_?_:_') && !expr.function.includes('[')
  return isOperation ? `(${textOf(expr)})` : textOf(expr)
}

function callText({ function: name, target, args }: Call): string {
  const [first, second, third] = args
  if (name === '_?_:_') return `${operand(first!)} ? ${operand(second!)} : ${operand(third!)}`
  if (name === '_[_]') return `${operand(first!)}[${textOf(second!)}]`
  if (name === '_[?_]') return `${operand(first!)}[?${textOf(second!)}]`
  if (name === '_?._') return `${operand(first!)}.?${second!.kind === 'literal' ? String(second!.value) : textOf(second!)}`
  if (name === '!_' || name === '-_') return `${name[0]}${operand(first!)}`
  if (name === '@in') return `${operand(first!)} in ${operand(second!)}`
  const between = /^_(.+)_$/.exec(name)
  if (between && args.length === 2) return `${operand(first!)} ${between[1]} ${operand(second!)}`
  const list = `(${args.map(textOf).join(', ')})`
  return target ? `${operand(target)}.${name}${list}` : `${name}${list}`
}

/** Writes a loop as its macro: which one it was is seen by what it begins with and does in each step. */
function loopText(loop: Comprehension): string {
  const { range, variable, variable2, initial, step, result, accumulator: name } = loop
  if (name !== accumulator) return `cel.bind(${name}, ${textOf(initial)}, ${textOf(result)})`
  const names = variable2 === undefined ? variable : `${variable}, ${variable2}`
  const macro = (fn: string, ...bodies: readonly (Expr | undefined)[]) =>
    `${operand(range)}.${fn}(${[names, ...bodies.flatMap(body => (body ? [textOf(body)] : []))].join(', ')})`
  const argsOf = (expr: Expr | undefined, fn: string) => (expr?.kind === 'call' && expr.function === fn ? expr.args : undefined)
  const [all, any] = [argsOf(step, '_&&_'), argsOf(step, '_||_')]
  if (all) return macro('all', all[1])
  if (any) return macro('exists', any[1])
  const [test, then] = argsOf(step, '_?_:_') ?? [undefined, step]
  if (initial.kind === 'literal') return macro('exists_one', test)
  const added = argsOf(then, '_+_')?.[1]
  const value = added?.kind === 'list' ? added.elements[0] : added
  const isFilter = test !== undefined && value?.kind === 'ident' && value.name === variable
  if (initial.kind === 'list') return isFilter ? macro('filter', test) : macro('map', test, value)
  return macro('transformMap', test, value)
}
