/** Formats values as kube-apiserver prints them in error messages. */

import { exactJson } from '../util/exact-json.js'
import { goNumber, goQuote } from '../util/go-format.js'

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

/** Go's encoding/json: JSON with <, > and & escaped. */
export function goJson(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  return exactJson(value).replace(/[<>&]/g, c => `\\u00${c.charCodeAt(0).toString(16)}`)
}
