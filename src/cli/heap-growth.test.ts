import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growingPercent } from './heap-growth.js'

test('a small heap may hold 24 MiB of garbage, a large one a quarter', () => {
  assert.equal(growingPercent(12 << 20), 200)
  assert.equal(growingPercent(24 << 20), 100)
  assert.equal(growingPercent(96 << 20), 25)
  assert.equal(growingPercent(960 << 20), 25)
})
