import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMergePatch } from './merge-patch.js'
import { openedJson } from './opened-json.js'

const document = { data: { a: '1', b: '2' }, list: [1, 2], text: 'x' }

test('merges objects, replaces other values, removes keys with null', () => {
  assert.deepEqual(applyMergePatch(document, { data: { a: null, c: '3', none: null }, list: [3], text: { y: 1 } }), {
    data: { b: '2', c: '3' },
    list: [3],
    text: { y: 1 }
  })
})

test('changes neither the document nor the patch', () => {
  const patch = { data: { a: null }, extra: { b: null, c: [{ d: null }] } }
  const before = structuredClone({ document, patch })
  applyMergePatch(document, patch)
  assert.deepEqual({ document, patch }, before)
})

test('nulls within new values are removed, except elements of a list', () => {
  assert.deepEqual(applyMergePatch(document, { extra: { a: null, b: [null, { c: null, d: 1 }] } }), {
    ...document,
    extra: { b: [null, { d: 1 }] }
  })
})

test('a list in place of an object keeps its nulls', () => {
  assert.deepEqual(applyMergePatch(document, { data: [{ a: null }] }), { ...document, data: [{ a: null }] })
  assert.deepEqual(applyMergePatch(document, { list: [{ a: null }] }), { ...document, list: [{}] })
})

test('__proto__ and constructor are ordinary keys', () => {
  const merged = applyMergePatch(document, JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}'))
  assert.equal(
    JSON.stringify(merged),
    JSON.stringify({ ...document, ['__proto__']: { x: 1 }, constructor: { prototype: { x: 1 } } })
  )
  assert.equal(({} as Record<string, unknown>).x, undefined)
})

test('an unchecked list replaces the document', () => {
  assert.deepEqual(applyMergePatch(document, [{ a: null, b: 1 }, null]), [{ b: 1 }, null])
})

test('writes the merged document with sorted keys in the objects that the patch opened', () => {
  const opened = new Set<object>()
  const merged = applyMergePatch({ z: { y: 1, x: 2 }, a: { c: 1, b: 2 } }, { z: { n: { q: 1, p: 2 } } }, opened)
  assert.equal(openedJson(merged, opened), '{"a":{"c":1,"b":2},"z":{"n":{"p":2,"q":1},"x":2,"y":1}}')
})
