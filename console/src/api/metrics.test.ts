import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMetrics, quantile, rate, Scrape } from './metrics.js'

const scrape = (time: number, text: string) => new Scrape(time, parseMetrics(text))

test('reads labels with quotes, braces and escapes, and no comments', () => {
  assert.deepEqual(
    [...parseMetrics('# HELP a b\na{x="1 } \\"q\\"",y="l\\n\\\\"} 2.5e3\nb 1 1700000000\nc{le="+Inf"} +Inf\nnonsense\n')],
    [
      { name: 'a', labels: { x: '1 } "q"', y: 'l\n\\' }, value: 2500 },
      { name: 'b', labels: {}, value: 1 },
      { name: 'c', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY }
    ]
  )
})

test('a rate is per second, and a counter that begins anew is not negative', () => {
  const [a, b, c] = [scrape(0, 'n 10\n'), scrape(2000, 'n 30\n'), scrape(4000, 'n 4\n')]
  assert.equal(rate(a, b, 'n'), 10)
  assert.equal(rate(b, c, 'n'), 2)
  assert.equal(rate(a, b, 'none'), 0)
})

test('a quantile is that of the observations between two moments', () => {
  const at = (time: number, low: number, high: number, all: number) =>
    scrape(time, `h_bucket{le="0.1"} ${low}\nh_bucket{le="1"} ${high}\nh_bucket{le="+Inf"} ${all}\n`)
  const value = quantile(0.5, at(0, 100, 100, 100), at(1, 100, 110, 110), 'h', () => true)
  assert.ok(value !== undefined && value > 0.1 && value <= 1)
  assert.equal(
    quantile(0.99, at(0, 0, 0, 0), at(1, 0, 0, 5), 'h', () => true),
    1
  )
  assert.equal(
    quantile(0.5, at(0, 1, 1, 1), at(1, 1, 1, 1), 'h', () => true),
    undefined
  )
})
