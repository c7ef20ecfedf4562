/** One HTTP request and its answer, whatever the version of HTTP. */
import type { Readable } from 'node:stream'

export interface Call {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer | undefined
  readonly signal: AbortSignal | undefined
}

export interface CallAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Readable
  /** Whether the body that has ended has come to its end. */
  isWhole(): boolean
}

/** The connections of a client. */
export interface Connections {
  /** Resolves with the head of the answer. Rejects with NotProcessed, with the signal's reason, or with the socket's error. */
  call(call: Call): Promise<CallAnswer>
  /** Takes no other calls. Resolves when those under way have ended. */
  retire(): Promise<void>
  /** Ends everything. */
  close(): void
}
