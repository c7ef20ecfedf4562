/** The functions that templates of Stages may call: those of Go's templates, those of kwok that say something of objects alone, and some of sprig (https://masterminds.github.io/sprig/). */
import type * as Yaml from 'yaml'
import { lazyPackage } from '../../util/lazy-package.js'
import { isTrue, shown, type TemplateFunctions } from './template.js'

const yaml = lazyPackage<typeof Yaml>('yaml')

type Values = readonly unknown[]

const longestRepeat = 100_000

function numberOf(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) throw new Error(`${shown(value)} is no number`)
  return number
}
const wholeOf = (value: unknown): number => Math.trunc(numberOf(value))

function divisorOf(value: unknown): number {
  const number = wholeOf(value)
  if (number === 0) throw new Error('division by zero')
  return number
}

const isEqual = (a: unknown, b: unknown): boolean => (a ?? null) === (b ?? null)

function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  throw new Error('incompatible types for comparison')
}

function indexed(value: unknown, ...keys: Values): unknown {
  let found = value
  for (const key of keys) {
    if (found === null || found === undefined) throw new Error('index of untyped nil')
    if (Array.isArray(found)) {
      const at = numberOf(key)
      if (at < 0 || at >= found.length) throw new Error(`index out of range: ${at}`)
      found = found[at]
    } else if (typeof found === 'object')
      found = Object.hasOwn(found, String(key)) ? (found as Record<string, unknown>)[String(key)] : null
    else throw new Error(`can't index item of type ${typeof found}`)
  }
  return found
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  throw new Error('len of nil or of a value without length')
}

/** `%s`, `%v`, `%d`, `%q`, `%t` and `%%`. */
function printf(format: unknown, ...values: Values): string {
  let next = 0
  return String(format).replaceAll(/%(.)/g, (verb, letter: string) => {
    if (letter === '%') return '%'
    if (!'svdqt'.includes(letter)) throw new Error(`${verb} is not understood`)
    if (next >= values.length) return `%!${letter}(MISSING)`
    const value = values[next++]
    return letter === 'q' ? JSON.stringify(shown(value)) : shown(value)
  })
}

/** As kwok has it: a text as JSON, anything else as the JSON of its JSON. */
function quote(value: unknown): string {
  const json = JSON.stringify(value ?? null)
  return json.startsWith('"') ? json : JSON.stringify(json)
}

function yamlOf(value: unknown, indent: unknown = 0): string {
  const text = yaml().stringify(value ?? null, { version: '1.1', lineWidth: 0 })
  const depth = wholeOf(indent)
  if (depth < 0 || depth > 100) throw new Error('an indent from 0 to 100 is wanted')
  return depth === 0 ? text : `\n${text}`.replaceAll('\n', `\n${'  '.repeat(depth)}`)
}

function dictOf(...pairs: Values): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (let i = 0; i < pairs.length; i += 2) entries.push([shown(pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : ''])
  return Object.fromEntries(entries)
}

const indented = (spaces: unknown, text: unknown): string => {
  const width = wholeOf(spaces)
  if (width < 0 || width > 100) throw new Error('from 0 to 100 spaces are wanted')
  return shown(text).replaceAll(/^/gm, ' '.repeat(width))
}

/** Those that need nothing but their arguments. `and` and `or` are part of the language. */
export const pureFunctions: TemplateFunctions = {
  not: (value: unknown) => !isTrue(value),
  eq: (first: unknown, ...others: Values) => others.some(one => isEqual(first, one)),
  ne: (a: unknown, b: unknown) => !isEqual(a, b),
  lt: (a: unknown, b: unknown) => order(a, b) < 0,
  le: (a: unknown, b: unknown) => order(a, b) <= 0,
  gt: (a: unknown, b: unknown) => order(a, b) > 0,
  ge: (a: unknown, b: unknown) => order(a, b) >= 0,
  index: indexed,
  len: lengthOf,
  print: (...values: Values) => values.map(shown).join(''),
  printf,
  println: (...values: Values) => `${values.map(shown).join(' ')}\n`,
  Quote: quote,
  YAML: yamlOf,
  dict: dictOf,
  list: (...values: Values) => [...values],
  default: (otherwise: unknown, value?: unknown) => (isTrue(value) ? value : otherwise),
  coalesce: (...values: Values) => values.find(isTrue) ?? null,
  empty: (value: unknown) => !isTrue(value),
  ternary: (yes: unknown, no: unknown, condition: unknown) => (isTrue(condition) ? yes : no),
  hasKey: (map: unknown, key: unknown) => typeof map === 'object' && map !== null && Object.hasOwn(map, String(key)),
  get: (map: unknown, key: unknown) => indexed(map ?? {}, key) ?? '',
  quote: (...values: Values) => values.map(value => JSON.stringify(shown(value))).join(' '),
  squote: (...values: Values) => values.map(value => `'${shown(value)}'`).join(' '),
  upper: (text: unknown) => shown(text).toUpperCase(),
  lower: (text: unknown) => shown(text).toLowerCase(),
  trim: (text: unknown) => shown(text).trim(),
  trimPrefix: (prefix: unknown, text: unknown) =>
    shown(text).startsWith(shown(prefix)) ? shown(text).slice(shown(prefix).length) : shown(text),
  trimSuffix: (suffix: unknown, text: unknown) =>
    shown(text).endsWith(shown(suffix)) && shown(suffix) !== '' ? shown(text).slice(0, -shown(suffix).length) : shown(text),
  hasPrefix: (prefix: unknown, text: unknown) => shown(text).startsWith(shown(prefix)),
  hasSuffix: (suffix: unknown, text: unknown) => shown(text).endsWith(shown(suffix)),
  contains: (part: unknown, text: unknown) => shown(text).includes(shown(part)),
  replace: (from: unknown, to: unknown, text: unknown) => bounded(shown(text).replaceAll(shown(from), () => shown(to))),
  join: (between: unknown, values: unknown) =>
    bounded((Array.isArray(values) ? values : [values]).map(shown).join(shown(between))),
  indent: indented,
  nindent: (spaces: unknown, text: unknown) => `\n${indented(spaces, text)}`,
  toString: shown,
  toJson: (value: unknown) => JSON.stringify(value ?? null),
  int: wholeOf,
  int64: wholeOf,
  add: (...values: Values) => values.reduce<number>((sum, value) => sum + wholeOf(value), 0),
  add1: (value: unknown) => wholeOf(value) + 1,
  sub: (a: unknown, b: unknown) => wholeOf(a) - wholeOf(b),
  mul: (...values: Values) => values.reduce<number>((product, value) => product * wholeOf(value), 1),
  div: (a: unknown, b: unknown) => Math.trunc(wholeOf(a) / divisorOf(b)),
  mod: (a: unknown, b: unknown) => wholeOf(a) % divisorOf(b),
  max: (...values: Values) => Math.max(...values.map(wholeOf)),
  min: (...values: Values) => Math.min(...values.map(wholeOf))
}

function bounded(text: string): string {
  if (text.length > longestRepeat) throw new Error(`a text of more than ${longestRepeat} characters`)
  return text
}

/** Those of kwok that tell of the cluster; `stages.ts` has them. */
export const clusterFunctionNames = [
  'Now',
  'StartTime',
  'Version',
  'NodeConditions',
  'NodeIP',
  'NodeName',
  'NodePort',
  'NodeIPWith',
  'NodeIPsWith',
  'PodIPWith',
  'PodIPsWith'
] as const

export type ClusterFunctions = Readonly<Record<(typeof clusterFunctionNames)[number], (...args: any[]) => unknown>>

export const knownFunctions: ReadonlySet<string> = new Set([...Object.keys(pureFunctions), ...clusterFunctionNames])
