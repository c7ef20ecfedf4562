/** Two ends of a connection within the process: what is written to one is read from the other. */
import { Duplex } from 'node:stream'

/** With `messages`, each chunk that is written is read as one: a string stays one. */
export function duplexPair({ messages = false }: { messages?: boolean } = {}): [Duplex, Duplex] {
  const ends: [End, End] = [new End(messages), new End(messages)]
  ends[0].other = ends[1]
  ends[1].other = ends[0]
  return ends
}

class End extends Duplex {
  other: End | undefined
  /** Goes on with the writes of the other end, once this one has been read. */
  #goOn: (() => void) | undefined

  constructor(messages: boolean) {
    super({ allowHalfOpen: true, readableObjectMode: messages, decodeStrings: !messages })
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
