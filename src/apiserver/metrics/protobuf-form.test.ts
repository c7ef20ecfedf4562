import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Metrics } from '../../util/instruments/metrics.js'
import { metricsForm } from './form.js'
import { protobufForm } from './protobuf-form.js'

type Decoded = Record<number, (number | bigint | Buffer)[]>

/** Reads a message by the rules of the wire alone. */
function decoded(bytes: Buffer): Decoded {
  const fields: Decoded = {}
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    const field = (fields[Math.floor(tag / 8)] ??= [])
    if (tag % 8 === 0) field.push(varint())
    else if (tag % 8 === 1) {
      field.push(bytes.readDoubleLE(at))
      at += 8
    } else {
      const length = varint()
      field.push(bytes.subarray(at, (at += length)))
    }
  }
  return fields
}

const parts = (fields: Decoded, number: number) => (fields[number] ?? []).map(bytes => decoded(bytes as Buffer))
const texts = (fields: Decoded, number: number) => (fields[number] ?? []).map(String)
const signed = (zigzag: unknown) => (Number(zigzag) % 2 ? -(Number(zigzag) + 1) / 2 : Number(zigzag) / 2)

/** Returns the families of delimited messages by name. */
function families(bytes: Buffer): Map<string, Decoded> {
  const all = new Map<string, Decoded>()
  for (let at = 0; at < bytes.length; ) {
    let length = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!
      length += (byte & 0x7f) * factor
      if (byte < 0x80) break
    }
    const family = decoded(bytes.subarray(at, (at += length)))
    all.set(texts(family, 1)[0]!, family)
  }
  return all
}

const labelsOf = (metric: Decoded) => parts(metric, 1).map(label => [texts(label, 1)[0], texts(label, 2)[0]])

describe('metrics in Protobuf', () => {
  it('have what the text has', async () => {
    const metrics = new Metrics(undefined, false)
    const counter = metrics.counter({ name: 'a_total', help: 'All "a",\nin a \\ line.', stage: 'BETA', labels: ['verb', 'code'] })
    counter.of('GET, "x"\\\n', '200').add(3)
    counter.of('é', '').add(4.5)
    metrics.gauge({ name: 'b', help: '' }).of().set(Number.NEGATIVE_INFINITY)
    const summary = metrics.summary({ name: 'd', help: '', labels: ['x'] })
    for (const value of [1, 2, 3]) summary.of('y').observe(value)
    const { a_total, b, d } = Object.fromEntries(families(await protobufForm(await metrics.text(true))))
    assert.deepEqual(texts(a_total!, 2), ['[BETA] All "a",\nin a \\ line.'])
    assert.deepEqual([a_total![3], b![3], d![3]], [[0], [1], [2]])
    assert.deepEqual(parts(a_total!, 4).map(labelsOf), [
      [
        ['code', '200'],
        ['verb', 'GET, "x"\\\n']
      ],
      [
        ['code', ''],
        ['verb', 'é']
      ]
    ])
    assert.deepEqual(
      parts(a_total!, 4).map(metric => parts(metric, 3)[0]![1]),
      [[3], [4.5]]
    )
    assert.deepEqual(parts(parts(b!, 4)[0]!, 2)[0]![1], [Number.NEGATIVE_INFINITY])
    const [ages] = parts(parts(d!, 4)[0]!, 4)
    assert.deepEqual([ages![1], ages![2]], [[3], [6]])
    assert.deepEqual(
      parts(ages!, 3).map(q => [q[1], q[2]]),
      [
        [[0.5], [2]],
        [[0.9], [3]],
        [[0.99], [3]]
      ]
    )
  })

  it('have the buckets of native histograms in spans', async () => {
    const metrics = new Metrics(undefined, false)
    const histogram = metrics.histogram({ name: 'm', help: '', labels: ['a'], buckets: [1, 10] })
    // buckets 0, 3 and 8 twice of schema 3, with a small gap and a larger one
    for (const value of [0, 1, 1.25, 1.9, 2]) histogram.of('x').observe(value)
    histogram.of('y')
    const family = families(await protobufForm(await metrics.text(true))).get('m')!
    assert.deepEqual(family[3], [4])
    const [x, y] = parts(family, 4).map(metric => parts(metric, 7)[0]!)
    assert.deepEqual([x![1], x![2]], [[5], [6.15]])
    assert.deepEqual(
      parts(x!, 3).map(bucket => [bucket[2], bucket[1]]),
      [
        [[1], [2]],
        [[10], [5]]
      ]
    )
    assert.deepEqual([x![5]!.map(signed), x![6], x![7]], [[3], [2 ** -128], [1]])
    assert.deepEqual(
      parts(x!, 12).map(span => [signed(span[1]![0]), span[2]![0]]),
      [
        [0, 4],
        [4, 1]
      ]
    )
    assert.deepEqual(x![13]!.map(signed), [1, -1, 0, 1, 1])
    assert.deepEqual([y![1], y![5]!.map(signed), y![7], y![12]], [[0], [3], [0], undefined])
    const classic = families(await protobufForm(await metrics.text())).get('m')!
    assert.equal(parts(parts(classic, 4)[0]!, 7)[0]![5], undefined)
  })

  it('join buckets of different widths, as processes of one server may have them', async () => {
    const native = (schema: number, buckets: Record<string, number>) =>
      Object.entries(buckets)
        .map(([bucket, n]) => `m_native{schema="${schema}",bucket="${bucket}"} ${n}\n`)
        .join('')
    const both = [native(3, { zero: 1, '-1': 2, 4: 8 }), native(2, { zero: 1, 0: 4, 1: 16 })]
    for (const pieces of [both, both.toReversed()]) {
      const text = `# TYPE m histogram\n${pieces.join('')}m_sum 9\nm_count 32\n`
      const [metric] = parts(parts(families(await protobufForm(text)).get('m')!, 4)[0]!, 7)
      assert.deepEqual([metric![5]!.map(signed), metric![7]], [[2], [2]])
      assert.deepEqual(
        parts(metric!, 12).map(span => [signed(span[1]![0]), span[2]![0]]),
        [[0, 3]]
      )
      assert.deepEqual(metric![13]!.map(signed), [6, 10, -8])
    }
  })

  it('are chosen as Prometheus asks', () => {
    const form = (accept: string) => metricsForm(accept)
    const delimited = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited'
    assert.equal(
      form(`${delimited};q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3`).contentType,
      'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores'
    )
    assert.equal(form(`${delimited};escaping=allow-utf-8`).contentType.endsWith('delimited; escaping=allow-utf-8'), true)
    for (const accept of ['', '*/*', 'text/html', `text/plain, ${delimited};q=0.1`, delimited.replace('delimited', 'text')])
      assert.deepEqual(form(accept), {
        isProtobuf: false,
        contentType: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'
      })
    assert.ok(form('text/plain;version=0.0.4;escaping=dots').contentType.endsWith('escaping=dots'))
    assert.ok(form('text/plain;escaping=odd').contentType.endsWith('escaping=underscores'))
  })
})
