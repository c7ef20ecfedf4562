/**
 * From text to the abstract syntax tree. What is well-formed is read by a parser of our own (descent.ts), which is fifty times as
 * fast as ANTLR's; what is not, by ANTLR's, as cel-go's is made by it from the same grammar and users see the words of its errors.
 */
import type { Expr } from '../ast.js'
import { type Issues, noLocation } from '../issues.js'
import { descend, NotReadable } from './descent.js'
import { GivenUp, syntaxTree } from './syntax-tree.js'
import { TreeBuilder } from './tree-builder.js'

const maxLength = 100_000
/** ANTLR would hold everybody up with anything longer. Its errors have our words then. */
const maxForAntlr = 8192

/** The tree; undefined when there are issues. With `bindings` it may have `cel.bind`. */
export function parse(source: string, issues: Issues, bindings: boolean): Expr | undefined {
  const length = source.length > maxLength ? [...source].length : source.length
  if (length > maxLength) {
    issues.report(noLocation, `expression code point size exceeds limit: size: ${length}, limit ${maxLength}`)
    return undefined
  }
  try {
    const expr = descend(source, issues, bindings)
    return issues.any ? undefined : expr
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error
    if (length <= maxForAntlr) return parseWithAntlr(source, issues, bindings)
    issues.report(error.at, error.message)
    return undefined
  }
}

/** The same by ANTLR's parser. */
export function parseWithAntlr(source: string, issues: Issues, bindings: boolean): Expr | undefined {
  try {
    const tree = syntaxTree(source, issues)
    const expr = new TreeBuilder(issues, bindings).build(tree.expr())
    return issues.any ? undefined : expr
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error
    if (error.message !== '') issues.report(noLocation, error.message)
    return undefined
  }
}
