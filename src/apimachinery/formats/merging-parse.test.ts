import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergingParse } from './merging-parse.js'

test('the objects of a repeated key are merged; other values are replaced', () => {
  assert.deepEqual(mergingParse('{"data": {"k": "1", "k": "2"}, "data": {"z": "x"}, "n": [1, {"a": []}], "n": 5}'), {
    data: { k: '2', z: 'x' },
    n: 5
  })
  assert.deepEqual(mergingParse('{"a":{"b":{"c":1}},"a":{"b":{"d":"}"}}}'), { a: { b: { c: 1, d: '}' } } })
})

test('values without repetition are parsed as JSON.parse does', () => {
  const text = JSON.stringify({ a: [1, -2.5e3, true, null, 'q"\\,:{}[]', { __proto__x: {} }], '': [], ü: '\u2028' })
  assert.deepEqual(mergingParse(text), JSON.parse(text))
  assert.equal((mergingParse('{"__proto__":{"polluted":1}}') as any).polluted, undefined)
})
