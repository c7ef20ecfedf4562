import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanJson } from './duplicate-keys.js'

test('reports each duplicate path once, in the order of the document', () => {
  const text = '{"metadata":{"labels":{"l":"1","l":"2"}},"data":{"k":"1","k":"2","k":"3"},"data":{"z":{"a":0,"a":1}}}'
  assert.deepEqual(scanJson(text).duplicates, ['metadata.labels.l', 'data.k', 'data', 'data.z.a'])
})

test('names list elements by index', () => {
  assert.deepEqual(scanJson('{"c":[{"n":"a"},{"n":"b","n":"c"}],"d":[[0,{"x":1,"x":1}]]}').duplicates, ['c[1].n', 'd[0][1].x'])
})

test('recognizes a key in different spellings', () => {
  assert.deepEqual(scanJson('{"a/b":1,"a\\/b":2,"\\u0063":3,"c":4}').duplicates, ['a/b', 'c'])
})

test('the same key in different objects, or in a string, is no duplicate', () => {
  assert.deepEqual(scanJson('{"a":{"a":[{"a":1},{"a":"{\\"a\\":1,\\"a\\":2}"}]},"k:{\\"a\\"}":{},"__proto__":1}').duplicates, [])
})

test('keys with equal hashes are distinguished', () => {
  assert.deepEqual(scanJson('{"Aa":1,"BB":2}').duplicates, [])
})

test('finds duplicates among many keys', () => {
  const keys = Array.from({ length: 100 }, (_, i) => `"key-${i}":${i}`)
  assert.deepEqual(scanJson(`{${keys.join(',')}}`).duplicates, [])
  assert.deepEqual(scanJson(`{${[...keys, '"key-3":0', '"key-99":0'].join(',')}}`).duplicates, ['key-3', 'key-99'])
})

test('measures depth', () => {
  assert.equal(scanJson('1').depth, 0)
  assert.equal(scanJson('{"a":[{}],"b":[]}').depth, 3)
  assert.equal(scanJson('['.repeat(100_000) + ']'.repeat(100_000)).depth, 100_000)
})
