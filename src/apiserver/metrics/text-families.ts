/** Reads metrics in Prometheus' text format, as this server writes them, into the series that its Protobuf format has. */

import { nativeSuffix } from '../../util/instruments/family.js'
import { fromGoNumber } from '../../util/instruments/go-number.js'
import { joinedInPairs } from '../../util/instruments/native-buckets.js'
import { nextTurn, startSlice } from '../../util/turns.js'

export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped'

export interface NativeHistogram {
  schema: number
  zero: number
  /** Observations by bucket. */
  counts: Map<number, number>
}

export interface MetricSeries {
  readonly labels: readonly (readonly [name: string, value: string])[]
  /** Of counters and gauges; of histograms and summaries, the sum. */
  value: number
  count: number
  /** The upper limits of a histogram's buckets, or the quantiles of a summary, with their values. */
  readonly points: (readonly [at: number, value: number])[]
  native: NativeHistogram | undefined
}

export interface MetricFamily {
  readonly name: string
  help: string
  type: FamilyType
  readonly series: Map<string, MetricSeries>
}

/** Yields the families one after the other. There may be many series, so other requests run meanwhile. */
export async function* textFamilies(text: string): AsyncGenerator<MetricFamily> {
  let family: MetricFamily | undefined
  let sliceIsOver = startSlice()
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(at, end)
    at = end + 1
    if (line.startsWith('# ')) {
      const [, what, name, rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
      if (name === undefined) continue
      if (family?.name !== name) {
        if (family) yield family
        family = { name, help: '', type: 'untyped', series: new Map() }
      }
      if (what === 'HELP') family.help = unescaped(rest)
      else family.type = rest as FamilyType
    } else if (line !== '' && family) {
      addLine(family, line)
    }
    if (!sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
  if (family) yield family
}

const labelPattern = /([^=,]+)="((?:[^"\\]|\\.)*)"/g

function addLine(family: MetricFamily, line: string): void {
  const space = line.lastIndexOf(' ')
  const value = fromGoNumber(line.slice(space + 1))
  const brace = line.indexOf('{')
  const name = brace < 0 ? line.slice(0, space) : line.slice(0, brace)
  const labels: [string, string][] = []
  if (brace >= 0)
    for (const [, label, text] of line.slice(brace + 1, space).matchAll(labelPattern)) labels.push([label!, unescaped(text!)])
  const part = name.slice(family.name.length)
  if (part === nativeSuffix) {
    // the last two labels are the bucket's, of whatever name the metric's own labels are
    const [[, schema], [, bucket]] = labels.splice(-2) as [[string, string], [string, string]]
    addNative(seriesOf(family, labels), Number(schema), bucket, value)
  } else if (part === '_sum') seriesOf(family, labels).value = value
  else if (part === '_count') seriesOf(family, labels).count = value
  else if (part === '_bucket' || (part === '' && family.type === 'summary')) {
    const [, at] = labels.pop()!
    seriesOf(family, labels).points.push([fromGoNumber(at), value])
  } else seriesOf(family, labels).value = value
}

function seriesOf({ series }: MetricFamily, labels: MetricSeries['labels']): MetricSeries {
  const key = labels.flat().join('\0')
  let one = series.get(key)
  if (!one) series.set(key, (one = { labels, value: 0, count: 0, points: [], native: undefined }))
  return one
}

/** Adds a bucket. Processes of one server may have come to different schemas: the lowest can hold all. */
function addNative(series: MetricSeries, schema: number, bucket: string, value: number): void {
  const native = (series.native ??= { schema, zero: 0, counts: new Map() })
  if (bucket === 'zero') {
    native.zero += value
    for (; native.schema > schema; native.schema--) native.counts = joinedInPairs(native.counts)
    return
  }
  let at = new Map([[Number(bucket), value]])
  for (let s = schema; s > native.schema; s--) at = joinedInPairs(at)
  for (const [key, more] of at) native.counts.set(key, (native.counts.get(key) ?? 0) + more)
}

const unescaped = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character)) : text
