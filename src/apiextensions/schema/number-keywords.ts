/**
 * minimum, maximum and multipleOf, and the ranges of formats. kube-apiserver judges an integer by integer limits: a maximum
 * of 2.5 is one of 2 for it.
 */
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { goFloat } from '../../util/go-format.js'
import { GoText } from '../../validation/go-value.js'
import { isFloatInteger, isInt64, toInt64 } from './go-number.js'
import type { Run } from './validation-run.js'

/** Only of a schema with exactly one type. */
export interface NumberType {
  readonly name: 'integer' | 'number' | undefined
  readonly format: string
}

export function numberCheck(source: JSONSchemaProps, type: NumberType): (value: number, run: Run) => void {
  const { multipleOf, minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = source

  /** A limit itself is held against the type; if it does not fit, the value is held against it as a float. */
  const withLimit = (limit: number, what: string, run: Run, check: (limit: number, whole: boolean) => void, value: number) => {
    const fits = inRange(limit, type)
    if (!fits) outOfRange(what, type, run)
    const whole = fits && isInt64(value)
    check(whole ? toInt64(limit) : limit, whole)
  }

  return (value, run) => {
    run.matches++
    if (!inRange(value, type)) outOfRange('Checked', type, run)
    if (multipleOf !== undefined)
      withLimit(multipleOf, 'MultipleOf', run, (factor, whole) => checkMultiple(value, factor, whole, run), value)
    if (minimum !== undefined) {
      withLimit(
        minimum,
        'Minimum boundary',
        run,
        (limit, whole) => {
          if (exclusiveMinimum ? value <= limit : value < limit)
            run.invalid(
              shown(value, whole),
              `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${goText(limit, whole)}`
            )
        },
        value
      )
    }
    if (maximum !== undefined) {
      withLimit(
        maximum,
        'Maximum boundary',
        run,
        (limit, whole) => {
          if (exclusiveMaximum ? value >= limit : value > limit)
            run.invalid(
              shown(value, whole),
              `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${goText(limit, whole)}`
            )
        },
        value
      )
    }
  }
}

function checkMultiple(value: number, factor: number, whole: boolean, run: Run): void {
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${run.path} must be positive: ${goText(factor, whole)}`
    run.fail(text, (errors, at) => errors.invalid(at, shown(factor, whole), text))
    return
  }
  const quotient = factor < 1 ? (1 / factor) * value : value / factor
  const isMultiple = whole ? value % factor === 0 : isFloatInteger(quotient)
  if (!isMultiple) run.invalid(shown(value, whole), `should be a multiple of ${goText(factor, whole)}`)
}

const goText = (value: number, whole: boolean) => (whole ? String(BigInt(value)) : goFloat(value))
const shown = (value: number, whole: boolean) => new GoText(goText(value, whole))

function inRange(value: number, { name, format }: NumberType): boolean {
  if (name === 'integer') return isInt64(value) && (format !== 'int32' || value === (value | 0))
  return name === undefined || format !== 'float' || Number.isFinite(Math.fround(value))
}

function outOfRange(what: string, { name, format }: NumberType, run: Run): void {
  run.invalidAtRoot(
    `${what} value must be of type ${name} ${format === '' ? '(default format)' : `with format ${format}`} in ${run.path}`
  )
}
