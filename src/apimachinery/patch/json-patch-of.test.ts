import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pick, random } from '../../testkit/random.js'
import { cloneJson } from '../../util/json.js'
import { applyJsonPatch } from './json-patch.js'
import { jsonPatchOf } from './json-patch-of.js'

describe('the JSON Patch between two documents', () => {
  const cases: readonly [before: object, after: object, operations: object[]][] = [
    [{ a: 1 }, { a: 1 }, []],
    [
      { a: 1 },
      { a: 2, b: { c: [] } },
      [
        { op: 'replace', path: '/a', value: 2 },
        { op: 'add', path: '/b', value: { c: [] } }
      ]
    ],
    [
      { a: { 'x/y': 1, 'm~n': 2 } },
      { a: {} },
      [
        { op: 'remove', path: '/a/x~1y' },
        { op: 'remove', path: '/a/m~0n' }
      ]
    ],
    [
      { l: [1, 2, 3, 4] },
      { l: [1, 5] },
      [
        { op: 'replace', path: '/l/1', value: 5 },
        { op: 'remove', path: '/l/3' },
        { op: 'remove', path: '/l/2' }
      ]
    ],
    [
      { l: [] },
      { l: [1, { a: 1 }] },
      [
        { op: 'add', path: '/l/-', value: 1 },
        { op: 'add', path: '/l/-', value: { a: 1 } }
      ]
    ],
    [
      { a: 1, b: undefined },
      { a: undefined, b: null },
      [
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: null }
      ]
    ],
    [{ a: {} }, { a: [] }, [{ op: 'replace', path: '/a', value: [] }]],
    [
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":2}}'),
      [{ op: 'replace', path: '/__proto__/a', value: 2 }]
    ]
  ]
  for (const [before, after, operations] of cases)
    test(`of ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
      assert.deepEqual(jsonPatchOf(before, after), operations)
    })

  test('makes the second of the first', () => {
    const next = random(7)
    const value = (depth: number): unknown => {
      if (depth === 0 || next(3) === 0) return pick<unknown>(next, [0, 1, '', 'a', true, null])
      if (next(2) === 0) return Array.from({ length: next(4) }, () => value(depth - 1))
      return object(depth)
    }
    const object = (depth: number): Record<string, unknown> =>
      Object.fromEntries(Array.from({ length: next(4) }, () => [pick(next, ['a', 'b', 'c/d', 'e~f', '0']), value(depth - 1)]))
    for (let i = 0; i < 500; i++) {
      const [before, after] = [object(4), object(4)]
      assert.deepEqual(applyJsonPatch(cloneJson(before), jsonPatchOf(before, after) as never), after)
    }
  })
})
