import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threeWay } from './three-way.js'
import { valuesOf, withChanges } from './yaml-text.js'

const merged = (base: unknown, mine: unknown, theirs: unknown) => threeWay(base, mine, theirs)

test('joins changes of different fields', () => {
  const { changes, conflicts } = merged({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 })
  assert.deepEqual(changes, [{ path: ['a'], value: 2 }])
  assert.deepEqual(conflicts, [])
})

test('finds fields that both changed, and not those that both changed alike', () => {
  const { conflicts } = merged({ a: 1, b: 1 }, { a: 2, b: 5 }, { a: 3, b: 5 })
  assert.deepEqual(conflicts, [{ path: ['a'], base: 1, mine: 2, theirs: 3 }])
})

test('a field that one removed and the other changed is a conflict', () => {
  const { conflicts } = merged({ a: { b: 1 } }, { a: {} }, { a: { b: 2 } })
  assert.deepEqual(conflicts, [{ path: ['a', 'b'], base: 1, mine: undefined, theirs: 2 }])
})

test('compares lists item by item where names tell them apart, and else as a whole', () => {
  const list = (image: string, tag: string) => ({
    list: [
      { name: 'a', image },
      { name: 'b', tag }
    ]
  })
  const { changes, conflicts } = merged(list('1', '1'), list('2', '1'), list('1', '2'))
  assert.deepEqual(changes, [{ path: ['list', 0, 'image'], value: '2' }])
  assert.deepEqual(conflicts, [])
  assert.deepEqual(merged({ l: [1, 2] }, { l: [1, 3] }, { l: [1, 2] }).changes, [{ path: ['l'], value: [1, 3] }])
  assert.equal(merged({ l: [1, 2] }, { l: [1, 3] }, { l: [2] }).conflicts.length, 1)
})

test('leaves versions to the server, and takes keys such as __proto__ as keys', () => {
  const object = (version: string, data: string) => JSON.parse(`{"metadata":{"resourceVersion":"${version}"},"data":${data}}`)
  const { changes, conflicts } = merged(object('1', '{}'), object('1', '{"__proto__":"x"}'), object('2', '{}'))
  assert.deepEqual(changes, [{ path: ['data', '__proto__'], value: 'x' }])
  assert.deepEqual(conflicts, [])
})

test('a merged text keeps comments, quotes and integers of 64 bits of the other side', () => {
  const base = 'a: 1\nbig: 9007199254740993\non: "yes"\n'
  const theirs = '# theirs\na: 1\nbig: 9007199254740993\non: "no"\n'
  const { changes } = threeWay(valuesOf(base), valuesOf(base.replace('a: 1', 'a: 2')), valuesOf(theirs))
  assert.equal(withChanges(theirs, changes), '# theirs\na: 2\nbig: 9007199254740993\non: "no"\n')
})
