/** Sends hostile bytes to the two engines, and compares what they understand with a strict reading of the same bytes. */
import type { IncomingRequest } from '../../../apimachinery/request/message.js'
import { OtherEnd } from '../../../testkit/other-end.js'
import { random } from '../../../testkit/random.js'
import { preface } from '../../../testkit/raw-http2.js'
import { connectionLimits } from '../connection-limits.js'
import { Connections } from '../connections.js'
import { createHttp1Server } from '../http1/server.js'
import { FrameReader, frame, frameType } from '../http2/frames.js'
import { createHttp2Server } from '../http2/server.js'
import { Turns } from '../turns.js'
import { hostileHttp1 } from './hostile-http1.js'
import { hostileStream } from './hostile-http2.js'
import { type Seen, seen, strictReading } from './strict-http1.js'

/** Turns of the event loop after which nothing more happens. */
const quietTurns = 40

/** Notes what the server understands. */
class Witness {
  readonly requests: Seen[] = []
  /** Counts what happens. */
  events = 0
  readonly handler = async (request: IncomingRequest) => {
    this.events++
    const { method, url } = request
    const body = await request.readBody(1 << 20)
    this.requests.push(seen(method, url, body))
    return { status: 200, headers: {}, body: Buffer.from('ok'), takeWithin: 60_000, ended: () => void this.events++ }
  }

  /** Waits until nothing has happened for some time. */
  async rest(client: OtherEnd): Promise<void> {
    let before = -1
    for (let quiet = 0; quiet < quietTurns && !client.destroyed; quiet++) {
      const now = this.events + client.received.length
      if (now !== before) quiet = 0
      before = now
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

const shown = (value: unknown) => JSON.stringify(value, undefined, 1)

/** Returns what is wrong with how the bytes of a seed are understood over HTTP/1.1; undefined when nothing is. */
export async function http1Problem(seed: number): Promise<string | undefined> {
  const next = random(seed)
  const bytes = hostileHttp1(next)
  const expected = strictReading(bytes)
  const witness = new Witness()
  const server = createHttp1Server(witness.handler, new Connections(connectionLimits), connectionLimits)
  const client = new OtherEnd()
  server.accept(client as never)
  client.sendInPieces(next, bytes)
  await witness.rest(client)
  const answers = Buffer.concat(client.received).toString('latin1')
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)]
    .map(([, status]) => Number(status))
    .filter(status => status !== 100)
  const isRefused = (statuses.at(-1) ?? 0) >= 400
  client.destroy()
  const problem = (what: string) =>
    `HTTP/1.1, seed ${seed}: ${what}\n${JSON.stringify(bytes.toString('latin1'))}\nexpected ${shown(expected)}\nunderstood ${shown(witness.requests)}`
  if (shown(witness.requests) !== shown(expected.requests)) return problem('other requests')
  if (expected.end === 'refused' && !isRefused) return problem(`not refused: ${statuses}`)
  if (expected.end === 'closed' && (isRefused || !client.writableEnded)) return problem(`not closed after ${statuses}`)
  if (statuses.length - (isRefused ? 1 : 0) !== expected.requests.length) return problem(`answered with ${statuses}`)
  return undefined
}

/** The same over HTTP/2. */
export async function http2Problem(seed: number): Promise<string | undefined> {
  const next = random(seed)
  const witness = new Witness()
  const connections = new Connections(connectionLimits)
  const server = createHttp2Server(witness.handler, connections, connectionLimits, new Turns())
  const client = new OtherEnd()
  server.accept(client as never)
  const streams = Array.from({ length: 1 + next(5) }, (_, i) => hostileStream(next, 2 * i + 1))
  client.sendInPieces(
    next,
    Buffer.concat([Buffer.from(preface), frame(frameType.settings, 0, 0, 0), ...streams.map(({ frames }) => frames)])
  )
  await witness.rest(client)
  const reset: number[] = []
  const answered: number[] = []
  new FrameReader().read(Buffer.concat(client.received), (type, _, stream) => {
    if (type === frameType.rstStream) reset.push(stream)
    if (type === frameType.headers) answered.push(stream)
  })
  client.destroy()
  const expected = streams.flatMap(({ reading }) => reading ?? [])
  const problem = (what: string) =>
    `HTTP/2, seed ${seed}: ${what}\n${streams.map(({ frames }) => JSON.stringify(frames.toString('latin1'))).join('\n')}\nexpected ${shown(expected)}\nunderstood ${shown(witness.requests)}`
  if (shown(witness.requests) !== shown(expected)) return problem('other requests')
  for (const { id, reading } of streams) {
    if (answered.includes(id) !== (reading !== undefined)) return problem(`the stream ${id} is ${reading ? 'not ' : ''}answered`)
    if (!reading && !reset.includes(id)) return problem(`the stream ${id} is not refused`)
  }
  return undefined
}
