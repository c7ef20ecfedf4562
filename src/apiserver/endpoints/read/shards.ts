/**
 * Selectors of shards (KEP-5866, gate ShardedListAndWatch): several clients share the objects of a resource, each with the range of hashes
 * that it names. A selector has the syntax of CEL, of which it may use calls of shardRange and `||`; it is read, and never run.
 */
import type { Call, Expr } from '../../../apimachinery/cel/ast.js'
import { Issues } from '../../../apimachinery/cel/issues.js'
import { parse } from '../../../apimachinery/cel/parser/parse.js'
import { UInt } from '../../../apimachinery/cel/values/value.js'
import type { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { plainError } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import { type Hash, hashOf } from './shard-hash.js'

/** What a list says of the shards that it shows. */
export interface ShardInfo {
  readonly selector: string
}

/** The fields by which objects are divided. */
interface Divided {
  readonly uid: string
  readonly namespace: string
}

interface Range {
  readonly field: string
  readonly start: string
  readonly end: string
}

/** The end is exclusive. */
interface HashRange {
  readonly from: Hash
  readonly to: Hash
}

export class ShardSelector {
  readonly info: ShardInfo
  readonly #field: keyof Divided
  /** In ascending order, and apart from each other: an object is looked for among them in logarithmic time. */
  readonly #ranges: readonly HashRange[]

  /** All ranges have the same field. */
  constructor(ranges: readonly Range[]) {
    const texts = ranges.map(({ field, start, end }) => `shardRange(${field}, '${start}', '${end}')`)
    this.info = { selector: texts.join(' || ') }
    this.#field = ranges[0]!.field === 'object.metadata.uid' ? 'uid' : 'namespace'
    this.#ranges = joined(ranges.map(({ start, end }) => ({ from: bound(start), to: bound(end) })))
  }

  matches(object: Divided): boolean {
    const hash = hashOf(object[this.#field])
    let first = 0
    let last = this.#ranges.length
    while (first < last) {
      const middle = (first + last) >> 1
      if (isLess(hash, this.#ranges[middle]!.to)) last = middle
      else first = middle + 1
    }
    const range = this.#ranges[first]
    return range !== undefined && !isLess(hash, range.from)
  }
}

/** Sorts ranges, and joins those that overlap or touch. */
function joined(ranges: HashRange[]): HashRange[] {
  const found: HashRange[] = []
  for (const { from, to } of ranges.sort((a, b) => (isLess(a.from, b.from) ? -1 : isLess(b.from, a.from) ? 1 : 0))) {
    const before = found.at(-1)
    if (!before || isLess(before.to, from)) found.push({ from, to })
    else if (isLess(before.to, to)) found[found.length - 1] = { from: before.from, to }
  }
  return found
}

/** Reads the selector of a request; undefined where there is none, or the gate is off. Throws 500 for a malformed one, as kube-apiserver does. */
export function shardsOf({ shardSelector }: { readonly shardSelector: string }, gates: FeatureGates): ShardSelector | undefined {
  if (shardSelector === '' || !gates.enabled('ShardedListAndWatch')) return undefined
  const text = shardSelector.trim()
  if (text === '') throw invalid('empty shard selector is not allowed; omit the parameter for unfiltered lists')
  const issues = new Issues(text)
  const tree = parse(text, issues, false)
  if (!tree) throw invalid(`CEL parse error: ${issues.first}`)
  const ranges = rangesOf(tree)
  const [{ field }] = ranges as [Range]
  const other = ranges.find(range => range.field !== field)
  if (other) throw invalid(`all shard ranges must use the same field, got ${goQuote(field)} and ${goQuote(other.field)}`)
  return new ShardSelector(ranges)
}

const invalid = (problem: string) => plainError(`invalid shard selector: ${problem}`)

/** The numbers of cel-go's kinds of expressions. */
const kindNumbers = { call: 1, comprehension: 2, ident: 3, list: 4, literal: 5, map: 6, select: 7, message: 8 } as const
const numberOf = (expr: Expr) => kindNumbers[isPresenceTest(expr) ? 'call' : expr.kind]
/** Here `has` is a function like any other. */
const isPresenceTest = (expr: Expr): boolean => expr.kind === 'select' && expr.test

/** Returns the ranges of a chain of `||`, whose tree is balanced, so that its depth stays small. */
function rangesOf(expr: Expr): Range[] {
  if (expr.kind === 'call' && expr.function === '_||_') return expr.args.flatMap(rangesOf)
  if (expr.kind === 'call' && expr.function === 'shardRange') return [rangeOf(expr)]
  const name = expr.kind === 'call' ? expr.function : isPresenceTest(expr) ? 'has' : undefined
  if (name !== undefined) throw invalid(`unsupported function ${goQuote(name)}; only shardRange() and || are allowed`)
  throw invalid(`unexpected expression kind ${numberOf(expr)}; expected shardRange() call or || operator`)
}

function rangeOf({ args }: Call): Range {
  const [first, second, third] = args
  if (args.length !== 3) throw invalid(`shardRange() requires exactly 3 arguments, got ${args.length}`)
  const field = fieldOf(first!)
  if (field !== 'object.metadata.uid' && field !== 'object.metadata.namespace')
    throw invalid(`unsupported field path ${goQuote(field)}; supported: object.metadata.uid, object.metadata.namespace`)
  const start = boundOf('hexStart', second!)
  const end = boundOf('hexEnd', third!)
  if (!isLess(bound(start), bound(end))) throw invalid(`shard range start ${start} must be less than end ${end}`)
  return { field, start, end }
}

function fieldOf(expr: Expr): string {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind === 'select' && !expr.test) return `${fieldOf(expr.operand)}.${expr.field}`
  const expected = 'expected field path (e.g. object.metadata.uid)'
  throw invalid(`shardRange() first argument: ${expected}, got expression kind ${numberOf(expr)}`)
}

/** The first number beyond those of hashes, for the end of the last range. */
const beyond = '0x10000000000000000'

/** Returns the text of a bound, which has all 16 digits. */
function boundOf(name: string, expr: Expr): string {
  if (expr.kind !== 'literal')
    throw invalid(`${name} must be a string literal (e.g. '0xff'), got expression kind ${numberOf(expr)}`)
  const text = expr.value
  if (typeof text !== 'string') throw invalid(`${name} must be a string literal, got ${goType(text)}`)
  if (!text.startsWith('0x')) throw invalid(`${name} must have '0x' prefix, got ${goQuote(text)}`)
  const digits = text.slice(2)
  const length = Buffer.byteLength(digits)
  if (length === 0) throw invalid(`${name}: hex value is required after '0x'`)
  if (length > 17) throw invalid(`${name}: hex value too long (${length} chars, max 17): ${goQuote(digits)}`)
  const odd = [...digits].find(character => !/[0-9a-f]/.test(character))
  if (odd !== undefined) throw invalid(`${name}: invalid hex character ${goQuote(odd)} in ${goQuote(text)}`)
  if (length === 17 && text !== beyond)
    throw invalid(`${name}: 17-digit hex value must be '${beyond}' (2^64), got ${goQuote(text)}`)
  if (length < 16) {
    const meant = goQuote(`0x${digits.padStart(16, '0')}`)
    throw invalid(`${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(text)} (did you mean ${meant}?)`)
  }
  return text
}

function goType(value: unknown): string {
  if (value === null) return 'structpb.NullValue'
  if (typeof value === 'bigint') return 'int64'
  if (value instanceof UInt) return 'uint64'
  if (typeof value === 'number') return 'float64'
  return typeof value === 'boolean' ? 'bool' : '[]uint8'
}

/** The bound's upper digits, of which the last one has nine, and its last eight. */
const bound = (text: string): Hash => ({ high: Number.parseInt(text.slice(2, -8), 16), low: Number.parseInt(text.slice(-8), 16) })

const isLess = (a: Hash, b: Hash): boolean => a.high < b.high || (a.high === b.high && a.low < b.low)
