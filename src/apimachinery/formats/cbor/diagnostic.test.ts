import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose } from './diagnostic.js'

test('tags are written, however deep they stand in each other', () => {
  assert.equal(diagnose(Buffer.from('82c10102', 'hex')), '[1(1), 2]')
  const depth = 1_000_000
  const text = diagnose(Buffer.concat([Buffer.alloc(depth, 0xc6), Buffer.from([0])]))
  assert.equal(text, `${'6('.repeat(depth)}0${')'.repeat(depth)}`)
})
