/** RE2: linear in the length of the text, whatever the expression is. */
import { RE2JS } from 're2js'
import { CelError, type Value } from '../values/value.js'

const compiled = new Map<string, RE2JS | CelError>()
const maxCompiled = 512

export function compileRegex(pattern: string): RE2JS | CelError {
  const known = compiled.get(pattern)
  if (known) return known
  const result = compile(pattern)
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(pattern, result)
  return result
}

function compile(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    // where Go quotes what is left, re2js does not
    return new CelError((error as Error).message.replace(/at end of expression$/, '$&: ``'))
  }
}

export function matches(text: string, pattern: string): Value {
  const regex = compileRegex(pattern)
  return regex instanceof CelError ? regex : regex.matcher(text).find()
}

/** The first matches, all of them for a negative limit. */
export function findAll(text: string, pattern: string, limit: number): string[] | CelError {
  const regex = compileRegex(pattern)
  if (regex instanceof CelError) return new CelError(`Illegal regex: ${regex.message}`)
  const found: string[] = []
  if (limit === 0) return found
  const matcher = regex.matcher(text)
  let lastEnd = -1
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    const match = matcher.group() ?? ''
    // nothing is not found again where something ended
    if (match !== '' || matcher.start() !== lastEnd) found.push(match)
    lastEnd = matcher.end()
  }
  return found
}
