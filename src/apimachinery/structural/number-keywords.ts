/**
 * Validates minimum, maximum and multipleOf, and the ranges of formats. kube-apiserver compares integers with integer limits: it
 * treats a maximum of 2.5 as 2.
 */

import { goFloat } from '../../util/go-format.js'
import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import { GoText } from '../validation/go-value.js'
import { fitsInt64, isFloatInteger, toInt64 } from './go-number.js'
import type { Run } from './validation-run.js'

/** Defined only for a schema with exactly one type. */
export interface NumberType {
  readonly name: 'integer' | 'number' | undefined
  readonly format: string
}

/** `whole`: value and limit are compared as integers. */
type LimitCheck = (value: number | bigint, limit: number, whole: boolean, run: Run) => void

export function numberCheck(source: JSONSchemaProps, type: NumberType): (value: number | bigint, run: Run) => void {
  const limits: { limit: number; name: string; check: LimitCheck }[] = []
  const add = (limit: number | undefined, name: string, check: LimitCheck) => {
    if (limit !== undefined) limits.push({ limit, name, check })
  }
  add(source.multipleOf, 'MultipleOf', checkMultiple)
  add(source.minimum, 'Minimum boundary', checkMinimum(source.exclusiveMinimum === true))
  add(source.maximum, 'Maximum boundary', checkMaximum(source.exclusiveMaximum === true))

  return (value, run) => {
    run.matches++
    if (!inRange(value, type)) outOfRange('Checked', type, run)
    for (const { limit, name, check } of limits) {
      // a limit outside of the type's range is compared as a float
      const fits = inRange(limit, type)
      if (!fits) outOfRange(name, type, run)
      const whole = fits && run.isInt64(value)
      check(value, whole ? toInt64(limit) : limit, whole, run)
    }
  }
}

function checkMinimum(exclusive: boolean): LimitCheck {
  return (value, limit, whole, run) => {
    if (exclusive ? value > limit : value >= limit) return
    run.invalid(shown(value, whole), `should be greater than ${exclusive ? '' : 'or equal to '}${goText(limit, whole)}`)
  }
}

function checkMaximum(exclusive: boolean): LimitCheck {
  return (value, limit, whole, run) => {
    if (exclusive ? value < limit : value <= limit) return
    run.invalid(shown(value, whole), `should be less than ${exclusive ? '' : 'or equal to '}${goText(limit, whole)}`)
  }
}

function checkMultiple(value: number | bigint, factor: number, whole: boolean, run: Run): void {
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${run.path} must be positive: ${goText(factor, whole)}`
    run.fail(text, (errors, at) => errors.invalid(at, shown(factor, whole), text))
    return
  }
  const rounded = Number(value)
  const quotient = factor < 1 ? (1 / factor) * rounded : rounded / factor
  const isMultiple = whole ? BigInt(value) % BigInt(factor) === 0n : isFloatInteger(quotient)
  if (!isMultiple) run.invalid(shown(value, whole), `should be a multiple of ${goText(factor, whole)}`)
}

const goText = (value: number | bigint, whole: boolean) => (whole ? String(BigInt(value)) : goFloat(Number(value)))
const shown = (value: number | bigint, whole: boolean) => new GoText(goText(value, whole))

function inRange(value: number | bigint, { name, format }: NumberType): boolean {
  if (name === 'integer') return fitsInt64(value) && (format !== 'int32' || value === (Number(value) | 0))
  return name === undefined || format !== 'float' || Number.isFinite(Math.fround(Number(value)))
}

function outOfRange(what: string, { name, format }: NumberType, run: Run): void {
  run.invalidAtRoot(
    `${what} value must be of type ${name} ${format === '' ? '(default format)' : `with format ${format}`} in ${run.path}`
  )
}
