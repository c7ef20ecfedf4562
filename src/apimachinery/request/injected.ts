/** Requests without a connection, and their answers: what programs and clients in the server's process send. */
import type { UserInfo } from './user.js'

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

/**
 * An answer that comes in chunks. `close` must be called, and may be called again.
 *
 * @example
 * const answer: StreamedAnswer = await client.open({ url: '/api/v1/namespaces/default/pods/web/log?follow=true' })
 * for (let chunk = await answer.next(); chunk; chunk = await answer.next()) process.stdout.write(chunk)
 * answer.close()
 */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Resolves with the next chunk, or undefined after the last. Rejects when the server cuts the answer off. */
  next(): Promise<Buffer | undefined>
  /** The client has gone. */
  close(): void
}
