import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlFrame, dataHeader, FrameReader, frameTypes } from './frames.js'

test('frames are read with one copy of each byte, in however small pieces they come', t => {
  let copied = 0
  const counted = (length: number) => {
    copied += length
  }
  const { concat, from } = Buffer
  const { copy } = Buffer.prototype
  const { set, slice } = Uint8Array.prototype
  t.mock.method(Buffer, 'concat', (...given: Parameters<typeof concat>) => {
    const whole = concat(...given)
    counted(whole.length)
    return whole
  })
  t.mock.method(Buffer, 'from', (...given: Parameters<typeof from>) => {
    const made = from(...given)
    counted(made.length)
    return made
  })
  t.mock.method(Buffer.prototype, 'copy', function (this: Buffer, ...given: Parameters<typeof copy>) {
    const taken = copy.apply(this, given)
    counted(taken)
    return taken
  })
  t.mock.method(Uint8Array.prototype, 'set', function (this: Uint8Array, ...given: Parameters<typeof set>) {
    counted(given[0].length)
    set.apply(this, given)
  })
  t.mock.method(Uint8Array.prototype, 'slice', function (this: Uint8Array, ...given: Parameters<typeof slice>) {
    const part = slice.apply(this, given)
    counted(part.length)
    return part
  })
  const bytes = concat([
    controlFrame(frameTypes.headers, 0, Buffer.alloc(60_000)),
    dataHeader(1, 0, 60_000),
    Buffer.alloc(60_000),
    controlFrame(frameTypes.ping, 0, Buffer.alloc(4))
  ])
  copied = 0
  let data = 0
  const controls: number[] = []
  const reader = new FrameReader({
    data: (_, piece) => {
      data += piece.length
    },
    finished() {},
    control: (type, _, payload) => void controls.push(type, payload.length)
  })
  for (let at = 0; at < bytes.length; at++) reader.push(bytes.subarray(at, at + 1))
  assert.deepEqual([data, controls], [60_000, [frameTypes.headers, 60_000, frameTypes.ping, 4]])
  assert.ok(copied <= bytes.length, `${copied} bytes were copied of ${bytes.length}`)
})
