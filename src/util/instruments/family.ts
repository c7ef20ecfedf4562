/** A metric with its series, one for each set of label values. */
import { goNumber } from './go-number.js'
import { Count, Distribution, Quantiles } from './series.js'

export type Stage = 'INTERNAL' | 'ALPHA' | 'BETA' | 'STABLE'

export interface Definition {
  readonly name: string
  readonly help: string
  /** How stable the metric is. Missing for metrics that are not Kubernetes' own. */
  readonly stage?: Stage | undefined
  /** The release since which the metric is deprecated: `1.34.0`. */
  readonly deprecatedSince?: string | undefined
  readonly labels?: readonly string[] | undefined
  /** Sets the series when the metrics are asked for. */
  collect?(): void | Promise<void>
}

/** For each label, the values that it may have; all others become "unexpected". */
export type AllowedValues = ReadonlyMap<string, ReadonlySet<string>>

/** The most series of one metric. Names from clients and objects come and go, so their number needs a bound. */
const maxSeries = 5000

export abstract class Family<Series> {
  readonly definition: Definition
  abstract readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** The series by their label values. */
  readonly #series = new Map<string, { readonly labels: string; readonly series: Series }>()
  readonly #allowed: AllowedValues | undefined
  readonly #unexpected: () => void
  /** Counts for label values beyond the bound; it is not shown. */
  #beyond: Series | undefined

  constructor(definition: Definition, allowed: AllowedValues | undefined, unexpected: () => void) {
    this.definition = definition
    this.#allowed = allowed
    this.#unexpected = unexpected
  }

  protected abstract make(): Series
  protected abstract lines(name: string, labels: string, series: Series, withNative: boolean): string
  protected abstract zero(series: Series): void

  /** Returns the series for these values of the labels, in the order of their declaration. */
  of(...values: readonly string[]): Series {
    const key = values.length === 1 ? values[0]! : values.join('\0')
    return this.#series.get(key)?.series ?? this.#add(key, values)
  }

  #add(key: string, values: readonly string[]): Series {
    const allowed = this.#allowed && this.#constrained(values)
    // there may be any number of unexpected values, so they are not remembered
    if (allowed?.some((value, i) => value !== values[i])) return this.of(...allowed)
    if (this.#series.size >= maxSeries) return (this.#beyond ??= this.make())
    const series = this.make()
    this.#series.set(key, { labels: labelsText(this.definition.labels ?? [], values), series })
    return series
  }

  #constrained(values: readonly string[]): string[] {
    return values.map((value, i) => {
      const expected = this.#allowed!.get(this.definition.labels![i]!)
      if (!expected || expected.has(value) || value === 'unexpected') return value
      this.#unexpected()
      return 'unexpected'
    })
  }

  /** Shows a series that somebody else keeps. */
  put(series: Series, ...values: readonly string[]): void {
    if (this.#series.size < maxSeries)
      this.#series.set(values.join('\0'), { labels: labelsText(this.definition.labels ?? [], values), series })
  }

  get size(): number {
    return this.#series.size
  }

  /** Removes all series. Only for metrics whose series nobody keeps. */
  clear(): void {
    this.#series.clear()
  }

  /** Removes the series of some label values. */
  remove(...values: readonly string[]): void {
    this.#series.delete(values.join('\0'))
  }

  /** Sets counters back to zero. Gauges show the present, and stay. */
  reset(): void {
    if (this.type !== 'gauge') for (const { series } of this.#series.values()) this.zero(series)
  }

  /** Yields the series in Prometheus' text format, one after the other. `withNative`: see `distributionLines`. */
  *text(withNative = false): Generator<string> {
    const { name, help } = this.definition
    if (this.#series.size === 0) return
    yield `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${this.type}\n`
    for (const { labels, series } of this.#series.values()) yield this.lines(name, labels, series, withNative)
  }
}

export class Counter extends Family<Count> {
  readonly type = 'counter'

  protected make(): Count {
    return new Count()
  }

  protected lines(name: string, labels: string, { value }: Count): string {
    return `${name}${braced(labels)} ${goNumber(value)}\n`
  }

  protected zero(series: Count): void {
    series.value = 0
  }
}

export class Gauge extends Family<Count> {
  readonly type = 'gauge'

  protected make(): Count {
    return new Count()
  }

  protected lines(name: string, labels: string, { value }: Count): string {
    return `${name}${braced(labels)} ${goNumber(value)}\n`
  }

  protected zero(): void {}
}

export class Histogram extends Family<Distribution> {
  readonly type = 'histogram'
  readonly #limits: readonly number[]

  constructor(
    definition: Definition & { readonly buckets: readonly number[] },
    ...more: [AllowedValues | undefined, () => void]
  ) {
    super(definition, ...more)
    this.#limits = definition.buckets
  }

  protected make(): Distribution {
    return new Distribution(this.#limits)
  }

  protected lines(name: string, labels: string, series: Distribution, withNative: boolean): string {
    return distributionLines(name, labels, series, withNative)
  }

  protected zero(series: Distribution): void {
    series.reset()
  }
}

/** What is in the name of a series that is a bucket of a native histogram. */
export const nativeSuffix = '_native'

/**
 * Returns the lines of one series of a histogram. Prometheus' text format has no native histograms. `withNative` writes their buckets as series of their
 * own, so that those of several processes are added up like all others, before `protobuf-form.ts` makes of them what Prometheus reads.
 */
export function distributionLines(name: string, labels: string, distribution: Distribution, withNative: boolean): string {
  const { limits, counts, sum, count, native } = distribution
  const before = labels === '' ? '' : `${labels},`
  let text = ''
  let below = 0
  for (let i = 0; i < counts.length; i++)
    text += `${name}_bucket{${before}le="${goNumber(limits[i]!)}"} ${goNumber((below += counts[i]!))}\n`
  text += `${name}_bucket{${before}le="+Inf"} ${goNumber(count)}\n`
  text += `${name}_sum${braced(labels)} ${goNumber(sum)}\n${name}_count${braced(labels)} ${goNumber(count)}\n`
  if (!withNative) return text
  const bucket = (at: number | 'zero', value: number) =>
    `${name}${nativeSuffix}{${before}schema="${native.schema}",bucket="${at}"} ${value}\n`
  text += bucket('zero', native.zero)
  for (const [at, value] of native.counts) text += bucket(at, value)
  return text
}

const quantiles = [0.5, 0.9, 0.99]

export class Summary extends Family<Quantiles> {
  readonly type = 'summary'

  protected make(): Quantiles {
    return new Quantiles()
  }

  protected lines(name: string, labels: string, series: Quantiles): string {
    const before = labels === '' ? '' : `${labels},`
    const values = series.at(quantiles)
    const text = quantiles.map((q, i) => `${name}{${before}quantile="${q}"} ${goNumber(values[i]!)}\n`).join('')
    return `${text}${name}_sum${braced(labels)} ${goNumber(series.sum)}\n${name}_count${braced(labels)} ${series.count}\n`
  }

  protected zero(series: Quantiles): void {
    series.reset()
  }
}

const braced = (labels: string) => (labels === '' ? '' : `{${labels}}`)

/** Writes labels in alphabetical order, as Go's library does. */
function labelsText(names: readonly string[], values: readonly string[]): string {
  return names
    .map((name, i) => [name, values[i] ?? ''] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`)
    .join(',')
}

const escaped = (character: string) => (character === '\n' ? '\\n' : `\\${character}`)
