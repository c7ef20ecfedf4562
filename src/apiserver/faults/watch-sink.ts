/** The connection of a watch, which goes wrong after some events. */
import type { Sink } from '../../apimachinery/request/message.js'
import type { WatchFault } from './rule.js'

interface Parts {
  readonly sink: Sink
  readonly fault: WatchFault
  /** The ERROR event of a watch whose history is gone, in the watch's form. */
  readonly expired: () => Buffer
  /** Resets the connection when everything that was written has been sent. */
  readonly reset: () => void
  /** Called when the watch has gone wrong. */
  readonly struck: () => void
  /** Called when the watch ended before it went wrong. */
  readonly spared: () => void
}

/** How many bytes of a frame contain the type of its event, in every form. */
const typeBytes = 24

export class WatchFaultSink implements Sink {
  /** Each write is one event, whatever the form. */
  readonly messages = true
  readonly #parts: Parts
  readonly #closed: (() => void)[] = []
  #left: number
  /** Whether nothing reaches the client any more. */
  #isSilent = false
  #isOver = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#left = parts.fault.afterEvents ?? 0
    parts.sink.onClose(() => this.#over())
    if (this.#left === 0) this.#countedOut()
  }

  write(frame: Buffer): boolean {
    if (this.#isSilent) return true
    const { sink, fault, reset } = this.#parts
    if (frame.subarray(0, typeBytes).includes('BOOKMARK')) return sink.write(frame)
    if (this.#left > 0) {
      const flows = sink.write(frame)
      if (--this.#left === 0) this.#countedOut()
      return flows
    }
    this.#strike()
    if (fault.do === 'halfFrame') {
      sink.write(frame.subarray(0, frame.length >> 1))
      reset()
      this.#close()
    }
    return true
  }

  /**
   * Acts when the watch has sent all events that it may. A watch that stalls, or sends half a frame, does so at the next event.
   */
  #countedOut(): void {
    const { sink, fault, expired } = this.#parts
    if (fault.do !== 'expire' && fault.do !== 'close') return
    this.#strike()
    if (fault.do === 'expire') sink.write(expired())
    sink.end()
    this.#close()
  }

  #strike(): void {
    this.#isSilent = true
    this.#isOver = true
    this.#parts.struck()
  }

  /** Ends the work for the watch, because not every connection reports its end. */
  #close(): void {
    queueMicrotask(() => {
      for (const listener of this.#closed) listener()
    })
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.spared()
  }

  onDrain(listener: () => void): void {
    this.#parts.sink.onDrain(listener)
  }

  onClose(listener: () => void): void {
    this.#closed.push(listener)
    this.#parts.sink.onClose(listener)
  }

  end(): void {
    this.#over()
    // a watch that stalls ends with the server, or its timeout
    if (!this.#isSilent || this.#parts.fault.do === 'stall') this.#parts.sink.end()
  }

  abort(): void {
    this.#over()
    this.#parts.sink.abort()
  }
}
