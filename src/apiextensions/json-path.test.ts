import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonPath } from './json-path.js'

const object = {
  spec: {
    'a.b': 1,
    size: 3,
    list: [
      { name: 'x', n: 1 },
      { name: 'y', n: 2 },
      { name: 'z', n: 3 }
    ],
    __proto__: undefined
  },
  status: {
    conditions: [
      { type: 'Other', status: 'False' },
      { type: 'Ready', status: 'True' }
    ]
  }
}

describe('JSONPath', () => {
  const cases: [string, unknown[]][] = [
    ['.spec.size', [3]],
    ['.spec.none.deeper', []],
    ['.spec.constructor', []],
    ["['spec']['size']", [3]],
    ['.spec.a\\.b', [1]],
    ['.spec.list[0].name', ['x']],
    ['.spec.list[-1].name', ['z']],
    ['.spec.list[*].name', ['x', 'y', 'z']],
    ['.spec.list[0:2].name', ['x', 'y']],
    ['.spec.list[::2].name', ['x', 'z']],
    ['.spec.list[0,2].name', ['x', 'z']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ['.spec.list[?(@.n >= 2)].name', ['y', 'z']],
    ['.spec.list[?(@.none)].name', []],
    ['..type', ['Other', 'Ready']]
  ]
  for (const [path, values] of cases) it(`finds ${path}`, () => assert.deepEqual(jsonPath(path)!(object), values))

  for (const path of ['.spec[', '.a[?(@.x==)]', 'x y', '.a]', '.a[0:2:0]'])
    it(`refuses ${path}`, () => assert.equal(jsonPath(path), undefined))
})
