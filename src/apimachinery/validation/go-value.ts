/** Formats values as kube-apiserver prints them in error messages. */

import { exactJson } from '../../util/exact-json.js'
import { goNumber, goQuote } from '../../util/go-format.js'

/** Text to print unchanged, for values whose internal form differs from their JSON. */
export class GoText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Replaces a value that errors do not print. */
export const noValue: unique symbol = Symbol('no value')

/** Formats a value: strings quoted, null as "null", numbers and booleans bare, everything else as JSON. */
export function goValue(value: unknown): string {
  if (value instanceof GoText) return value.text
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'object') return goJson(value)
  return typeof value === 'number' ? goNumber(value) : String(value)
}

/** Text that JSON needs no escapes for. */
const plain = /^[\w ./:+-]{0,100}$/

/** Go's encoding/json: JSON with <, >, & and the separators of lines and paragraphs escaped. */
export function goJson(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  return exactJson(value)
}

/**
 * Wraps a string whose Go type has a name of its own, as enums have, or is a pointer. Errors show it as JSON, which escapes other characters than
 * a quoted string does: `"\u003e"` for an operator, `">"` for the name of a label.
 */
export const namedText = (text: string | undefined): GoText => new GoText(goJson(text ?? null))

/** Wraps the value of an enum whose Go type is a plain string, for `notSupported`. */
export const plainText = (text: string | undefined): GoText => new GoText(goValue(text))
