/** Requests without a connection, for tests and for embedding: the same chain, no port, no TLS. */

import { Readable } from 'node:stream'
import type { InjectedRequest, InjectedResponse } from '../../apimachinery/request/injected.js'
import { type Handler, type IncomingRequest, type OpenBody, type Sink, wholeBody } from '../../apimachinery/request/message.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { tooLarge } from '../../apimachinery/status/status.js'

/** What stands for the connection of a request without one. */
export type InjectedConnection = Pick<IncomingRequest, 'onClose' | 'reset'>

/** The error of a request whose connection a fault has reset. */
export const wasReset = 'the connection was reset'

const nothing = Buffer.alloc(0)

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return nothing
  if (typeof body === 'string') return Buffer.from(body)
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
}

/** A request as an edge hands it in. */
export class InjectedMessage implements IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly trustedUser: UserInfo | undefined
  readonly remoteAddress = '127.0.0.1'
  readonly #body: Buffer
  readonly #connection: InjectedConnection

  constructor({ method, url, headers = {}, body, user }: InjectedRequest, connection: InjectedConnection) {
    this.method = method ?? (body === undefined ? 'GET' : 'POST')
    this.url = url
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    // a patch has several types to choose from
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body) && this.method !== 'PATCH'
    this.headers = isJson ? { 'content-type': 'application/json', ...given } : given
    // null where the caller's own JSON says so
    this.trustedUser = user && { ...user, groups: user.groups ?? [] }
    this.#body = bytesOf(body)
    this.#connection = connection
  }

  rawHeaders(): readonly string[] {
    return Object.entries(this.headers).flatMap(([name, value]) => [value].flat().flatMap(one => [name, one]))
  }

  peerCertificates(): readonly Buffer[] {
    return []
  }

  readBody(limit: number): Promise<Buffer> {
    return this.#body.length > limit ? Promise.reject(tooLarge(limit)) : Promise.resolve(this.#body)
  }

  openBody(): OpenBody | undefined {
    return this.#body.length === 0 ? undefined : { stream: Readable.from([this.#body]), length: this.#body.length }
  }

  onClose(listener: () => void): void {
    this.#connection.onClose(listener)
  }

  reset(): void {
    this.#connection.reset()
  }
}

/** Most requests are never reset, and pay nothing for it. */
class OwnConnection implements InjectedConnection {
  isReset = false
  #closed: (() => void)[] | undefined

  onClose(listener: () => void): void {
    this.#closed ??= []
    this.#closed.push(listener)
  }

  reset(): void {
    this.isReset = true
    for (const listener of this.#closed?.splice(0) ?? []) listener()
  }

  /** Resolves as `work` does, and rejects when the connection is reset before. */
  unlessReset<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error(wasReset))
      if (this.isReset) failed()
      else this.onClose(failed)
      work.then(resolve, reject)
    })
  }
}

export async function inject(handler: Handler, request: InjectedRequest): Promise<InjectedResponse> {
  const connection = new OwnConnection()
  const response = await handler(new InjectedMessage(request, connection))
  if (connection.isReset) {
    response.ended(true)
    throw new Error(wasReset)
  }
  const { status, headers, stream, body = nothing } = response
  let whole: Buffer
  if (!stream && Buffer.isBuffer(body)) whole = body
  else {
    connection.onClose(() => response.ended(true))
    const collected = stream ? collect(stream).then(pieces => Buffer.concat(pieces)) : wholeBody(body)
    whole = await connection.unlessReset(collected).catch(error => {
      response.ended(true)
      throw error
    })
  }
  response.ended()
  return { status, headers, body: whole, json: () => JSON.parse(whole.toString()) }
}

/** A streamed answer is whole when the server ends it (a watch's timeoutSeconds). */
function collect(stream: (sink: Sink) => void): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const abort = () => reject(new Error('the answer ended before it was complete'))
    stream({ write: chunk => pieces.push(chunk) > 0, onDrain() {}, onClose() {}, end: () => resolve(pieces), abort })
  })
}
