/** A route of the test API: what answers it, and what the OpenAPI document says of it. */
import type { Response } from '../request/message.js'
import type { JsonObject } from '../util/json.js'

/** The part of JSON Schema in which the routes describe their bodies. A schema with a title becomes a component of the document. */
export interface Schema {
  readonly title?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly oneOf?: readonly Schema[]
}

/** What a handler is given of a request. */
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

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the root of the test API: `/servers/{name}`. */
  readonly path: string
  /** The operationId of the document. */
  readonly id: string
  readonly summary: string
  /** Present for a route that takes a body; the handler validates what the schema cannot say. */
  readonly body?: Schema
  readonly query?: readonly QueryParameter[]
  readonly answers: Readonly<Record<number, AnswerDescription>>
  handle(input: Input): Response | Promise<Response>
}

export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: Schema
}

export interface AnswerDescription {
  readonly description: string
  /** Of a body in JSON. */
  readonly schema?: Schema
  /** Further media types of the body. */
  readonly mediaTypes?: readonly string[]
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
