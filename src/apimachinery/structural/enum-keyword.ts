import { equalJson } from '../../util/json.js'
import { plainText } from '../validation/go-value.js'
import { goMapJson, sorted } from './go-map.js'
import { isInt64 } from './go-number.js'
import type { Run } from './validation-run.js'

export function enumCheck(values: readonly unknown[] | undefined): ((value: unknown, run: Run) => void) | undefined {
  if (!values?.length) return undefined
  const names = values.map(v => (typeof v === 'string' ? v : goMapJson(v)))
  const listed = names.join(' ')
  const scalars = new Set(values.filter(value => value !== null && typeof value !== 'object'))
  const isAmong = (value: unknown, run: Run) => {
    run.spend(values.length)
    return values.some(allowed => isAllowed(value, allowed))
  }
  return (value, run) => {
    if (scalars.has(value) || (typeof value !== 'string' && isAmong(value, run))) return
    run.fail(`${run.path} in body should be one of [${listed}]`, (errors, at) =>
      errors.notSupported(at, typeof value === 'string' ? plainText(value) : sorted(value), names)
    )
  }
}

/**
 * Compares a value after Go's conversion: for an integer a fraction is truncated, and for a string an integer becomes the
 * character with that code. Null is never allowed, not even by a null in the enum.
 */
function isAllowed(value: unknown, allowed: unknown): boolean {
  if (value === null || allowed === null) return false
  if (typeof value === 'bigint' || typeof allowed === 'bigint') return value === allowed
  if (typeof value === 'number') {
    if (typeof allowed === 'number') return value === allowed || (isInt64(allowed) && Math.trunc(value) === allowed)
    return typeof allowed === 'string' && isInt64(value) && character(value) === allowed
  }
  return equalJson(value, allowed)
}

function character(code: number): string {
  const isValid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isValid ? String.fromCodePoint(code) : '\ufffd'
}
