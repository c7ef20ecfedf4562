/** Finds fields in an expression that the kind lacks: otherwise a filter with a typing error would silently find nothing. */
import { type Expr, type Location, walk } from '../../apimachinery/cel/ast.js'
import { Issues } from '../../apimachinery/cel/issues.js'
import type { StructType, Type } from '../../apimachinery/schema/model.js'
import { suggest } from '../../util/suggest.js'
import { fieldType } from './path.js'

interface Found {
  readonly at: Location
  readonly message: string
}

/** Returns the errors with their places in the source; undefined when there are none. */
export function unknownFields(source: string, expr: Expr, type: StructType): string | undefined {
  // a variable of a comprehension may have this name
  for (const each of walk(expr)) if (each.kind === 'comprehension' && each.variable === 'object') return undefined
  const issues = new Issues(source)
  const seen = new Set<string>()
  for (const each of walk(expr)) {
    const problem = each.kind === 'select' ? problemOf(each, type) : undefined
    if (!problem) continue
    const key = JSON.stringify(problem)
    if (!seen.has(key)) issues.report(problem.at, problem.message)
    seen.add(key)
  }
  return issues.any ? issues.toString() : undefined
}

function problemOf(expr: Extract<Expr, { kind: 'select' }>, root: StructType): Found | undefined {
  const type = typeOf(expr.operand, root)
  if (!type || type === 'any' || (type.kind !== 'struct' && type.kind !== 'map')) return undefined
  if (fieldType(type, expr.field) !== undefined) return undefined
  const near = type.kind === 'struct' ? suggest(expr.field, type.byName.keys()) : undefined
  return { at: expr.at, message: `undefined field '${expr.field}'${near === undefined ? '' : `; did you mean '${near}'?`}` }
}

/** Returns the type of an expression that reads from `object`; undefined for others. */
function typeOf(expr: Expr, root: StructType): Type | 'any' | undefined {
  if (expr.kind === 'ident') return expr.name === 'object' ? root : undefined
  if (expr.kind === 'select') {
    const type = expr.test ? undefined : typeOf(expr.operand, root)
    return type && type !== 'any' ? fieldType(type, expr.field) : type
  }
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined
  const type = typeOf(expr.args[0]!, root)
  if (!type || type === 'any') return type
  return type.kind === 'list' ? type.items : type.kind === 'map' ? type.values : undefined
}
