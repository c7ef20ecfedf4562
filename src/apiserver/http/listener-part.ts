import type { Handler } from '../../apimachinery/request/message.js'
import type { Part } from '../../util/part.js'
import { type Listener, type ListenerOptions, listen } from './listener.js'

/** Milliseconds that requests in progress have to end when the server stops. */
const shutdownGraceMs = 5000

/** The listener as a part of a server. */
export class ListenerPart implements Part {
  readonly name = 'listener'
  readonly #options: ListenerOptions
  #handler: Handler
  #listener: Listener | undefined

  constructor(handler: Handler, options: ListenerOptions) {
    this.#handler = handler
    this.#options = options
  }

  /** The port on which the server listens; 0 before it listens. */
  get port(): number {
    return this.#listener?.port ?? 0
  }

  /** Replaces the serving certificate for new connections. */
  use(serving: { certificate: string; key: string }): void {
    this.#listener?.use(serving)
  }

  /** Hands requests that come from now on to another handler. Connections stay. */
  handBy(handler: Handler): void {
    this.#handler = handler
  }

  async start(): Promise<void> {
    this.#listener ??= await listen(request => this.#handler(request), this.#options)
  }

  async stop(): Promise<void> {
    const listener = this.#listener
    this.#listener = undefined
    await listener?.close(shutdownGraceMs)
  }
}
