import { RE2JS, RE2JSException } from 're2js'

/** Compiles a pattern in RE2's syntax, which is matched in linear time. Throws PatternError. */
export function compilePattern(pattern: string): (text: string) => boolean {
  let compiled = cache.get(pattern)
  if (!compiled) {
    compiled = compile(pattern)
    if (cache.size >= maxCached) cache.clear()
    cache.set(pattern, compiled)
  }
  return compiled
}

/** The message is Go's: "error parsing regexp: missing closing ): `(`". */
export class PatternError extends Error {}

const cache = new Map<string, (text: string) => boolean>()
const maxCached = 1000

function compile(pattern: string): (text: string) => boolean {
  try {
    const expression = RE2JS.compile(pattern)
    return text => expression.test(text)
  } catch (error) {
    // Go quotes the offending part even when it is empty
    if (error instanceof RE2JSException)
      throw new PatternError(error.message.endsWith('`') ? error.message : `${error.message}: \`\``)
    throw error
  }
}
