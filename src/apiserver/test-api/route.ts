/** A route of the test API: the function that answers, and its description for the OpenAPI document. */

import type { Response } from '../../apimachinery/request/message.js'
import type { JsonObject } from '../../util/json.js'
import type { Described, Schema } from '../own-paths/own-document.js'

/** What a handler receives of a request. */
export interface Input {
  /** The `{name}` or `{id}` of the path; "" for a path without one. It matches the pattern of the parameter. */
  readonly name: string
  /** The body; an empty object when there is none. It fits the schema of the body. */
  readonly body: JsonObject
  readonly query: URLSearchParams
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Lets work wait until the request has left the server's handler; the answer is sent when the work is done. */
  afterwards(work: () => Promise<void>): void
}

export interface Route extends Described {
  handle(input: Input): Response | Promise<Response>
}

/** Names of servers and snapshots. They are part of a path. */
export const namePattern = '^[a-z0-9-]{1,63}$'

/** The parameter of a path, whatever the path calls it. */
export const nameSchema: Schema = { type: 'string', pattern: namePattern }

export const json = (value: unknown, status = 200): Response => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${JSON.stringify(value)}\n`)
})
