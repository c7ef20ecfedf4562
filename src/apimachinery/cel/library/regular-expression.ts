/** RE2 expressions, whose matching is linear in the length of the text. */
import { RE2JS } from 're2js'
import { tick } from '../values/steps.js'
import { CelError, type Value } from '../values/value.js'

const compiled = new Map<string, RE2JS | CelError>()
const maxCompiled = 512
/** Longer patterns, which may come from fields of objects, are compiled each time. */
const longestKept = 4096
/**
 * Longer patterns are refused: compiling takes a microsecond for each character. Go allows more, which would take seconds here.
 */
const longest = 100_000
const stepsPerCharacter = 20
const tooLarge = new CelError('error parsing regexp: expression too large')

export function compileRegex(pattern: string): RE2JS | CelError {
  const known = compiled.get(pattern)
  if (known) return known
  if (pattern.length > longest) return tooLarge
  tick(pattern.length * stepsPerCharacter)
  const result = compile(pattern)
  if (pattern.length > longestKept) return result
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(pattern, result)
  return result
}

function compile(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    // Go quotes the empty rest of the expression, re2js does not
    return new CelError((error as Error).message.replace(/at end of expression$/, '$&: ``'))
  }
}

export function matches(text: string, pattern: string): Value {
  const regex = compileRegex(pattern)
  return regex instanceof CelError ? regex : regex.matcher(text).find()
}

/** Returns the first `limit` matches, or all of them if the limit is negative. */
export function findAll(text: string, pattern: string, limit: number): string[] | CelError {
  const regex = compileRegex(pattern)
  if (regex instanceof CelError) return new CelError(`Illegal regex: ${regex.message}`)
  const found: string[] = []
  if (limit === 0) return found
  const matcher = regex.matcher(text)
  let lastEnd = -1
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    const match = matcher.group() ?? ''
    // an empty match right after another match does not count
    if (match !== '' || matcher.start() !== lastEnd) found.push(match)
    lastEnd = matcher.end()
  }
  return found
}
