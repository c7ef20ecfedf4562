import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { seeded } from '../../storage/testing/helpers.js'
import type { RequestContext } from '../request/context.js'
import { type BodyPieces, type Response, wholeBody } from '../request/message.js'
import { compressed } from './compress.js'
import { joinedBody } from './joined-body.js'

const context = (accept?: string) => ({ info: { isResourceRequest: true }, header: () => accept }) as unknown as RequestContext

/** Incompressible pieces of 256 KiB each, with counters of how many were requested and how many were released. */
function pieces(count: number) {
  const state = { made: 0, done: 0 }
  const random = seeded(1)
  const bytes = Buffer.from(Array.from({ length: 256 * 1024 }, () => random(256)))
  const body: BodyPieces = {
    length: count * bytes.length,
    next: () => (state.made++ < count ? { bytes, done: () => void state.done++ } : undefined)
  }
  return { body, state, bytes }
}

const answer = (body: Buffer | BodyPieces): Response => ({ status: 200, headers: {}, body })

test('a large answer is compressed only for clients that accept gzip', async () => {
  const items = Array.from({ length: 3000 }, (_, i) => Buffer.from(JSON.stringify({ name: `item-${i}`, pad: 'x'.repeat(100) })))
  const plain = await wholeBody(joinedBody('{"items":[', items))
  const { headers, body } = compressed(context('gzip, deflate'), answer(joinedBody('{"items":[', items)))
  assert.deepEqual(headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  assert.equal((body as BodyPieces).length, undefined)
  assert.ok(gunzipSync(await wholeBody(body!)).equals(plain))
  const whole = compressed(context('gzip'), answer(plain))
  assert.ok(gunzipSync(await wholeBody(whole.body!)).equals(plain))
  for (const accept of [undefined, 'deflate', 'gzip;q=1']) {
    const response = answer(plain)
    assert.equal(compressed(context(accept), response), response)
  }
  const small = answer(Buffer.alloc(128 * 1024))
  assert.equal(compressed(context('gzip'), small), small)
})

test('compresses no further ahead than the client reads', async () => {
  const { body, state, bytes } = pieces(100)
  const packed = compressed(context('gzip'), answer(body)).body as BodyPieces
  assert.equal(state.made, 0)
  const first = await packed.next()
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  assert.ok(state.made <= 3, `${state.made} pieces were made for a client that took one chunk`)
  const rest = [first!.bytes]
  for (let piece = await packed.next(); piece; piece = await packed.next()) rest.push(piece.bytes)
  assert.equal(gunzipSync(Buffer.concat(rest)).length, 100 * bytes.length)
  assert.equal(state.done, 100)
})

test('a client that disconnects ends the compression, and every piece is released', async () => {
  const { body, state } = pieces(100)
  const packed = compressed(context('gzip'), answer(body)).body as BodyPieces
  await packed.next()
  packed.close!()
  while (state.done < state.made) await new Promise(setImmediate)
  const { made } = state
  await assert.rejects(async () => {
    while (await packed.next()) {
      // reads the chunks that were compressed before
    }
    throw new Error('ended')
  })
  assert.equal(state.made, made)
})
