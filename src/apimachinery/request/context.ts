/** One request on its way through the server: what it asks for, who asks, and how long it may take. */
import { setMaxListeners } from 'node:events'
import { unsupportedBody } from '../status/status.js'
import type { WholeFloats } from '../validation/whole-floats.js'
import { isCredential } from './credential-headers.js'
import type { IncomingRequest } from './message.js'
import type { Origin } from './origin.js'
import { parseQuery } from './query.js'
import { RequestRecord } from './record.js'
import type { RequestInfo } from './request-info.js'
import type { UserInfo } from './user.js'
import { Warnings } from './warnings.js'

/** What flow control has decided about a request. */
export interface FlowClassification {
  /** The uid of the FlowSchema; empty while it has no object. */
  readonly uid: string
  readonly level: { readonly uid: string }
}

/** The work for a request was stopped, because nobody waits for it any more. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client is gone')
  }
}

export class RequestContext implements Origin {
  readonly request: IncomingRequest
  readonly path: string
  readonly query: URLSearchParams
  readonly record: RequestRecord
  info!: RequestInfo
  /** The user that the request acts as: its sender, or the one that the sender impersonates. */
  user!: UserInfo
  /** Which of the client's headers no other server may see. */
  isCredential = isCredential
  /** Undefined before flow control, and for requests that are exempt from it. */
  classification: FlowClassification | undefined
  /** Set for requests that take longer than others should have to wait: between their steps they give others a turn. */
  isLarge = false
  floats: WholeFloats | undefined
  /** Whether this request and its answer may be CBOR: where resources are served with the feature gate CBORServingAndStorage. */
  cbor = false
  /** Whether a page of another origin asks, which --cors-allowed-origins names. */
  isOriginAllowed = false
  /** The media types that a body may have; undefined where the endpoint itself decides. */
  bodyTypes: readonly string[] | undefined
  /** When the last timed stage of the chain ended, as a time of performance.now() in milliseconds. */
  enteredAt = 0
  /** Milliseconds that the request may take in all. */
  timeLimit = Number.POSITIVE_INFINITY
  #warnings: Warnings | undefined
  #abort: AbortController | undefined
  #aborted: Error | undefined
  #whenInitialized: (() => void)[] | undefined
  #whenEnded: (() => void)[] | undefined
  #isEnded = false

  constructor(request: IncomingRequest, receivedAt: number, auditId: string) {
    this.request = request
    this.record = new RequestRecord(auditId, receivedAt)
    const question = request.url.indexOf('?')
    this.path = question < 0 ? request.url : request.url.slice(0, question)
    this.query = question < 0 ? noQuery : parseQuery(request.url.slice(question + 1))
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  /** The whole body. Rejects with StatusError 413 above `limit` bytes, and 415 for another media type than the endpoint takes. */
  async readBody(limit: number): Promise<Buffer> {
    const body = await this.request.readBody(limit)
    if (body.length > 0) this.checkBodyType()
    this.record.bodyBytes = body.length
    return body
  }

  /** Throws a 415 for a media type that the endpoint does not take. */
  checkBodyType(): void {
    if (!this.bodyTypes) return
    const [type = ''] = (this.header('content-type') ?? '').split(';', 1)
    if (!this.bodyTypes.includes(type.trim().toLowerCase())) throw unsupportedBody(this.bodyTypes)
  }

  /** Adds a Warning header to the answer (RFC 7234, 299). The same text is sent once. */
  warn(text: string): void {
    ;(this.#warnings ??= new Warnings()).add(text)
  }

  get warnings(): readonly string[] {
    return this.#warnings?.texts ?? none
  }

  /**
   * Aborts when the request's deadline has passed, and when its client has gone before the answer has ended: its reason is then a
   * DeadlineExceededError or a ClientGoneError. Made when it is first asked for, as most requests need none.
   */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController()
      // as many listeners as the work has parts at a time
      setMaxListeners(0, this.#abort.signal)
      if (this.#aborted) this.#abort.abort(this.#aborted)
      else this.request.onClose(() => !this.#isEnded && this.abort(new ClientGoneError()))
    }
    return this.#abort.signal
  }

  /** Ends the work for this request. */
  abort(reason: Error): void {
    if (this.#aborted) return
    this.#aborted = reason
    this.#abort?.abort(reason)
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#aborted
  }

  /** Calls `listener` when a watch has sent its initial events, and at the end of every other answer; at once after that end. */
  onInitialized(listener: () => void): void {
    if (this.#isEnded) listener()
    else (this.#whenInitialized ??= []).push(listener)
  }

  /** Calls `listener` when the client has the whole answer, or is gone; of a stream or an upgraded connection, at its end. At once after that. */
  onEnd(listener: () => void): void {
    if (this.#isEnded) listener()
    else (this.#whenEnded ??= []).push(listener)
  }

  /** To be called when a watch has sent its initial events. */
  initialized(): void {
    for (const listener of this.#whenInitialized?.splice(0) ?? none) listener()
  }

  /** To be called when the answer has ended, or when the server cuts it off (`aborted`). Further calls do nothing. */
  ended(aborted = false): void {
    if (this.#isEnded) return
    if (aborted) this.record.aborted = true
    this.#isEnded = true
    this.initialized()
    for (const listener of this.#whenEnded ?? none) listener()
  }
}

const noQuery = new URLSearchParams()
const none: readonly never[] = []
