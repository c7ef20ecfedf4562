/** The match conditions of an authorization webhook: expressions that must all be true for the webhook to be asked. */

import type { Program } from '../../../apimachinery/cel/program.js'
import { jsonValue } from '../../../apimachinery/cel/values/json.js'
import { CelError, type Value } from '../../../apimachinery/cel/values/value.js'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import { aggregateText } from '../../../util/go-format.js'
import { selectorsOf } from './review-spec.js'

export interface CompiledCondition {
  readonly expression: string
  readonly program: Program
}

/** Returns whether all conditions are true, or the errors of those that failed. A false one decides, even when others fail. */
export function conditionsMet(
  conditions: readonly CompiledCondition[],
  attributes: AuthorizationAttributes
): boolean | { readonly error: string } {
  if (attributes !== lastAttributes) {
    lastRequest = jsonValue(requestOf(attributes))
    lastAttributes = attributes
  }
  const request = lastRequest
  const errors: string[] = []
  for (const { expression, program } of conditions) {
    const { value } = program.evaluate(() => request)
    if (value === false) return false
    if (value instanceof CelError)
      errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${value.message}`)
  }
  return errors.length === 0 ? true : { error: aggregateText(errors) }
}

/** Returns what each condition says about a request: true, false, or the text of its error. */
export function eachCondition(
  conditions: readonly CompiledCondition[],
  attributes: AuthorizationAttributes
): { readonly expression: string; readonly value: boolean | string }[] {
  const request = jsonValue(requestOf(attributes))
  return conditions.map(({ expression, program }) => {
    const { value } = program.evaluate(() => request)
    return { expression, value: value instanceof CelError ? value.message : value === true }
  })
}

// several webhooks ask in turn about the same request
let lastAttributes: AuthorizationAttributes | undefined
let lastRequest: Value | undefined

/** Returns the value of the variable `request`. Unlike the review, it has all text fields, also the empty ones. */
function requestOf(attributes: AuthorizationAttributes): object {
  const { user, verb, path, isResourceRequest } = attributes
  const who = { user: user.name, groups: user.groups, uid: user.uid ?? '', extra: user.extra ?? {} }
  return isResourceRequest
    ? { ...who, resourceAttributes: resourceOf(attributes) }
    : { ...who, nonResourceAttributes: { verb, path } }
}

function resourceOf(attributes: AuthorizationAttributes): object {
  const { namespace, verb, group, version, resource, subresource, name } = attributes
  return { namespace, verb, group, version, resource, subresource, name, ...selectorsOf(attributes) }
}
