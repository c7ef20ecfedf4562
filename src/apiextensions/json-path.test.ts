import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonPath, newBudget } from './json-path.js'

const object = {
  spec: {
    'a.b': 1,
    size: 3,
    list: [
      { name: 'x', n: 1 },
      { name: 'y', n: 2 },
      { name: 'z', n: 3, last: true }
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
  const cases: [string, unknown][] = [
    ['.spec.size', 3],
    ['.spec.none.deeper', undefined],
    ['.spec.constructor', undefined],
    ["['spec']['size']", 3],
    ['.spec.a\\.b', 1],
    ['.spec.list[0].name', 'x'],
    ['.spec.list[-1].name', 'z'],
    ['.spec.list[*].name', 'x'],
    ['.spec.list[*].last', true],
    ['.spec.list[0:2].name', 'x'],
    ['.spec.list[1:].name', 'y'],
    ['.spec.list[0:2].last', undefined],
    ['.spec.list[::2].last', true],
    ['.spec.list[1::2].last', undefined],
    ['.spec.list[0,2].last', true],
    ['.spec.list[0,1].last', undefined],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    ['.spec.list[?(@.n >= 2)].name', 'y'],
    ['.spec.list[?(@.none)].name', undefined],
    ['.spec.list[?(@.n == $.spec.size)].name', 'z'],
    ['..type', 'Other'],
    ['..conditions..status', 'False'],
    ['.spec.size..', 3]
  ]
  for (const [path, value] of cases) it(`finds ${path}`, () => assert.deepEqual(jsonPath(path)!(object), value))

  it('gives up where there are more ways than can be tried', () => {
    let deep: object = {}
    for (let i = 0; i < 200; i++) deep = { a: deep }
    const budget = newBudget()
    assert.equal(jsonPath(`${'..a'.repeat(30)}.b`)!(deep, budget), undefined)
    assert.ok(budget.left <= 0)
    assert.deepEqual(jsonPath('..a')!(deep, newBudget()), (deep as { a: object }).a)
  })

  for (const path of ['.spec[', '.a[?(@.x==)]', 'x y', '.a]', '.a[0:2:0]'])
    it(`refuses ${path}`, () => assert.equal(jsonPath(path), undefined))
})
