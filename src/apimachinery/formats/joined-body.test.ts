import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeBody } from '../request/message.js'
import { joinedBody } from './joined-body.js'

const items = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, i) => Buffer.from(JSON.stringify(String(i).padStart(bytes, 'x'))))

for (const [count, bytes] of [
  [0, 0],
  [1, 10],
  [3, 5],
  [2000, 700],
  [5, 300_000]
] as const) {
  test(`${count} items of ${bytes} bytes are joined to valid JSON of the announced length`, async () => {
    const list = items(count, bytes)
    const body = joinedBody('{"items":[', list)
    const whole = await wholeBody(body)
    assert.equal(whole.length, body.length)
    assert.deepEqual(
      JSON.parse(whole.toString()).items,
      list.map(item => JSON.parse(item.toString()))
    )
  })
}

test('pieces that are still being sent are not overwritten', async () => {
  const first = joinedBody('{"items":[', items(1500, 300))
  const pieces = []
  for (let piece = first.next(); piece; piece = first.next()) pieces.push(piece)
  const expected = Buffer.concat(pieces.map(p => p.bytes)).toString()
  await wholeBody(joinedBody('{"items":[', items(3000, 299)))
  assert.equal(Buffer.concat(pieces.map(p => p.bytes)).toString(), expected)
})
