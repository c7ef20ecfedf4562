/** Frames of a kubelet that hopes to confuse the server, and a strict reading of them. */
import { pick, type Random } from '../../../testkit/random.js'
import { controlFrame, dataHeader, finFlag, frameTypes, HeaderBlocks, words } from '../frames.js'

/** What must become of a stream. Where it fails, its content may be cut off. */
export interface StreamOutcome {
  readonly content: string
  readonly ends: boolean
}

export interface SpdyReading {
  readonly streams: ReadonlyMap<number, StreamOutcome>
  /** The frames that are answered, as hex. */
  readonly answers: readonly string[]
  readonly isRefused: boolean
}

const contents = ['', 'x', '{"status":"Success"}', '\0\xff', 'x'.repeat(5000), '\x80\x03\0\x02\0\0\0\0']

/** Makes frames for the streams that the server has opened. */
export function hostileFrames(next: Random, opened: readonly number[]): Buffer {
  const blocks = new HeaderBlocks()
  const frames: Buffer[] = []
  const anyStream = () => (next(12) === 0 ? pick(next, [0, 2, 9, 99, 0x7fffffff]) : pick(next, opened))
  const flags = () => pick(next, [0, 0, 0, 0, 0, finFlag, 2, 0xff])
  const control = (type: number, payload: Buffer, given = flags()) => void frames.push(controlFrame(type, given, payload))
  const reply = (id: number, given = flags()) =>
    control(frameTypes.synReply, Buffer.concat([words(id), blocks.write({ a: 'b' })]), given)
  for (const id of opened) if (next(5) > 0) reply(id, 0)
  for (let left = 1 + next(20); left > 0; left--)
    switch (next(12)) {
      case 0:
        reply(anyStream())
        break
      case 1:
        control(frameTypes.rstStream, words(anyStream(), next(9)))
        break
      case 2:
        control(frameTypes.ping, words(1 + next(8)))
        break
      case 3:
        control(frameTypes.headers, Buffer.concat([words(anyStream()), blocks.write({})]))
        break
      case 4:
        hostile(next, frames, anyStream())
        break
      default: {
        const bytes = Buffer.from(pick(next, contents), 'latin1')
        frames.push(dataHeader(next(40) === 0 ? 0 : anyStream() || 1, flags(), bytes.length), bytes)
      }
    }
  const bytes = Buffer.concat(frames)
  if (next(6) === 0) bytes[next(bytes.length)]! ^= 1 << next(8)
  return next(6) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes
}

function hostile(next: Random, frames: Buffer[], id: number): void {
  const odd: (() => Buffer)[] = [
    () => controlFrame(frameTypes.synStream, 0, words(2 + 2 * next(5), 0)),
    () => controlFrame(frameTypes.settings, 0, words(1, 0x04000000, 100)),
    () => controlFrame(frameTypes.windowUpdate, 0, words(id, 0x7fffffff)),
    () => controlFrame(frameTypes.goAway, 0, words(id, 0)),
    () => controlFrame(pick(next, [0, 5, 7, 10, 0xffff]), 0, words(id)),
    () => controlFrame(frameTypes.ping, 0, Buffer.alloc(next(4))),
    () => controlFrame(frameTypes.headers, 0, Buffer.alloc(60_000)),
    () => controlFrame(frameTypes.headers, 0, Buffer.alloc(70_000)),
    () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    () => Buffer.concat([Buffer.from([0x80, pick(next, [0, 2, 4]), 0, 6, 0, 0, 0, 4]), words(1)]),
    () => dataHeader(id || 1, finFlag, 0xffffff)
  ]
  frames.push(pick(next, odd)())
}

/** Reads all bytes at once, frame by frame. */
export function readSpdy(bytes: Buffer, opened: readonly number[]): SpdyReading {
  const streams = new Map(opened.map(id => [id, { content: '', ends: false, isAccepted: false, isOpen: true, isRemoved: false }]))
  const answers: string[] = []
  const end = (id: number) => {
    const stream = streams.get(id)
    if (!stream?.isAccepted || !stream.isOpen) return
    stream.ends = true
    stream.isOpen = false
  }
  const isRead = (): boolean => {
    for (let at = 0; at < bytes.length; ) {
      if (bytes.length - at < 8) return true
      const [first, second] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      const [flags, length] = [second >>> 24, second % 2 ** 24]
      const isControl = first >= 2 ** 31
      if (!isControl && first === 0) return false
      if (isControl && (Math.floor(first / 65536) !== 0x8003 || length > 65536)) return false
      const payload = bytes.subarray(at + 8, at + 8 + length)
      at += 8 + length
      if (!isControl) {
        const stream = streams.get(first)
        if (stream?.isAccepted && stream.isOpen && !stream.isRemoved) stream.content += payload.toString('latin1')
        if (payload.length === length && flags % 2 === 1) end(first)
        continue
      }
      if (payload.length < length) return true
      const type = first % 65536
      if (![1, 2, 3, 4, 6, 7, 8, 9].includes(type) || length < 4) return false
      const id = payload.readUInt32BE(0) % 2 ** 31
      const stream = streams.get(id)
      if (type === 1) answers.push(`reset ${id}`)
      if (type === 6 && id % 2 === 0) answers.push(`ping ${id}`)
      if (type === 2 && stream && !stream.isRemoved) stream.isAccepted = true
      if ((type === 2 || type === 8) && flags % 2 === 1 && !stream?.isRemoved) end(id)
      if (type === 3 && stream && !stream.isRemoved) {
        end(id)
        stream.isRemoved = true
        stream.isOpen = false
      }
    }
    return true
  }
  const isRefused = !isRead()
  return { streams, answers, isRefused }
}
