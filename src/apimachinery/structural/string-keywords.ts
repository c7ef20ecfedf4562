import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import { compilePattern } from './regexp.js'
import type { Run } from './validation-run.js'

/** Checks maxLength, minLength and pattern. Reports only the first violation. */
export function stringCheck(source: JSONSchemaProps): ((value: string, run: Run) => void) | undefined {
  const { maxLength, minLength, pattern = '' } = source
  if (maxLength === undefined && minLength === undefined && pattern === '') return undefined
  // a schema may have thousands of patterns, most of which no value meets
  let compiled: ReturnType<typeof compilePattern> | undefined
  const matches = (value: string) => (compiled ??= compilePattern(pattern))(value)
  return (value, run) => {
    if (maxLength !== undefined && value.length > maxLength && countCharacters(value) > maxLength) {
      run.fail(`${run.path} in body should be at most ${maxLength} chars long`, (errors, at) => errors.tooLong(at, maxLength))
    } else if (minLength !== undefined && (value.length < minLength || countCharacters(value) < minLength)) {
      run.invalid(value, `should be at least ${minLength} chars long`)
    } else if (pattern !== '' && !matches(value)) run.invalid(value, `should match '${pattern}'`)
  }
}

/** Counts code points, which Go calls runes. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
