import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from './shard-hash.js'

test('the hash is FNV-1a with 64 bits, of UTF-8', () => {
  const hex = (text: string) => {
    const { high, low } = hashOf(text)
    return [high, low].map(half => half.toString(16).padStart(8, '0')).join('')
  }
  assert.equal(hex(''), 'cbf29ce484222325')
  assert.equal(hex('a'), 'af63dc4c8601ec8c')
  assert.equal(hex('foobar'), '85944171f73967e8')
  const bytes = [...Buffer.from('kübe-😀')]
  const known = bytes.reduce((hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n)
  assert.equal(hex('kübe-😀'), known.toString(16).padStart(16, '0'))
})
