/** Sends frames of a hostile kubelet to a connection, and compares what its streams get with a strict reading of the same bytes. */
import { OtherEnd, turns } from '../../../testkit/other-end.js'
import { random } from '../../../testkit/random.js'
import { SpdyConnection } from '../connection.js'
import { FrameReader, frameTypes } from '../frames.js'
import { hostileFrames, readSpdy } from './hostile-spdy.js'

/** Returns what is wrong with how the bytes of a seed are understood; undefined when nothing is. */
export async function spdyProblem(seed: number): Promise<string | undefined> {
  const next = random(seed)
  const kubelet = new OtherEnd()
  const connection = new SpdyConnection(kubelet)
  const streams = ['error', 'stdin', 'stdout'].map(streamtype => connection.open({ streamtype }))
  const got = new Map(streams.map(({ id }) => [id, { content: '', ends: false, failed: false }]))
  for (const stream of streams) {
    const seen = got.get(stream.id)!
    stream.on('data', (piece: Buffer) => {
      seen.content += piece.toString('latin1')
      if (next(4) > 0) return
      stream.pause()
      setImmediate(() => stream.resume())
    })
    stream.once('end', () => {
      seen.ends = true
    })
    stream.once('error', () => {
      seen.failed = true
    })
  }
  const opened = streams.map(({ id }) => id)
  const bytes = hostileFrames(next, opened)
  const expected = readSpdy(bytes, opened)
  kubelet.sendInPieces(next, bytes)
  await turns(30)
  const wasClosed = kubelet.destroyed
  kubelet.destroy()
  await turns(10)
  const answers: string[] = []
  new FrameReader({
    data() {},
    finished() {},
    control(type, _, payload) {
      const id = payload.readUInt32BE(0)
      if (type === frameTypes.rstStream) answers.push(`reset ${id}`)
      if (type === frameTypes.ping) answers.push(`ping ${id}`)
    }
  }).push(Buffer.concat(kubelet.received))
  const problem = (what: string) => `SPDY, seed ${seed}: ${what}\n${bytes.toString('hex').slice(0, 2000)}`
  if (wasClosed !== expected.isRefused) return problem(wasClosed ? 'the connection was closed' : 'the connection was not closed')
  if (!wasClosed && answers.join() !== expected.answers.join()) return problem(`answered ${answers}, not ${expected.answers}`)
  for (const [id, { content, ends, failed }] of got) {
    const { content: whole, ends: mustEnd } = expected.streams.get(id)!
    if (mustEnd && !(ends && content === whole)) return problem(`the stream ${id} got ${content.length} of ${whole.length}`)
    if (!mustEnd && (ends || !failed)) return problem(`the stream ${id} did not fail`)
    if (!whole.startsWith(content)) return problem(`the stream ${id} has other bytes than were sent`)
  }
  return undefined
}
