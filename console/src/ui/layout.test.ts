import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layered } from './layout.js'

test('owners stand left of what belongs to them, in its middle', () => {
  const spots = layered(
    ['d', 'r', 'a', 'b', 'c'],
    [
      ['d', 'r'],
      ['r', 'a'],
      ['r', 'b'],
      ['r', 'c']
    ]
  )
  assert.deepEqual(spots.get('d'), { column: 0, row: 1 })
  assert.deepEqual(spots.get('r'), { column: 1, row: 1 })
  assert.deepEqual(
    [...'abc'].map(node => spots.get(node)),
    [0, 1, 2].map(row => ({ column: 2, row }))
  )
})

test('what two own stands once, right of both, and no two nodes share a spot', () => {
  const spots = layered(
    ['x', 'y', 'z'],
    [
      ['x', 'z'],
      ['y', 'z'],
      ['x', 'y']
    ]
  )
  assert.equal(spots.get('z')!.column, 2)
  assert.equal(new Set([...spots.values()].map(spot => JSON.stringify(spot))).size, 3)
})

test('a circle ends', () => {
  assert.equal(
    layered(
      ['x', 'y'],
      [
        ['x', 'y'],
        ['y', 'x']
      ]
    ).size,
    2
  )
  assert.equal(layered(['x'], [['x', 'x']]).size, 1)
})
