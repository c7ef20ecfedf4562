/** A connection whose other end a test holds: it sends any bytes, and keeps what it is sent. */
import { Duplex } from 'node:stream'
import type { Random } from './random.js'

export class OtherEnd extends Duplex {
  readonly received: Buffer[] = []

  override _read() {}

  override _write(chunk: Buffer, _: string, done: () => void) {
    this.received.push(chunk)
    done()
  }

  /** Sends in pieces of any lengths. */
  sendInPieces(next: Random, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const length = next(3) === 0 ? 1 + next(40) : bytes.length - at
      this.push(bytes.subarray(at, at + length))
      at += length
    }
  }
}

/** Lets the event loop turn some times, after which nothing more happens without time or a network. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(resolve => setImmediate(resolve))
}
