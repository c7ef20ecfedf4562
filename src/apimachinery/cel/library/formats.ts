/** Named string formats: format.dns1123Label().validate(x) returns the errors of x. */
import { parseRequestUri, UrlError } from '../../../util/go-url.js'
import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
  nameIsDns1035Label,
  nameIsLabel,
  nameIsSubdomain
} from '../../validation/names.js'
import { actualRegex, type CallCost, constant } from '../cost/call-cost.js'
import { scale, unknownSize } from '../cost/estimate-range.js'
import { perCharacter, perRegexCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { parseDate } from '../values/text.js'
import { ArrayList, ObjectValue, Optional, type Value } from '../values/value.js'

const formatType = objectType('kubernetes.NamedFormat')
const types = { Format: formatType }
/** The length that estimates assume for the regular expression of a format. */
const maxRegexLength = 128

class Format extends ObjectValue {
  readonly type = formatType
  readonly name: string
  readonly check: (text: string) => string[]
  /** The length of the regular expression that defines the format, or that would define it. */
  readonly regexLength: number

  constructor(name: string, regexLength: number, check: (text: string) => string[]) {
    super()
    this.name = name
    this.regexLength = regexLength
    this.check = check
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Format && other.name === this.name
  }
}

const unless = (valid: (text: string) => boolean, message: string) => (text: string) => (valid(text) ? [] : [message])

function uriProblem(text: string): string[] {
  try {
    parseRequestUri(text)
    return []
  } catch (error) {
    if (error instanceof UrlError) return [error.message]
    throw error
  }
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
const timePattern = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|([+-]\d{2}:\d{2}))$/

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t')
  const match = time === undefined ? null : timePattern.exec(time)
  return match !== null && parseDate(date!) !== undefined && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59'
}

const timeRegexLength = 71

const formats: ReadonlyMap<string, Format> = new Map([
  ['dns1123Label', new Format('DNS1123Label', 30, isDns1123Label)] as const,
  ['dns1123Subdomain', new Format('DNS1123Subdomain', 60, isDns1123Subdomain)] as const,
  ['dns1035Label', new Format('DNS1035Label', 30, isDns1035Label)] as const,
  ['qualifiedName', new Format('QualifiedName', 60, isQualifiedName)] as const,
  ['dns1123LabelPrefix', new Format('DNS1123LabelPrefix', 30, text => nameIsLabel(text, true))] as const,
  ['dns1123SubdomainPrefix', new Format('DNS1123SubdomainPrefix', 60, text => nameIsSubdomain(text, true))] as const,
  ['dns1035LabelPrefix', new Format('DNS1035LabelPrefix', 30, text => nameIsDns1035Label(text, true))] as const,
  ['labelValue', new Format('LabelValue', 40, isLabelValue)] as const,
  ['uri', new Format('URI', 1103, uriProblem)] as const,
  [
    'uuid',
    new Format(
      'uuid',
      70,
      unless(text => uuid.test(text), 'does not match the UUID format')
    )
  ] as const,
  [
    'byte',
    new Format(
      'byte',
      84,
      unless(text => base64.test(text), 'invalid base64')
    )
  ] as const,
  [
    'date',
    new Format(
      'date',
      timeRegexLength,
      unless(text => parseDate(text) !== undefined, 'invalid date')
    )
  ] as const,
  ['datetime', new Format('datetime', timeRegexLength, unless(isDateTime, 'invalid datetime'))] as const
])

function validate(format: Format, text: string): Value {
  const problems = format.check(text)
  return problems.length === 0 ? Optional.none : Optional.of(new ArrayList(problems))
}

function named(name: string): Value {
  const format = formats.get(name)
  return format ? Optional.of(format) : Optional.none
}

const validateCost: CallCost = {
  estimate: ([, text]) => ({
    cost: scale(scale(text?.size ?? unknownSize, perCharacter), maxRegexLength * perRegexCharacter)
  }),
  actual: ([format, text]) => actualRegex(actualSize(text!), (format as Format).regexLength),
  byName: true
}

export const formatLibrary: Library = {
  functions: {
    validate: [overload('format-validate', 'Format.(string) -> optional(list(string))', validate, { types, cost: validateCost })],
    'format.named': [overload('format-named', 'string -> optional(Format)', named, { types, cost: constant(1) })],
    ...Object.fromEntries(
      [...formats].map(([name, f]) => [`format.${name}`, [overload(`format.${name}`, '-> Format', () => f, { types })]])
    )
  }
}
