/** Two ends of a connection within the process: what is written to one is read from the other. */
import type { Server } from 'node:http'
import { Duplex } from 'node:stream'

/** With `messages`, each chunk that is written is read as one: a string stays one. */
export function duplexPair({ messages = false }: { messages?: boolean } = {}): [Duplex, Duplex] {
  const ends: [End, End] = [new End(messages), new End(messages)]
  ends[0].other = ends[1]
  ends[1].other = ends[0]
  return ends
}

/** Connections to HTTP servers that listen nowhere. */
export class InProcessConnections {
  readonly #open = new Set<Duplex>()

  /** Returns the client's end of a new connection. `prepare` gets the end of the server before the server does. */
  to(server: Server, prepare?: (far: Duplex) => void): Duplex {
    const [near, far] = duplexPair()
    prepare?.(far)
    for (const end of [near, far]) {
      this.#open.add(end)
      end.on('error', () => {}).once('close', () => this.#open.delete(end))
    }
    server.emit('connection', far)
    return near
  }

  close(): void {
    for (const end of this.#open) end.destroy()
  }
}

class End extends Duplex {
  other: End | undefined
  /** Goes on with the writes of the other end, once this one has been read. */
  #goOn: (() => void) | undefined

  constructor(messages: boolean) {
    super({ allowHalfOpen: true, readableObjectMode: messages, decodeStrings: !messages })
  }

  // what Node's HTTP client asks of the sockets that it keeps; there is no network to which it could matter
  setTimeout(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {
    const goOn = this.#goOn
    this.#goOn = undefined
    goOn?.()
  }

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.other!.#take(chunk, done)
  }

  override _final(done: () => void): void {
    this.other!.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this
    if (other && !other.destroyed) process.nextTick(() => other.destroy())
    done(error)
  }

  #take(chunk: Buffer | string, done: () => void): void {
    if (this.destroyed || this.push(chunk)) done()
    else this.#goOn = done
  }
}
