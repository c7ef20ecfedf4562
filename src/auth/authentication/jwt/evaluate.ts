/** Evaluates the expressions of a configuration. Throws a TokenError with kube-apiserver's words. */
import { isError, ListValue, type Value } from '../../../apimachinery/cel/values/value.js'
import { TokenError } from '../authenticator.js'
import type { Expression } from './compiled.js'

export function evaluate({ source, program }: Expression, name: 'claims' | 'user', variable: Value): Value {
  const { value } = program.evaluate(asked => (asked === name ? variable : undefined))
  if (isError(value)) throw new TokenError(`expression '${source}' resulted in error: ${value.message}`)
  return value
}

/** Evaluates all rules, and throws for the first one that is not true. Validation has ensured that all are boolean. */
export function checkRules(rules: readonly Expression[], name: 'claims' | 'user', variable: Value): void {
  const results = rules.map(rule => evaluate(rule, name, variable))
  for (const [i, { source, message }] of rules.entries()) {
    if (results[i] !== true) throw new TokenError(`validation expression '${source}' failed: ${message}`)
  }
}

/** Returns the texts of a result. Empty texts are left out, and null stands for no texts. */
export function stringList(value: Value): string[] {
  const isText = (item: Value) => typeof item === 'string'
  if (value === null) return []
  const items = value instanceof ListValue ? [...value] : [value]
  if (!items.every(isText)) throw new TokenError('expression must return a string or a list of strings')
  return items.filter(text => text !== '')
}

/** Runs a function, and puts words before the message of a TokenError that it throws. */
export function explained<T>(words: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof TokenError ? new TokenError(`${words}: ${error.message}`) : error
  }
}
