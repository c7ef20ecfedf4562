import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growingPercent } from './heap-growth.js'

const MiB = 1 << 20

test('a small heap may hold 24 MiB of garbage, a large one a quarter', () => {
  assert.equal(growingPercent(12 * MiB, 0), 200)
  assert.equal(growingPercent(24 * MiB, 64 * MiB), 100)
  assert.equal(growingPercent(96 * MiB, 0), 25)
  assert.equal(growingPercent(960 * MiB, 0), 25)
})

test('while large answers are on their way, a small heap may hold a quarter, too', () => {
  assert.equal(growingPercent(12 * MiB, 65 * MiB), 25)
})
