/** Sends requests of this server itself to other API servers, with its user in headers. */
import { addAbortSignal, Readable } from 'node:stream'
import { checkValueCount } from '../../apimachinery/formats/value-limit.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { exchange } from '../../transport/proxy/exchange.js'
import { userHeaders } from '../../transport/proxy/headers.js'
import { asGoError, deadlineExceeded } from '../../transport/webhooks/go-errors.js'
import { readLimited } from '../../util/read-limited.js'
import { hostAndPort } from '../../util/url-parts.js'
import type { RemoteServer } from './api-service-table.js'
import type { Connections } from './remote-connections.js'

export interface RemoteRequest<S = RemoteServer> {
  readonly server: S
  readonly user: UserInfo
  readonly method?: string
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  /** The most bytes that the answer may have. */
  readonly maxBytes: number
}

export interface RemoteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The URL that was asked, with the address. */
  readonly url: string
}

export class RemoteRequestError extends Error {
  readonly url: string
  constructor(url: string, message: string) {
    super(message)
    this.url = url
  }
}

/**
 * The most values in an answer, because parsing holds the event loop. A document of Kubernetes' whole API has a fifth of this.
 */
const maxAnswerValues = 300_000
/** The most bytes and milliseconds that are spent on a body which nobody wants. */
const maxUnreadBytes = 256 * 1024
const maxUnreadMs = 1000

export const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] }

/** Rejects with a RemoteRequestError, whose message is Go's; throws what the resolver throws. */
export async function askRemote<S>(connections: Connections<S>, request: RemoteRequest<S>): Promise<RemoteAnswer> {
  const { head, url, late, failed, end } = await begin(connections, request)
  try {
    const body = await readLimited(addAbortSignal(late, head), request.maxBytes)
    return { status: head.statusCode!, headers: head.headers, body, url }
  } catch (error) {
    throw failed(error)
  } finally {
    end()
  }
}

/** Sends a request. `late` aborts when its time is over; `end` ends that. */
async function begin<S>(connections: Connections<S>, request: Omit<RemoteRequest<S>, 'maxBytes'>) {
  const { send, url } = sendRemote(connections, request)
  const controller = new AbortController()
  const late = controller.signal
  const timer = setTimeout(
    () => controller.abort(new Error(`${deadlineExceeded} (Client.Timeout exceeded while awaiting headers)`)),
    request.timeoutMs
  )
  const end = () => clearTimeout(timer)
  const failed = (error: unknown) => new RemoteRequestError(url, asGoError(late.aborted ? late.reason : error))
  try {
    return { head: await send(late), url, late, failed, end }
  } catch (error) {
    end()
    throw failed(error)
  }
}

/** Resolves with the status of an answer, whose body is not awaited. Rejects like askRemote. */
export async function statusOf(
  connections: Connections,
  request: Omit<RemoteRequest, 'maxBytes'>
): Promise<Pick<RemoteAnswer, 'status' | 'url'>> {
  const { head, url, end } = await begin(connections, request)
  end()
  // a short body is read, so that its connection can be used again
  let left = maxUnreadBytes
  head
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) head.destroy()
    })
  const timer = setTimeout(() => head.destroy(), maxUnreadMs)
  head.once('close', () => clearTimeout(timer))
  return { status: head.statusCode!, url }
}

/** Sends a request whose answer is a stream, which ends with an error when `signal` aborts. */
export async function streamRemote(
  connections: Connections,
  request: Omit<RemoteRequest, 'timeoutMs' | 'maxBytes'>,
  signal: AbortSignal
): Promise<{ readonly status: number; readonly body: AsyncIterable<Buffer> }> {
  const head = await sendRemote(connections, request).send(signal)
  return { status: head.statusCode!, body: addAbortSignal(signal, head) }
}

function sendRemote<S>(connections: Connections<S>, request: Omit<RemoteRequest<S>, 'timeoutMs' | 'maxBytes'>) {
  const { server, user, method = 'GET', path, body } = request
  const reached = connections.reach(server)
  const authority = hostAndPort(reached.target.host, reached.target.port)
  const headers = [
    'Host',
    authority,
    'User-Agent',
    'kube-apiserver',
    ...userHeaders(user),
    ...Object.entries(request.headers ?? {}).flat()
  ]
  return {
    url: `https://${authority}${path}`,
    async send(signal: AbortSignal) {
      const bytes = body === undefined ? undefined : Buffer.from(body)
      const outgoing = { method, headers, body: bytes && { stream: Readable.from([bytes]), length: bytes.length } }
      return (await exchange({ ...reached, path, query: '' }, outgoing, signal)).head
    }
  }
}

/** Yields the lines of a stream that are not empty. Throws for a line of more than `maxBytes`. */
export async function* splitLines(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; start = end + 1, end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      const line = Buffer.concat(parts)
      parts = []
      size = 0
      if (line.length > 0) yield line
    }
    parts.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > maxBytes) throw new Error(`a line has more than ${maxBytes} bytes`)
  }
}

/** Parses an answer. Throws for anything but JSON, and for more values than a server's documents have. */
export function parseAnswer(body: Buffer): unknown {
  checkValueCount(body, maxAnswerValues)
  return JSON.parse(body.toString())
}
