/**
 * Parses text to ANTLR's tree. ANTLR generates lexer and parser, as it does for cel-go, because users see the messages of their
 * errors.
 */
import {
  BaseErrorListener,
  CharStream,
  CommonTokenStream,
  DefaultErrorStrategy,
  type Parser,
  type ParserRuleContext,
  type ParseTreeListener,
  type RecognitionException,
  type Token
} from 'antlr4ng'
import type { Issues } from '../issues.js'
import { CELLexer } from './generated/CELLexer.js'
import { CELParser, type StartContext } from './generated/CELParser.js'

export const maxDepth = 250
const maxSyntaxErrors = 100
const maxRecoveries = 30

/** Ends parsing. The message, if there is one, has not been reported yet. */
export class GivenUp extends Error {}

export function syntaxTree(source: string, issues: Issues): StartContext {
  const listener = new SyntaxErrors(issues)
  const lexer = new CELLexer(CharStream.fromString(source))
  lexer.removeErrorListeners()
  lexer.addErrorListener(listener)
  const parser = new CELParser(new CommonTokenStream(lexer))
  parser.removeErrorListeners()
  parser.addErrorListener(listener)
  parser.addParseListener(new DepthLimit())
  parser.errorHandler = new LimitedRecovery()
  return parser.start()
}

class SyntaxErrors extends BaseErrorListener {
  readonly #issues: Issues
  #count = 0

  constructor(issues: Issues) {
    super()
    this.#issues = issues
  }

  override syntaxError(_: unknown, _symbol: unknown, line: number, column: number, message: string): void {
    const text = message.replace(
      /no viable alternative at input '.(true|false|null)'/,
      "mismatched input '$1' expecting IDENTIFIER"
    )
    const tooMany = this.#count++ >= maxSyntaxErrors
    this.#issues.report({ line, column }, `Syntax error: ${tooMany ? `More than ${maxSyntaxErrors} syntax errors` : text}`)
    if (tooMany) throw new GivenUp()
  }
}

/** Limits the depth of each rule, and thereby the stack of all walks over the tree. */
class DepthLimit implements ParseTreeListener {
  readonly #depth: number[] = []

  enterEveryRule(context: ParserRuleContext): void {
    const depth = (this.#depth[context.ruleIndex] ?? 0) + 1
    this.#depth[context.ruleIndex] = depth
    if (depth > maxDepth) throw new GivenUp(`expression recursion limit exceeded: ${maxDepth}`)
  }

  exitEveryRule(context: ParserRuleContext): void {
    this.#depth[context.ruleIndex]!--
  }

  visitTerminal(): void {}
  visitErrorNode(): void {}
}

class LimitedRecovery extends DefaultErrorStrategy {
  #attempts = 0

  override recover(parser: Parser, error: RecognitionException): void {
    this.#attempt(parser)
    super.recover(parser, error)
  }

  override recoverInline(parser: Parser): Token {
    this.#attempt(parser)
    return super.recoverInline(parser)
  }

  #attempt(parser: Parser): void {
    if (this.#attempts++ < maxRecoveries) return
    parser.notifyErrorListeners(`error recovery attempt limit exceeded: ${maxRecoveries}`, null, null)
    throw new GivenUp()
  }
}
