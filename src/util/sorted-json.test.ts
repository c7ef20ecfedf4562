import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxJsonDepth } from './json.js'
import { sortedJson } from './sorted-json.js'

test('keys are sorted by their bytes, numeric keys included', () => {
  const value = JSON.parse('{"b":[{"z":1,"a":null}],"10":1,"9":2,"é":3,"A":{}}')
  assert.equal(sortedJson(value), '{"10":1,"9":2,"A":{},"b":[{"a":null,"z":1}],"é":3}')
})

test('long integers keep their digits, and HTML is escaped', () => {
  assert.equal(sortedJson({ b: 2n ** 60n, a: '<&>' }), '{"a":"\\u003c\\u0026\\u003e","b":1152921504606846976}')
})

test('indents on request', () => {
  assert.equal(sortedJson({ b: [1, {}], a: [] }, true), '{\n  "a": [],\n  "b": [\n    1,\n    {}\n  ]\n}')
})

test('writes deep values', () => {
  const depth = maxJsonDepth
  const text = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  assert.equal(sortedJson(JSON.parse(text)), text)
})
