/** The string formats of schemas, as go-openapi checks them. Dashes in format names are ignored. */
import { isIPv4, isIPv6 } from 'node:net'
import { own } from '../../util/json.js'
import { isEmail } from './format-email.js'
import { isUri } from './format-uri.js'
import { compilePattern } from './regexp.js'

type Format = (text: string) => boolean

const pattern =
  (expression: RegExp): Format =>
  text =>
    expression.test(text)

const formats = new Map<string, Format>(
  Object.entries<Format>({
    bsonobjectid: pattern(/^[0-9a-fA-F]{24}$/),
    byte: isBase64,
    cidr: isCidr,
    creditcard: isCreditCard,
    date: isDate,
    datetime: isDateTime,
    duration: isDuration,
    email: isEmail,
    hexcolor: pattern(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
    hostname: isHostname,
    // "::ffff:10.0.0.1" is accepted, too
    ipv4: text => text.includes('.') && isSloppyIp(text),
    ipv6: text => isIPv6(text) && !text.includes('%'),
    isbn: text => isIsbn10(text) || isIsbn13(text),
    isbn10: isIsbn10,
    isbn13: isIsbn13,
    k8slongname: text =>
      text.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(text),
    k8sshortname: text => text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text),
    mac: isMac,
    password: () => true,
    rgbcolor: isRgbColor,
    ssn: text => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
    uri: isUri,
    uuid: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
    uuid3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
    uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
    uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')
  })
)

const normalized = (name: string) => name.replaceAll('-', '')

export function formatOf(name: string): Format | undefined {
  return formats.get(normalized(name))
}

const formatsOfNumbers: Record<string, readonly string[]> = { integer: ['int32', 'int64'], number: ['float', 'double'] }

/** Whether values of these types are checked for a format. Other formats are allowed with a warning, and have no effect. */
export function isKnownFormat(name: string, types: readonly string[]): boolean {
  const type = types.length === 1 ? types[0]! : ''
  return type === '' || type === 'string' ? formats.has(normalized(name)) : (own(formatsOfNumbers, type)?.includes(name) ?? false)
}

function uuid(version: string, variant: string): Format {
  return pattern(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?${variant}-?[0-9a-f]{12}$`, 'i'))
}

/** Accepts leading zeros, as all versions of Kubernetes have done. */
function isSloppyIp(text: string): boolean {
  const address = text.replace(/(?<![0-9a-f])0+(?=[0-9a-f])/gi, '')
  return isIPv4(address) || (isIPv6(address) && !address.includes('%'))
}

function isCidr(text: string): boolean {
  const slash = text.indexOf('/')
  const bits = text.slice(slash + 1)
  if (slash < 0 || !/^\d+$/.test(bits)) return false
  const address = text.slice(0, slash)
  return isSloppyIp(address) && Number(bits) <= (address.includes(':') ? 128 : 32)
}

function isMac(text: string): boolean {
  if (
    !/^(?:[0-9a-f]{2}(?::[0-9a-f]{2})+|[0-9a-f]{2}(?:-[0-9a-f]{2})+|[0-9a-f]{4}(?:\.[0-9a-f]{4})+|(?:[0-9a-f]{2})+)$/i.test(text)
  )
    return false
  return [6, 8, 20].includes(text.replace(/[^0-9a-f]/gi, '').length / 2)
}

// compiled when it is first needed (compilePattern keeps it): it takes longer than the rest of the module
const hostname =
  '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$'

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || text.split('.').some(label => Buffer.byteLength(label) > 63)) return false
  return compilePattern(hostname)(text)
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\([\t\n\f\r ]*(\d+)[\t\n\f\r ]*,[\t\n\f\r ]*(\d+)[\t\n\f\r ]*,[\t\n\f\r ]*(\d+)[\t\n\f\r ]*\)$/.exec(text)
  return match?.slice(1).every(part => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255) ?? false
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  const issuer =
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/
  if (!issuer.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const doubled = i % 2 === 1
    const digit = Number(digits[digits.length - 1 - i]) * (doubled ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

const withoutSeparators = (text: string) => text.replace(/[\t\n\f\r -]+/g, '')

function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text)
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = [...digits].reduce((sum, digit, i) => sum + (i + 1) * (digit === 'X' ? 10 : Number(digit)), 0)
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text)
  if (!/^\d{13}$/.test(digits)) return false
  const sum = [...digits].reduce((sum, digit, i) => sum + (i % 2 === 0 ? 1 : 3) * Number(digit), 0)
  return sum % 10 === 0
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}

/** The time of day must be valid, but the zone may have any digits, and the text after a second "t" is ignored. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t')
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u.exec(time)
  return match !== null && isDate(date) && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59'
}

const units = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']
const unitPrefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week']

/** Accepts Go's durations, and any text that contains a whole number and a unit: "about 5 minutes". */
function isDuration(text: string): boolean {
  if (/^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true
  let found = false
  for (const [, digits, name] of text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(digits!.slice(0, 30)) >= 2n ** 63n) return false
    const unit = name!.toLowerCase()
    found ||= units.includes(unit) || unitPrefixes.some(prefix => unit.startsWith(prefix))
  }
  return found
}
