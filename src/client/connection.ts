/** Sends a client's requests as its user. */

import type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../apimachinery/request/injected.js'
import { type Status, StatusError } from '../apimachinery/status/status.js'
import { holdingProcess } from '../util/holding-process.js'
import type { OpenWebSocket, Transport } from './transport.js'
import type { KubeObject } from './typed/kind-types.js'
import type { ClientContext } from './types.js'

export interface ConnectionOptions {
  readonly transport: Transport
  /** Undefined for the user that the transport's own credentials name. */
  readonly user: InjectedRequest['user']
  readonly fieldManager: string
  /** Ends what is under way, and refuses what comes later. */
  readonly signal?: AbortSignal | undefined
  readonly written?: ((object: KubeObject) => void) | undefined
}

export class Connection {
  readonly #options: ConnectionOptions

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get fieldManager(): string {
    return this.#options.fieldManager
  }

  /** The namespace of objects that name none. */
  get namespace(): string {
    return this.transport.namespace ?? 'default'
  }

  get transport(): Transport {
    return this.#options.transport
  }

  with({ signal, written }: ClientContext): Connection {
    const own = this.#options.written
    const both = (object: KubeObject) => {
      own?.(object)
      written?.(object)
    }
    return new Connection({ ...this.#options, signal: this.#orOwn(signal), written: own && written ? both : (written ?? own) })
  }

  /** Tells of an object that a write has returned. */
  written(object: unknown): void {
    this.#options.written?.(object as KubeObject)
  }

  async send(request: InjectedRequest): Promise<InjectedResponse> {
    const { signal } = this.#options
    signal?.throwIfAborted()
    return holdingProcess(this.transport.send(this.#complete(request), signal))
  }

  /** Sends a request and parses its answer, if that is no plain text. Rejects with a StatusError when the server refuses it. */
  async ask<T>(request: InjectedRequest): Promise<T> {
    const { status, headers, body } = await this.send(request)
    if (status >= 300) throw refusal(status, headers, body.toString())
    const text = body.toString()
    return isPlain(headers['content-type']) ? (text as T) : (JSON.parse(text) as T)
  }

  /** Sends a request whose answer is read while it arrives. */
  async open(request: InjectedRequest, signal?: AbortSignal): Promise<StreamedAnswer> {
    const answer = await this.transport.open(this.#complete(request), this.#orOwn(signal))
    if (answer.status < 300) return answer
    const text = (await answer.next())?.toString() ?? ''
    answer.close()
    throw refusal(answer.status, answer.headers, text)
  }

  /** Opens a WebSocket. Rejects with a StatusError when the server refuses it. */
  async webSocket(request: InjectedRequest, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket> {
    return holdingProcess(this.transport.webSocket(this.#complete(request), protocols, this.#orOwn(signal)))
  }

  #orOwn(signal: AbortSignal | undefined): AbortSignal | undefined {
    const own = this.#options.signal
    return own && signal ? AbortSignal.any([own, signal]) : (own ?? signal)
  }

  #complete(request: InjectedRequest): InjectedRequest {
    const { user, fieldManager } = this.#options
    const type: Record<string, string> = request.body === undefined ? {} : { 'content-type': 'application/json' }
    return {
      ...(user ? { user } : {}),
      ...request,
      headers: { accept: 'application/json', 'user-agent': fieldManager, ...type, ...request.headers }
    }
  }
}

/** Whether an answer is text, as the logs of a Pod are. */
const isPlain = (type: InjectedResponse['headers'][string] | undefined): boolean =>
  typeof type === 'string' && type.startsWith('text/plain')

/** The error of an answer that is none of success. */
export function refusal(code: number, headers: InjectedResponse['headers'], text: string): StatusError {
  const retryAfter = headers['retry-after']
  return new StatusError(
    statusOf(text) ?? { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: text.trim(), code },
    typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : undefined
  )
}

function statusOf(text: string): Status | undefined {
  try {
    const value = JSON.parse(text)
    return value?.kind === 'Status' ? value : undefined
  } catch {
    return undefined
  }
}
