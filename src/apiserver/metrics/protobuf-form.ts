/**
 * Prometheus' Protobuf format: messages io.prometheus.client.MetricFamily, each with its length before it
 * (client_model's metrics.proto). It alone has native histograms, so Prometheus asks for it when it scrapes those.
 */
import { zeroThreshold } from '../../util/instruments/native-buckets.js'
import { wireBytes, wireFixed64, wireVarint } from '../../util/protobuf/reader.js'
import { ReverseWriter } from '../../util/protobuf/writer.js'
import { type FamilyType, type MetricFamily, type MetricSeries, type NativeHistogram, textFamilies } from './text-families.js'

/** `text`: see `Metrics.text`. */
export async function protobufForm(text: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const family of textFamilies(text)) if (family.series.size > 0) pieces.push(encoded(family))
  return Buffer.concat(pieces)
}

const typeNumbers: Readonly<Record<FamilyType, number>> = { counter: 0, gauge: 1, summary: 2, untyped: 3, histogram: 4 }
/** The field of a Metric that holds its value. */
const valueFields: Readonly<Record<FamilyType, number>> = { gauge: 2, counter: 3, summary: 4, untyped: 5, histogram: 7 }

// All messages are written from back to front: fields by descending number, lists from their end.

function encoded({ name, help, type, series }: MetricFamily): Buffer {
  const writer = new ReverseWriter()
  for (const one of [...series.values()].reverse()) message(writer, 4, () => writeMetric(writer, type, one))
  varint(writer, 3, typeNumbers[type])
  string(writer, 2, help)
  string(writer, 1, name)
  writer.lengthSince(0)
  return writer.take()
}

function writeMetric(writer: ReverseWriter, type: FamilyType, series: MetricSeries): void {
  message(writer, valueFields[type], () => {
    if (type === 'histogram') writeHistogram(writer, series)
    else if (type === 'summary') writeSummary(writer, series)
    else double(writer, 1, series.value)
  })
  for (const [name, value] of [...series.labels].reverse())
    message(writer, 1, () => {
      string(writer, 2, value)
      string(writer, 1, name)
    })
}

function writeHistogram(writer: ReverseWriter, { value, count, points, native }: MetricSeries): void {
  if (native) writeNative(writer, native)
  // the count of all is the bucket without a limit
  for (const [limit, below] of points.toReversed())
    if (limit !== Number.POSITIVE_INFINITY)
      message(writer, 3, () => {
        double(writer, 2, limit)
        varint(writer, 1, below)
      })
  double(writer, 2, value)
  varint(writer, 1, count)
}

function writeSummary(writer: ReverseWriter, { value, count, points }: MetricSeries): void {
  for (const [quantile, at] of points.toReversed())
    message(writer, 3, () => {
      double(writer, 2, at)
      double(writer, 1, quantile)
    })
  double(writer, 2, value)
  varint(writer, 1, count)
}

/** Up to this many missing buckets are written as empty ones: a new span takes more bytes. */
const filledGap = 2

function writeNative(writer: ReverseWriter, { schema, zero, counts }: NativeHistogram): void {
  const spans: { offset: number; length: number }[] = []
  const deltas: number[] = []
  let next = 0
  let previous = 0
  const add = (count: number) => {
    deltas.push(count - previous)
    previous = count
    next++
  }
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    const gap = bucket - next
    if (spans.length === 0 || gap > filledGap) {
      spans.push({ offset: gap, length: 0 })
      next = bucket
    }
    const span = spans.at(-1)!
    for (; next < bucket; span.length++) add(0)
    add(count)
    span.length++
  }
  for (const delta of deltas.reverse()) varint(writer, 13, zigzag(delta))
  for (const { offset, length } of spans.reverse())
    message(writer, 12, () => {
      varint(writer, 2, length)
      varint(writer, 1, zigzag(offset))
    })
  varint(writer, 7, zero)
  double(writer, 6, zeroThreshold)
  varint(writer, 5, zigzag(schema))
}

/** How Protobuf writes numbers that may be negative (sint32, sint64). */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

function varint(writer: ReverseWriter, field: number, value: number): void {
  writer.varint(value)
  writer.varint(field * 8 + wireVarint)
}

function double(writer: ReverseWriter, field: number, value: number): void {
  writer.double(value)
  writer.varint(field * 8 + wireFixed64)
}

function string(writer: ReverseWriter, field: number, value: string): void {
  message(writer, field, () => writer.string(value))
}

function message(writer: ReverseWriter, field: number, write: () => void): void {
  const before = writer.written
  write()
  writer.lengthSince(before)
  writer.varint(field * 8 + wireBytes)
}
