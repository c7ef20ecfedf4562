import { RE2JS, RE2JSException } from 're2js'
import { compilePatternInTurn } from '../cel/compile-turns.js'

/** Compiles a pattern in RE2's syntax, which is matched in linear time. Throws PatternError. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const compiled = compilePatternInTurn(
    pattern,
    () => cached(pattern),
    expression => (expression instanceof PatternError ? 0 : expression.programSize())
  )
  if (compiled instanceof PatternError) throw compiled
  return text => compiled.test(text)
}

/** The message is Go's: "error parsing regexp: missing closing ): `(`". */
export class PatternError extends Error {}

const cache = new Map<string, RE2JS>()
/**
 * How many instructions the cached expressions may have. A short pattern may have a thousand of them, each of some hundred bytes.
 */
const maxCached = 200_000
let instructions = 0

function cached(pattern: string): RE2JS | PatternError {
  const known = cache.get(pattern)
  if (known) return known
  const compiled = compile(pattern)
  if (compiled instanceof PatternError) return compiled
  const size = compiled.programSize()
  if (instructions + size > maxCached) {
    cache.clear()
    instructions = 0
  }
  cache.set(pattern, compiled)
  instructions += size
  return compiled
}

function compile(pattern: string): RE2JS | PatternError {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    // Go quotes the offending part even when it is empty
    if (error instanceof RE2JSException)
      return new PatternError(error.message.endsWith('`') ? error.message : `${error.message}: \`\``)
    throw error
  }
}
