/** Finds the changes to make in a module, and writes all of them into its text, where a switch chooses one at run time. */
import { parseAst } from 'rollup/parseAst'

const operators = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&']
])

/** The changes to a text: { start, end, replacement } of an expression; `at` and `shown` say what changed. */
export function mutantsOf(source) {
  const found = []
  const change = ({ start, end }, replacement, shown = replacement) => found.push({ start, end, replacement, shown })
  /** The operator stands between its operands, behind white space or parentheses. */
  const changeOperator = (node, other) => {
    const { left, right, operator, start, end } = node
    const at = source.indexOf(operator, left.end)
    if (at < right.start) change(node, source.slice(start, at) + other + source.slice(at + operator.length, end), other)
  }
  const visit = (node, parent) => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, parent)
      return
    }
    if (typeof node?.type !== 'string' || /^(Import|Export\w*All)/.test(node.type)) return
    if (operators.has(node.operator) && node.left) changeOperator(node, operators.get(node.operator))
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      change(node.test, 'true')
      change(node.test, 'false')
    }
    if (node.type === 'UnaryExpression' && node.operator === '!')
      change(node, source.slice(node.start + 1, node.end), 'without !')
    if (node.type === 'Literal' && !(parent?.type === 'Property' && parent.key === node)) {
      if (typeof node.value === 'number') change(node, `${node.raw} + 1`)
      if (typeof node.value === 'boolean') change(node, String(!node.value))
      if (typeof node.value === 'string' && decides(node, parent)) change(node, `${node.raw.slice(0, -1)}~${node.raw.at(-1)}`)
    }
    for (const key in node) if (key !== 'type' && typeof node[key] === 'object') visit(node[key], node)
  }
  visit(parseAst(source).body, undefined)
  return found
}

/** Whether a text decides something, rather than being shown. */
const decides = (node, parent) =>
  parent?.type === 'SwitchCase'
    ? parent.test === node
    : parent?.type === 'ArrayExpression' || /^[=!]==$/.test(parent?.operator ?? '')

/**
 * Returns the text with all changes in it: `a < b` becomes `($is(7)?(a <= b):(a < b))`. The ids count from `first`.
 * Changes of the same expression, and of expressions within it, nest.
 */
export function switched(source, mutants, first) {
  const before = new Map()
  const after = new Map()
  const widest = mutants.map((mutant, i) => ({ ...mutant, id: first + i })).sort((a, b) => b.end - b.start - (a.end - a.start))
  for (const { start, end, replacement, id } of widest) {
    before.set(start, `${before.get(start) ?? ''}($is(${id})?(${replacement}):(`)
    after.set(end, `))${after.get(end) ?? ''}`)
  }
  let text = ''
  let from = 0
  for (const at of [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b)) {
    text += source.slice(from, at) + (after.get(at) ?? '') + (before.get(at) ?? '')
    from = at
  }
  text += source.slice(from)
  parseAst(text)
  return text
}
