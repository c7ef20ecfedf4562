/** Requests without a connection, for tests and for embedding: the same chain, no port, no TLS. */

import { Readable } from 'node:stream'
import { type IncomingRequest, type Sink, wholeBody } from '../request/message.js'
import type { UserInfo } from '../request/user.js'
import { tooLarge } from '../status/status.js'
import type { Handler } from './handler.js'

/**
 * A request for `BinnacleServer.inject`.
 *
 * @example
 * const request: InjectedRequest = {
 *   method: 'PATCH',
 *   url: '/api/v1/namespaces/default/configmaps/settings',
 *   headers: { 'content-type': 'application/merge-patch+json' },
 *   body: { data: { colour: 'red' } },
 *   user: { name: 'me', groups: ['system:masters'] }
 * }
 */
export interface InjectedRequest {
  /** GET when left out, POST when there is a body. */
  readonly method?: string
  /** Path and query. */
  readonly url: string
  /** A list of values stands for a header that is sent several times. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** A string or a Buffer is sent as it is, anything else as JSON. */
  readonly body?: unknown
  /**
   * The user that the request counts for, without authentication. When left out, the headers are authenticated as for a request
   * from outside.
   */
  readonly user?: Omit<UserInfo, 'groups'> & { readonly groups?: UserInfo['groups'] | undefined }
}

/**
 * The answer to an injected request. An answer that is streamed is there when the server ends it: give a watch
 * `timeoutSeconds`.
 *
 * @example
 * const { status, json } = await server.inject({ url: '/api/v1/namespaces', user })
 * if (status === 200) console.log(json().items.length)
 */
export interface InjectedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
  /** Parses the body. */
  json(): any
}

/** What stands for the connection of a request without one. */
export type InjectedConnection = Pick<IncomingRequest, 'onClose' | 'reset'>

/** The error of a request whose connection a fault has reset. */
export const wasReset = 'the connection was reset'

/** Makes of it a request as an edge hands it in. */
export function incomingRequest(request: InjectedRequest, connection: InjectedConnection): IncomingRequest {
  const { body: given } = request
  const body =
    given === undefined
      ? Buffer.alloc(0)
      : typeof given === 'string'
        ? Buffer.from(given)
        : Buffer.isBuffer(given)
          ? given
          : Buffer.from(JSON.stringify(given))
  const headers = Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  // null where the caller's own JSON says so
  const user = request.user && { ...request.user, groups: request.user.groups ?? [] }
  return {
    method: request.method ?? (given === undefined ? 'GET' : 'POST'),
    url: request.url,
    headers,
    remoteAddress: '127.0.0.1',
    trustedUser: user,
    rawHeaders: () => Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap(one => [name, one])),
    peerCertificates: () => [],
    readBody: limit => (body.length > limit ? Promise.reject(tooLarge(limit)) : Promise.resolve(body)),
    openBody: () => (body.length === 0 ? undefined : Readable.from([body])),
    ...connection
  }
}

export function inject(handler: Handler, request: InjectedRequest): Promise<InjectedResponse> {
  return new Promise((resolve, reject) => {
    const closed: (() => void)[] = []
    const connection: InjectedConnection = {
      onClose: listener => void closed.push(listener),
      reset() {
        reject(new Error(wasReset))
        for (const listener of closed.splice(0)) listener()
      }
    }
    answerOf(handler, incomingRequest(request, connection)).then(resolve, reject)
  })
}

async function answerOf(handler: Handler, incoming: IncomingRequest): Promise<InjectedResponse> {
  const response = await handler(incoming)
  incoming.onClose(() => response.ended(true))
  const whole = response.stream
    ? Buffer.concat(await collect(response.stream))
    : await wholeBody(response.body ?? Buffer.alloc(0))
  response.ended()
  return { status: response.status, headers: response.headers, body: whole, json: () => JSON.parse(whole.toString()) }
}

/** A streamed answer is whole when the server ends it (a watch's timeoutSeconds). */
function collect(stream: (sink: Sink) => void): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const abort = () => reject(new Error('the answer ended before it was complete'))
    stream({ write: chunk => pieces.push(chunk) > 0, onDrain() {}, onClose() {}, end: () => resolve(pieces), abort })
  })
}
