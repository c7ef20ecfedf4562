/** Validates type, nullable, and the formats of values that are not strings. */
import { goQuote } from '../../util/go-format.js'
import { isFloatInteger } from './go-number.js'
import type { Run } from './validation-run.js'

/** Returns the JSON type of a value as Go sees it, and the corresponding format. */
function describe(value: unknown, run: Run): [type: string, format: string] {
  if (Array.isArray(value)) return ['array', '']
  switch (typeof value) {
    case 'string':
      return ['string', '']
    case 'boolean':
      return ['boolean', '']
    case 'number':
    case 'bigint':
      return run.isInt64(value) ? ['integer', 'int64'] : ['number', 'float64']
    default:
      return ['object', '']
  }
}

export function typeCheck(
  types: readonly string[],
  format: string,
  nullable: boolean
): ((value: unknown, run: Run) => void) | undefined {
  if (types.length === 0 && format === '') return undefined
  const wanted = types.join(',')
  const numeric = types.includes('number') || types.includes('integer')

  return (value, run) => {
    if (value === null) {
      if (types.length > 0 && !nullable) mismatch(wanted, 'null', run)
      else run.matches++
      return
    }
    const [type, valueFormat] = describe(value, run)
    const fits =
      types.includes(type) ||
      (type === 'integer' && types.includes('number')) ||
      (type === 'number' && types.includes('integer') && isFloatInteger(value as number))
    // strings are checked for their format only, and lists are accepted
    const byFormatOnly = format !== '' && (type === 'string' || type === 'array')
    if (format !== '' && !byFormatOnly && !fits && valueFormat !== format) mismatch(format, valueFormat, run)
    else if (fits || (byFormatOnly && !numeric)) run.matches++
    else mismatch(wanted, type, run)
  }
}

function mismatch(wanted: string, actual: string, run: Run): void {
  const text = `${run.path} in body must be of type ${wanted}: ${goQuote(actual)}`
  run.fail(text, (errors, at) => errors.typeInvalid(at, actual, text))
}
