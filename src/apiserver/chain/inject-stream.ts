/** Requests without a connection whose answers are taken while the server makes them. */
import type { InjectedRequest, StreamedAnswer } from '../../apimachinery/request/injected.js'
import { type Handler, type Sink, wholeBody } from '../../apimachinery/request/message.js'
import { type InjectedConnection, InjectedMessage, wasReset } from './inject.js'

/** Sends a request. The server makes no chunk before the last one has been taken. */
export async function injectStream(handler: Handler, request: InjectedRequest, signal?: AbortSignal): Promise<StreamedAnswer> {
  const gone: (() => void)[] = []
  const chunks = new Chunks()
  const close = () => {
    signal?.removeEventListener('abort', close)
    for (const listener of gone.splice(0)) listener()
    chunks.close()
  }
  signal?.addEventListener('abort', close, { once: true })
  try {
    const connection: InjectedConnection = {
      onClose: listener => void gone.push(listener),
      reset() {
        chunks.abort(wasReset)
        for (const listener of gone.splice(0)) listener()
      }
    }
    const { status, headers, stream, body, ended } = await handler(new InjectedMessage(request, connection))
    gone.push(() => ended())
    if (stream) {
      if (signal?.aborted) chunks.close()
      stream(chunks)
    } else {
      chunks.write(await wholeBody(body ?? Buffer.alloc(0)))
      chunks.end()
    }
    if (signal?.aborted) close()
    return { status, headers, next: () => chunks.next(), close }
  } catch (error) {
    close()
    throw error
  }
}

/** Holds one chunk until it is taken. */
class Chunks implements Sink {
  readonly #waiting: Buffer[] = []
  readonly #drained: (() => void)[] = []
  readonly #closed: (() => void)[] = []
  #state: 'open' | 'ended' | 'aborted' | 'closed' = 'open'
  #why = ''
  #wake: (() => void) | undefined

  write(chunk: Buffer): boolean {
    if (this.#state !== 'open') return false
    this.#waiting.push(chunk)
    this.#wake?.()
    return false
  }
  onDrain(listener: () => void): void {
    this.#drained.push(listener)
  }
  onClose(listener: () => void): void {
    if (this.#state === 'closed') listener()
    else this.#closed.push(listener)
  }
  end(): void {
    this.#finish('ended')
  }
  abort(why = 'the answer ended before it was complete'): void {
    this.#why = why
    this.#finish('aborted')
  }
  close(): void {
    this.#waiting.length = 0
    this.#finish('closed')
    for (const listener of this.#closed.splice(0)) listener()
  }

  #finish(state: 'ended' | 'aborted' | 'closed'): void {
    if (this.#state === 'open') this.#state = state
    this.#wake?.()
  }

  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#waiting.shift()
      if (chunk) {
        if (this.#waiting.length === 0) for (const drained of this.#drained) drained()
        return chunk
      }
      if (this.#state === 'aborted') throw new Error(this.#why)
      if (this.#state !== 'open') return undefined
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
