import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editable, parseAll, pathText, valuesOf, yamlOf } from './yaml-text.js'

test('reads scalars as the server does: booleans of YAML 1.1, exact integers, and times as texts', () => {
  assert.deepEqual(
    valuesOf('a: on\nb: "on"\nc: 9007199254740993\nd: 2026-11-27T16:47:43Z\ne: 12:30\nf: 0o7\ng: 1.5\nh: 2026-11-27'),
    {
      a: true,
      b: 'on',
      c: 9007199254740993n,
      d: '2026-11-27T16:47:43Z',
      e: '12:30',
      f: '0o7',
      g: 1.5,
      h: '2026-11-27'
    }
  )
})

test('what it writes, it reads as the same', () => {
  const texts = [
    'on',
    'y',
    'n',
    '12:30',
    '1:2:3.5',
    '2026-11-27T16:47:43Z',
    '2026-11-27',
    '1_000',
    '0x1f',
    '.5',
    '~',
    '',
    ' x',
    'a: b',
    '- x',
    '1e3',
    '<<',
    '=',
    '\u0000',
    'a\nb\n',
    '190:20:30'
  ]
  for (const text of texts) assert.deepEqual(valuesOf(yamlOf({ text })), { text }, JSON.stringify(text))
  const value = { list: [1n, 1.5, true, null, { __proto__x: 'x' }], 'a.b/c': {} }
  assert.deepEqual(valuesOf(yamlOf(value)), value)
})

test('quotes what the server would not read as a text', () => {
  for (const text of ['on', 'yes', '12:30', '2026-11-27T16:47:43Z', '1_000', '0x1f', '010'])
    assert.match(yamlOf({ text }), /: ["']/, text)
})

test('editing shows no managedFields, and leaves the rest as it is written', () => {
  const text = 'metadata:\n  managedFields:\n    - manager: x\n  name: "a"\n# note\nspec: {}\n'
  assert.equal(editable(text), 'metadata:\n  name: "a"\n# note\nspec: {}\n')
})

test('reads several objects, and skips empty parts', () => {
  const all = parseAll('---\nkind: A\n---\n# nothing\n---\nkind: B\n')
  assert.deepEqual(
    all.map(({ object }) => object.kind),
    ['A', 'B']
  )
  assert.throws(() => parseAll('a: [\n'))
})

test('writes paths as errors of the server do', () => {
  assert.equal(pathText(['spec', 'containers', 0, 'image']), 'spec.containers[0].image')
  assert.equal(pathText(['metadata', 'labels', 'a.b/c']), 'metadata.labels[a.b/c]')
})
