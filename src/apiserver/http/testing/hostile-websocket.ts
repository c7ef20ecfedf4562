/** Frames of a WebSocket client that hopes to confuse the server, and a strict reading of them (RFC 6455). */
import { OtherEnd, turns } from '../../../testkit/other-end.js'
import { pick, type Random, random } from '../../../testkit/random.js'
import { answerOverWebSocket } from '../websocket.js'

interface Frame {
  readonly fin: boolean
  readonly rsv: number
  readonly opcode: number
  readonly isMasked: boolean
  readonly payload: Buffer
}

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
const usually = <T>(next: Random, usual: T, others: readonly T[]): T => (next(25) === 0 ? pick(next, others) : usual)
const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const payloads = [
  '',
  'x',
  '\0a',
  '\xff\0',
  'x'.repeat(125),
  'x'.repeat(126),
  'x'.repeat(70_000),
  '{"Width":1}',
  '\xf0\x9f',
  '\xf0\x9f\x98\x80'
]
const closes = [
  '',
  '\x03\xe8',
  '\x03\xe8bye',
  '\x03',
  '\0\0',
  '\x03\xed',
  '\x03\xe8\xff',
  '\x0b\xb8',
  '\x13\x88',
  '\x03\xe7',
  '\x07\xd0'
]

/** Writes a frame; its length may take more bytes than it needs, or be another one. */
function written(next: Random, { fin, rsv, opcode, isMasked, payload }: Frame): Buffer {
  const length = usually(next, payload.length, [payload.length + 1, 2 ** 31, 5 * 1024 * 1024])
  const isLong = length > 65_535 || next(60) === 0
  const isMiddle = !isLong && (length > 125 || next(60) === 0)
  const size = isLong ? Buffer.alloc(8) : isMiddle ? Buffer.alloc(2) : Buffer.alloc(0)
  if (isLong) size.writeBigUInt64BE(BigInt(length))
  else if (isMiddle) size.writeUInt16BE(length)
  const mask = Buffer.from([next(256), next(256), next(256), next(256)])
  const head = Buffer.from([
    (fin ? 0x80 : 0) | (rsv << 4) | opcode,
    (isMasked ? 0x80 : 0) | (isLong ? 127 : isMiddle ? 126 : length)
  ])
  if (!isMasked) return Buffer.concat([head, size, payload])
  return Buffer.concat([head, size, mask, payload.map((byte, i) => byte ^ mask[i % 4]!)])
}

function hostileFrames(next: Random): Buffer {
  const frames: Buffer[] = []
  let isInside = false
  for (let left = 1 + next(12); left > 0; left--) {
    const kind = next(10)
    const isControl = kind < 3
    const isClose = kind === 0 && next(3) === 0
    const usual = isClose
      ? opcodes.close
      : isControl
        ? pick(next, [opcodes.ping, opcodes.pong])
        : isInside
          ? opcodes.continuation
          : pick(next, [opcodes.text, opcodes.binary, opcodes.binary])
    const opcode = usually<number>(next, usual, [0, 1, 2, 3, 7, 8, 11, 15])
    const fin = isControl ? usually(next, true, [false]) : next(3) > 0
    const text = isClose ? pick(next, closes) : isControl ? pick(next, payloads.slice(0, 5)) : pick(next, payloads)
    const payload = bytesOf(text)
    frames.push(written(next, { fin, rsv: usually(next, 0, [1, 2, 4]), opcode, isMasked: usually(next, true, [false]), payload }))
    if (!isControl) isInside = !fin
  }
  const bytes = Buffer.concat(frames)
  return next(8) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes
}

interface Reading {
  /** Texts begin with `text:`, others with `bytes:`. */
  readonly messages: readonly string[]
  readonly pings: readonly string[]
  readonly end: 'open' | 'closed' | 'refused'
}

const shownMessage = (isText: boolean, bytes: Buffer) => `${isText ? 'text' : 'bytes'}:${bytes.toString('base64')}`
const isUtf8 = (bytes: Buffer) => Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)
const isCloseCode = (code: number) =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code < 5000)

/** Reads all bytes at once. */
function strictReading(bytes: Buffer, maxBytes: number): Reading {
  const messages: string[] = []
  const pings: string[] = []
  let begun: { readonly isText: boolean; readonly parts: Buffer[] } | undefined
  const ended = (end: Reading['end']): Reading => ({ messages, pings, end })
  for (let at = 0; ; ) {
    const rest = bytes.subarray(at)
    if (rest.length < 2) return ended('open')
    const [first, second] = [rest[0]!, rest[1]!]
    const [fin, opcode, short] = [first >= 128, first % 16, second % 128]
    const isControl = opcode >= 8
    if ((first >> 4) % 8 !== 0 || ![0, 1, 2, 8, 9, 10].includes(opcode)) return ended('refused')
    if (isControl ? !fin || short > 125 : (opcode === 0) !== (begun !== undefined)) return ended('refused')
    if (second < 128 || (opcode === opcodes.close && short === 1)) return ended('refused')
    const start = short === 127 ? 10 : short === 126 ? 4 : 2
    if (rest.length < start) return ended('open')
    const length = short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short
    const before = begun?.parts.reduce((sum, part) => sum + part.length, 0) ?? 0
    if (!isControl && before + length > maxBytes) return ended('refused')
    if (rest.length < start + 4 + length) return ended('open')
    const mask = rest.subarray(start, start + 4)
    const payload = Buffer.from(rest.subarray(start + 4, start + 4 + length).map((byte, i) => byte ^ mask[i % 4]!))
    at += start + 4 + length
    if (opcode === opcodes.close) {
      const isSound = length === 0 || (isCloseCode(payload.readUInt16BE(0)) && isUtf8(payload.subarray(2)))
      return ended(isSound ? 'closed' : 'refused')
    }
    if (opcode === opcodes.ping) pings.push(payload.toString('base64'))
    if (isControl) continue
    begun ??= { isText: opcode === opcodes.text, parts: [] }
    begun.parts.push(payload)
    if (!fin) continue
    const message = Buffer.concat(begun.parts)
    if (begun.isText && !isUtf8(message)) return ended('refused')
    messages.push(shownMessage(begun.isText, message))
    begun = undefined
  }
}

/** Reads what the server has sent: never masked, nor in fragments. Throws for what it must not send. */
function readAnswers(bytes: Buffer): { pongs: string[]; closes: number } {
  const head = bytes.indexOf('\r\n\r\n') + 4
  if (!bytes.toString('latin1', 0, head).startsWith('HTTP/1.1 101 ')) throw new Error('no 101')
  const pongs: string[] = []
  let closes = 0
  for (let at = head; at < bytes.length; ) {
    const [first, second] = [bytes[at]!, bytes[at + 1]!]
    if (closes > 0 || second > 125) throw new Error('an odd frame')
    const payload = bytes.subarray(at + 2, at + 2 + second)
    at += 2 + second
    if (first === 0x8a) pongs.push(payload.toString('base64'))
    else if (first === 0x88) closes++
    else throw new Error(`the server sent a frame ${first.toString(16)}`)
  }
  return { pongs, closes }
}

const maxMessageBytes = 100_000

/** Returns what is wrong with how the frames of a seed are understood; undefined when nothing is. */
export async function webSocketProblem(seed: number): Promise<string | undefined> {
  const next = random(seed)
  const client = new OtherEnd()
  const messages: string[] = []
  const headers = { 'sec-websocket-key': 'AQIDBAUGBwgJCgsMDQ4PEA==', 'sec-websocket-version': '13' }
  const upgrade = {
    maxMessageBytes,
    open: (connection: NodeJS.ReadableStream) =>
      void connection.on('data', (message: Buffer | string) =>
        messages.push(shownMessage(typeof message === 'string', Buffer.from(message)))
      )
  }
  const asked = { method: 'GET', headers: { ...headers, upgrade: 'websocket' }, upgrade: 'websocket' }
  await answerOverWebSocket({ status: 101, headers: {}, upgrade } as never, asked, client, Buffer.alloc(0))
  const bytes = hostileFrames(next)
  const expected = strictReading(bytes, maxMessageBytes)
  client.sendInPieces(next, bytes)
  await turns(30)
  const sent = Buffer.concat(client.received)
  const isEnded = client.destroyed || client.writableEnded
  client.destroy()
  const problem = (what: string) => `WebSocket, seed ${seed}: ${what}\n${bytes.toString('hex').slice(0, 1000)}`
  try {
    const { pongs, closes } = readAnswers(sent)
    if (messages.join() !== expected.messages.join())
      return problem(`${messages.length} messages, not ${expected.messages.length}`)
    if (pongs.join() !== expected.pings.join()) return problem(`${pongs.length} pongs, not ${expected.pings.length}`)
    if (isEnded !== (expected.end !== 'open'))
      return problem(isEnded ? 'the connection was ended' : 'the connection was not ended')
    if (expected.end === 'closed' && closes !== 1) return problem('the close was not answered')
  } catch (error) {
    return problem((error as Error).message)
  }
  return undefined
}
