import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneJson, equalJson, getKey, isDeeperThan, setKey } from './json.js'

test('__proto__ and constructor are ordinary keys', () => {
  const object = {}
  setKey(object, '__proto__', { polluted: true })
  assert.deepEqual(Object.keys(object), ['__proto__'])
  assert.equal(Object.getPrototypeOf(object), Object.prototype)
  assert.deepEqual(getKey(object, '__proto__'), { polluted: true })
  assert.equal(getKey({}, 'constructor'), undefined)
  assert.equal(getKey({}, '__proto__'), undefined)
})

test('a clone shares nothing and keeps odd keys', () => {
  const original = JSON.parse('{"a":[{"__proto__":{"x":1}}],"n":null}')
  const copy = cloneJson(original)
  assert.equal(JSON.stringify(copy), JSON.stringify(original))
  assert.notEqual(copy.a[0], original.a[0])
})

test('equality ignores the order of keys and distinguishes lists, maps and null', () => {
  assert.ok(equalJson({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] }))
  for (const [a, b] of [
    [{}, []],
    [{ a: 1 }, { a: 1, b: 2 }],
    [
      { a: undefined, b: 1 },
      { c: 1, b: 1 }
    ],
    [{}, null],
    [
      [1, 2],
      [2, 1]
    ],
    ['1', 1],
    [{ toString: 1 }, { x: 1 }]
  ]) {
    assert.ok(!equalJson(a, b), JSON.stringify([a, b]))
  }
})

test('depth is measured without recursion', () => {
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
  assert.ok(isDeeperThan(deep, 49_999))
  assert.ok(!isDeeperThan(deep, 50_000))
  assert.ok(!isDeeperThan('text', 0))
})
