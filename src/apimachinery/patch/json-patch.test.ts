import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../util/json.js'
import { applyJsonPatch, applyJsonPatchInTurns } from './json-patch.js'
import { openedJson } from './opened-json.js'
import { PatchError } from './patch-error.js'

const document = { data: { a: '1', 'x/y': '2', 't~u': '3' }, list: ['one', 'two'], empty: null }

function apply(...operations: JsonObject[]): any {
  return applyJsonPatch(document, operations)
}

function isRejected(error: unknown): boolean {
  assert.ok(error instanceof PatchError)
  assert.equal(error.code, 422)
  assert.equal(error.message, 'the server rejected our request due to an error in our request')
  assert.deepEqual(error.details, {})
  return true
}

test('adds, replaces, moves, copies and removes', () => {
  const patched = apply(
    { op: 'add', path: '/data/b', value: { c: [] } },
    { op: 'add', path: '/data/b/c/-', value: 'x' },
    { op: 'copy', from: '/data/b', path: '/copied' },
    { op: 'move', from: '/data/a', path: '/moved' },
    { op: 'replace', path: '/data/b/c/0', value: 'y' },
    { op: 'remove', path: '/empty' }
  )
  assert.deepEqual(patched, {
    data: { 'x/y': '2', 't~u': '3', b: { c: ['y'] } },
    list: ['one', 'two'],
    copied: { c: ['x'] },
    moved: '1'
  })
})

test('changes neither the document nor the patch', () => {
  const value = { a: 1 }
  const before = structuredClone(document)
  apply({ op: 'add', path: '/new', value }, { op: 'add', path: '/new/b', value: 2 }, { op: 'remove', path: '/list/0' })
  assert.deepEqual(document, before)
  assert.deepEqual(value, { a: 1 })
})

test('lists accept indexes, "-" for the end, and negative indexes', () => {
  const list = (...operations: JsonObject[]) => apply(...operations).list
  assert.deepEqual(list({ op: 'add', path: '/list/1', value: 'x' }), ['one', 'x', 'two'])
  assert.deepEqual(list({ op: 'add', path: '/list/2', value: 'x' }), ['one', 'two', 'x'])
  assert.deepEqual(list({ op: 'add', path: '/list/-1', value: 'x' }), ['one', 'two', 'x'])
  assert.deepEqual(list({ op: 'remove', path: '/list/-2' }), ['two'])
  assert.deepEqual(list({ op: 'replace', path: '/list/01', value: 'x' }), ['one', 'x'])
})

test('is lenient where the original is', () => {
  assert.equal(apply({ op: 'replace', path: '/data/none', value: 'x' }).data.none, 'x')
  assert.equal(apply({ op: 'add', path: '/data/none' }).data.none, null)
  assert.equal(apply({ op: 'copy', from: '/data/none', path: '/data/c' }).data.c, null)
  assert.equal(apply({ op: 'add', path: 'ignored/data/c', value: 'x' }).data.c, 'x')
  apply({ op: 'test', path: '/data/none', value: null }, { op: 'test', path: '/empty' })
})

test('paths escape slash and tilde', () => {
  apply({ op: 'test', path: '/data/x~1y', value: '2' }, { op: 'test', path: '/data/t~0u', value: '3' })
  assert.equal(apply({ op: 'add', path: '/data/~01', value: 'x' }).data['~1'], 'x')
})

test('the whole document can be replaced and tested', () => {
  assert.deepEqual(apply({ op: 'replace', path: '', value: { a: 1 } }, { op: 'test', path: '', value: { a: 1 } }), { a: 1 })
})

const rejected: JsonObject[] = [
  { op: 'remove', path: '/data/none' },
  { op: 'move', from: '/data/none', path: '/data/c' },
  { op: 'add', path: '/none/c', value: 1 },
  { op: 'add', path: '/data/a/c', value: 1 },
  { op: 'add', path: '/empty/c', value: 1 },
  { op: 'add', path: 'data', value: 1 },
  { op: 'add', path: '', value: 1 },
  { op: 'remove', path: '' },
  { op: 'replace', path: '', value: 'text' },
  { op: 'add', path: '/list/3', value: 1 },
  { op: 'add', path: '/list/-4', value: 1 },
  { op: 'add', path: '/list/x', value: 1 },
  { op: 'remove', path: '/list/-' },
  { op: 'replace', path: '/list/2', value: 1 },
  { op: 'test', path: '/data', value: { a: '1' } },
  { op: 'test', path: '/data/a', value: null },
  { op: 'test', path: '/constructor', value: {} },
  { op: 'add', path: '/constructor/prototype/polluted', value: 1 },
  { op: 'add', path: '/__proto__/polluted', value: 1 },
  { op: 'add', path: 5, value: 1 },
  { op: 'frob', path: '/data/a' },
  { path: '/data/a' },
  {}
]

for (const operation of rejected) {
  test(`rejects ${JSON.stringify(operation)}`, () => assert.throws(() => apply(operation), isRejected))
}

test('__proto__ is an ordinary key', () => {
  const patched = apply({ op: 'add', path: '/__proto__', value: { a: 1 } }, { op: 'add', path: '/__proto__/b', value: 2 })
  assert.equal(JSON.stringify(patched).includes('"__proto__":{"a":1,"b":2}'), true)
  assert.equal(({} as JsonObject).a, undefined)
})

test('copies cannot inflate a document', () => {
  const double = (n: number) => Array.from({ length: n }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/k${i}` }))
  assert.throws(() => apply(...double(40)), isRejected)
  apply(...double(10))
})

test('moves cannot nest a document too deeply', () => {
  const nest = Array.from({ length: 3000 }, (_, i) => [
    { op: 'add', path: `/k${i + 1}`, value: {} },
    { op: 'move', from: `/k${i}`, path: `/k${i + 1}/k` }
  ]).flat()
  assert.throws(() => apply({ op: 'add', path: '/k0', value: {} }, ...nest), isRejected)
})

test('writes the patched document with sorted keys in the objects that the patch opened', () => {
  const opened = new Set<object>()
  const patched = applyJsonPatch(
    { kind: 'K', data: { z: '<', b: '1' }, apart: { z: 1, a: 2 } },
    [{ op: 'add', path: '/data/a', value: 7 }],
    opened
  )
  assert.equal(openedJson(patched, opened), '{"apart":{"z":1,"a":2},"data":{"a":7,"b":"1","z":"\\u003c"},"kind":"K"}')
})

test('gives turns to others while it goes through thousands of operations', async () => {
  const list = { l: Array.from({ length: 300_000 }, (_, i) => i) }
  const operations = Array.from({ length: 10_000 }, (_, i) => ({ op: 'add', path: '/l/150000', value: i }))
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  const patched = await applyJsonPatchInTurns(list, operations)
  done = true
  assert.ok(turns > 2)
  assert.deepEqual(patched, applyJsonPatch(list, operations))
  await assert.rejects(applyJsonPatchInTurns(list, [{ op: 'remove', path: '/none' }]), isRejected)
})

test('compares values as Go writes them', () => {
  const passes = (value: string) => {
    const source = `[{"op":"test","path":"/v","value":${value}}]`
    try {
      return Boolean(applyJsonPatch({ v: 'é & b' }, JSON.parse(source), undefined, source))
    } catch {
      return false
    }
  }
  assert.equal(passes('"é \\u0026 b"'), true)
  assert.equal(passes('"é & b"'), false)
  assert.equal(passes('"\\u00e9 \\u0026 b"'), false)
})
