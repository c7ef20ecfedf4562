import { isIP } from 'node:net'
import { ipAddressBytes } from '../../transport/certificates/ip-address.js'
import { isDnsName } from '../../transport/certificates/serving-names.js'
import { isServiceOverride } from '../../transport/webhooks/service-overrides.js'
import { parseBool } from '../../util/go-format.js'
import { type ValueType as Checked, oneOf as oneOfTexts, valueTypes } from '../../util/members.js'
import { nanoValue, parseQuantity } from '../../util/quantity.js'
import { isInRange, type NumberRange, ranges } from './number-ranges.js'

/** What an option may be: as the text of a flag, and as the value that a program gives. */
export interface ValueType<T> {
  /** The type's name in the help, as in pflag. */
  readonly label: string
  /** The value of the flag when no text follows it; only switches have one. */
  readonly implicit?: string
  /** What a program may give. */
  readonly value: Checked
  /** The words of a type that has few. */
  readonly words?: readonly string[]
  /** The range of a number, unless a word may stand for it. */
  readonly range?: NumberRange
  /** Its type in TypeScript, if `value` does not tell. */
  readonly typescript?: string
  /** Parses the text. `previous` is the value so far when the flag is repeated. Throws InvalidValue. */
  read(text: string, previous: T | undefined): T
}

/** An invalid value. The message completes the sentence `--flag "text" …`. */
export class InvalidValue extends Error {}

const mustBe = (what: string): InvalidValue => new InvalidValue(`must be ${what}`)

/** Accepts the values of Go's strconv.ParseBool. */
export const bool: ValueType<boolean> = {
  label: 'bool',
  implicit: 'true',
  value: valueTypes.boolean,
  read(text) {
    const value = parseBool(text)
    if (value === undefined) throw mustBe('true or false')
    return value
  }
}

export const integer = (label: string, range: NumberRange): ValueType<number> => ({
  label,
  value: numberIn(range),
  range,
  read(text) {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || !isInRange(value, range)) throw mustBe(range.what)
    return value
  }
})

/** A number as a program gives it. */
export const numberIn = (range: NumberRange): Checked => ({
  ...valueTypes.number,
  narrower: { what: range.what, is: value => isInRange(value as number, range) }
})

const durationUnits: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** A duration in Go's notation, `5m0s` or `500ms`; the value is in milliseconds. */
export const duration: ValueType<number> = {
  label: 'duration',
  value: numberIn(ranges.milliseconds),
  read(text) {
    const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|h|m|s)/g)]
    if (text === '0') return 0
    if (text === '' || parts.map(([part]) => part).join('') !== text) throw mustBe('a duration such as 5m or 1h30m')
    return parts.reduce((sum, [, number, unit]) => sum + Number(number) * durationUnits[unit!]!, 0)
  }
}

export const positiveDuration: ValueType<number> = {
  label: 'duration',
  value: numberIn(ranges.someMilliseconds),
  read(text, before) {
    const value = duration.read(text, before)
    if (!isInRange(value, ranges.someMilliseconds)) throw mustBe(ranges.someMilliseconds.what)
    return value
  }
}

/** An empty text means that the flag was not given, as with kube-apiserver. */
export const string: ValueType<string | undefined> = { label: 'string', value: valueTypes.text, read: text => text || undefined }

export const ip: ValueType<string> = {
  label: 'ip',
  value: valueTypes.text,
  read(text) {
    if (!ipAddressBytes(text)) throw mustBe('an IP address')
    return text
  }
}

export const host: ValueType<string | undefined> = {
  label: 'string',
  value: valueTypes.text,
  read(text) {
    if (text !== '' && !ipAddressBytes(text) && !isDnsName(text)) throw mustBe('a host name or an IP address')
    return text || undefined
  }
}

/** Every occurrence adds one value; commas do not separate values. */
export const stringArray = (check: (text: string) => void = () => {}): ValueType<readonly string[]> => ({
  label: 'stringArray',
  value: valueTypes.texts,
  read(text, previous = []) {
    check(text)
    return [...previous, text]
  }
})

/** A list: commas separate values, and every occurrence of the flag adds its values. */
export const strings = <T extends string>(check: (text: string, before: readonly T[]) => T): ValueType<readonly T[]> => ({
  label: 'strings',
  value: valueTypes.texts,
  read(text, previous = []) {
    const values = [...previous]
    // pflag reads an empty text as no value: `--controllers=` names no controller
    if (text !== '') for (const item of text.split(',')) values.push(check(item.trim(), values))
    return values
  }
})

/** Quantities by the names of resources: `cpu=8,memory=32Gi`. */
export const quantities: ValueType<Readonly<Record<string, string>>> = {
  label: 'quantities',
  value: valueTypes.textsByName,
  read(text, previous) {
    const pairs = text.split(',').map(pair => {
      const [, name, amount] = /^([\w./-]{1,316})=(.{1,64})$/.exec(pair) ?? []
      if (name === undefined || !isQuantity(amount!)) throw mustBe('NAME=QUANTITY, as in cpu=8,memory=32Gi')
      return [name, amount!] as const
    })
    return { ...previous, ...Object.fromEntries(pairs) }
  }
}

function isQuantity(text: string): boolean {
  try {
    return nanoValue(parseQuantity(text)) >= 0n
  } catch {
    return false
  }
}

/** Pairs of `key=value`; every occurrence of the flag adds one. */
export const keyValue: ValueType<Readonly<Record<string, string>> | undefined> = {
  label: 'mapStringString',
  value: valueTypes.textsByName,
  read(text, previous) {
    const equals = text.indexOf('=')
    if (equals < 0) throw mustBe('key=value')
    return { ...previous, [text.slice(0, equals).trim()]: text.slice(equals + 1).trim() }
  }
}

/** One of a few words. `others` are words that kube-apiserver accepts and this server does not support yet. */
export const oneOf = <T extends string>(values: readonly T[], others: readonly string[] = []): ValueType<T> => ({
  label: values.join('|'),
  value: oneOfTexts(...values),
  words: values,
  read: text => chosen(text, values, others)
})

export const chosen = <T extends string>(text: string, values: readonly T[], others: readonly string[] = []): T => {
  const value = values.find(candidate => candidate === text)
  if (value !== undefined) return value
  if (others.includes(text)) throw new InvalidValue(`is not supported yet: use ${either(values)}`)
  throw mustBe(either(values))
}

const either = (values: readonly string[]): string =>
  values.length === 1 ? values[0]! : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

/** A range of service addresses, or one range of each IP family. */
export const serviceRange: ValueType<string> = {
  label: 'string',
  value: valueTypes.text,
  read(text) {
    const ranges = text.split(',').map(range => range.trim())
    const families = ranges.map(range => {
      const [address, prefix, ...rest] = range.split('/')
      const bytes = ipAddressBytes(address!)
      if (!bytes || !/^\d{1,3}$/.test(prefix ?? '') || rest.length > 0 || Number(prefix) > bytes.length * 8) {
        throw mustBe('a CIDR such as 10.0.0.0/24, or two of different IP families')
      }
      if (bytes.length * 8 - Number(prefix) < 3) throw new InvalidValue('is too small: at least 8 addresses are needed')
      return isIP(address!)
    })
    if (families.length > 2 || families[0] === families[1]) throw mustBe('one CIDR, or two of different IP families')
    return ranges.join(',')
  }
}

/** A range of ports, in the notations of Kubernetes: `30000-32767`, `30000+2767` or a single port. */
export const portRange: ValueType<string> = {
  label: 'portRange',
  value: valueTypes.text,
  read(text) {
    const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim())
    const from = Number(match?.[1])
    const to = match?.[2] === '+' ? Math.min(65535, from + Number(match[3])) : Number(match?.[3] ?? from)
    if (!match || from < 1 || to > 65535 || from > to) throw mustBe('a range of ports from 1 to 65535, such as 30000-32767')
    return `${from}-${to}`
  }
}

/** Matches a key of the runtime configuration: `v1`, `/v1/pods`, `apps/v1`, `apps/v1/deployments`, `api/beta`. */
const runtimeKey = /^(?:\/?v1(?:\/[a-z0-9]+)?|[a-z0-9.-]+\/[a-z0-9]+(?:\/[a-z0-9]+)?)$/

/** A runtime configuration: `group/version=true,api/alpha=false`; a key without a value means true. */
export const runtimeConfig: ValueType<Readonly<Record<string, boolean>>> = {
  label: 'mapStringString',
  value: valueTypes.switches,
  read(text, previous) {
    const entries = new Map(Object.entries(previous ?? {}))
    for (const item of text.split(',').filter(Boolean)) {
      const [key, value = '', ...rest] = item.trim().split('=')
      if (!runtimeKey.test(key!) || rest.length > 0) {
        throw new InvalidValue(
          `must be key=true or key=false, where a key is api/all, api/ga, api/beta, api/alpha, v1[/resource] or group/version[/resource], not "${item}"`
        )
      }
      try {
        entries.set(key!, value === '' || bool.read(value, undefined))
      } catch {
        throw new InvalidValue(`must say true or false for ${key}, not "${value}"`)
      }
    }
    return Object.fromEntries(entries)
  }
}

/** Addresses of Services: `default/hooks=127.0.0.1:9443`. Commas separate them, or the flag is repeated. */
export const resolveService: ValueType<Readonly<Record<string, string>>> = {
  label: 'namespace/name=host:port,...',
  value: valueTypes.textsByName,
  read(text, previous) {
    const pairs = text.split(',').map(pair => {
      const equals = pair.indexOf('=')
      const entry = [pair.slice(0, equals), pair.slice(equals + 1)] as const
      if (equals < 0 || !isServiceOverride(...entry)) throw mustBe('like namespace/name=127.0.0.1:9443')
      return entry
    })
    return { ...previous, ...Object.fromEntries(pairs) }
  }
}
