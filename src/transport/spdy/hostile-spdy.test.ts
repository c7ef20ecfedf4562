import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../testkit/random.js'
import { controlFrame, dataHeader, FrameReader, frameTypes } from './frames.js'
import { spdyProblem } from './testing/hostile-spdy-run.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(300)

test('frames of a hostile kubelet are understood as by a strict reader, and end all streams', async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = await spdyProblem(seed)
    if (problem) assert.fail(problem)
  }
})

test('frames that come byte by byte are whole', () => {
  const large = controlFrame(frameTypes.headers, 0, Buffer.alloc(65_536, 1))
  const bytes = Buffer.concat([large, dataHeader(1, 1, 3), Buffer.from('abc')])
  const seen: unknown[] = []
  const reader = new FrameReader({
    data: (stream, piece) => seen.push([stream, piece.toString()]),
    finished: stream => seen.push(stream),
    control: (type, flags, payload) => seen.push([type, flags, payload.length, payload.every(byte => byte === 1)])
  })
  for (let at = 0; at < bytes.length; at++) reader.push(bytes.subarray(at, at + 1))
  assert.deepEqual(seen, [[frameTypes.headers, 0, 65_536, true], [1, 'a'], [1, 'b'], [1, 'c'], 1])
})
