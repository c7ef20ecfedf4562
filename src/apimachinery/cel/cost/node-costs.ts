/** What each node of an expression costs, for people who wonder where an estimate comes from. */
import { type Comprehension, children, type Expr } from '../ast.js'
import type { NoteCost } from '../evaluate/plan.js'
import { expressionText } from '../expression-text.js'
import type { Outcome, Program } from '../program.js'
import type { EstimateSize } from './estimate.js'
import { unlimited } from './estimate-range.js'

export interface NodeCost {
  /** The node as text, with macros as they are written. */
  readonly expression: string
  /** Where it is in the source: lines from 1, columns from 1. */
  readonly line: number
  readonly column: number
  /** The most that one evaluation costs, with all parts. */
  readonly each: number
  /** The most evaluations: the product of the sizes over which the loops around it run. */
  readonly times: number
  /** The most that the node itself costs in all, without its parts. */
  readonly own: number
}

/** What an expression has cost when it was evaluated. */
export interface ExpressionCost {
  readonly expression: string
  readonly cost: number
  /** Its costliest nodes. */
  readonly nodes: readonly NodeCost[]
}

interface Costs {
  readonly cost: number
  readonly count: number
}

/** Returns the nodes that cost something themselves, the costliest first; at most `limit`. What a loop does in each round is its own. */
export function nodeCosts(program: Program, estimateSize: EstimateSize, limit: number): NodeCost[] {
  const costs = new Map<Expr, Costs>()
  program.estimateCost(estimateSize, (expr, { max }, count) => costs.set(expr, { cost: max, count: count?.max ?? 1 }))
  const found = new Map<Expr, { readonly each: number; readonly times: number; own: number }>()
  const visit = (expr: Expr, times: number, loop: Comprehension | undefined): number => {
    const { cost, count } = costs.get(expr) ?? { cost: 0, count: 1 }
    const total = Math.min(cost * times, unlimited)
    const node = { each: cost, times, own: 0 }
    found.set(expr, node)
    let parts = 0
    for (const child of children(expr)) {
      const isRound = expr.kind === 'comprehension' && (child === expr.condition || child === expr.step)
      const around = expr.kind === 'comprehension' ? (child === expr.range ? loop : expr) : loop
      parts += visit(child, isRound ? Math.min(times * count, unlimited) : times, around)
    }
    const owner = (loop && isOfLoop(expr, loop) && found.get(loop)) || node
    owner.own += Math.max(0, total - parts)
    return total
  }
  visit(program.expr, 1, undefined)
  return costliest(found, limit)
}

/** Evaluates a program, and tells what its nodes have cost: `each` is the mean. */
export function measuredNodes(
  program: Program,
  evaluate: (note: NoteCost) => Outcome,
  limit: number
): { readonly outcome: Outcome; readonly nodes: NodeCost[] } {
  const sums = new Map<Expr, { cost: number; count: number }>()
  const outcome = evaluate((expr, cost) => {
    const sum = sums.get(expr)
    if (sum) {
      sum.cost += cost
      sum.count++
    } else sums.set(expr, { cost, count: 1 })
  })
  const found = new Map<Expr, { readonly each: number; readonly times: number; own: number }>()
  const visit = (expr: Expr, loop: Comprehension | undefined): number => {
    const { cost = 0, count = 1 } = sums.get(expr) ?? {}
    const node = { each: Math.round(cost / count), times: count, own: 0 }
    found.set(expr, node)
    let parts = 0
    for (const child of children(expr)) parts += visit(child, expr.kind === 'comprehension' && child !== expr.range ? expr : loop)
    const owner = (loop && isOfLoop(expr, loop) && found.get(loop)) || node
    owner.own += Math.max(0, cost - parts)
    return sums.has(expr) ? cost : parts
  }
  visit(program.expr, undefined)
  return { outcome, nodes: costliest(found, limit) }
}

const costliest = (
  found: ReadonlyMap<Expr, { readonly each: number; readonly times: number; readonly own: number }>,
  limit: number
): NodeCost[] =>
  [...found]
    .filter(([, { own }]) => own > 0)
    .sort(([, a], [, b]) => b.own - a.own)
    .slice(0, limit)
    .map(([expr, node]) => ({ expression: expressionText(expr), line: expr.at.line, column: expr.at.column + 1, ...node }))

/** Whether a node belongs to the expansion of a macro, and not to what somebody wrote: it has to do with the accumulator. */
const isOfLoop = (expr: Expr, { accumulator, condition, step, result }: Comprehension): boolean =>
  expr === condition || expr === step || expr === result || isAccumulator(expr, accumulator)

function isAccumulator(expr: Expr, accumulator: string): boolean {
  if (expr.kind === 'ident') return expr.name === accumulator
  return expr.kind === 'call' && children(expr).some(child => isAccumulator(child, accumulator) && child.kind === 'ident')
}
