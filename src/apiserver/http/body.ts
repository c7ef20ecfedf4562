import type { Readable } from 'node:stream'
import { badRequest, tooLarge } from '../../apimachinery/status/status.js'

export const closedEarly = () => badRequest('the connection was closed before the request was complete')

const empty = Buffer.alloc(0)

/**
 * Puts chunks together. A single one stays as it is. More are copied into one buffer that grows as they come: a client that sends
 * its body byte by byte would otherwise occupy a hundred times its size.
 */
export class Gathered {
  length = 0
  #bytes: Buffer = empty

  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (this.length === 0) this.#bytes = chunk
    else {
      if (this.#bytes.length < length) {
        const larger = Buffer.allocUnsafe(Math.max(4096, 2 * length))
        this.#bytes.copy(larger, 0, 0, this.length)
        this.#bytes = larger
      }
      chunk.copy(this.#bytes, this.length)
    }
    this.length = length
  }

  /** All bytes so far. */
  get all(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  /** Returns all bytes, and begins anew. */
  take(): Buffer {
    const bytes = this.all
    this.#bytes = empty
    this.length = 0
    return bytes
  }
}

/** Collects a request's body. Rejects with a 413 as soon as the body exceeds the limit. */
export function readStream(stream: Readable, contentLength: string | undefined, limit: number): Promise<Buffer> {
  if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit))
  return new Promise((resolve, reject) => {
    const body = new Gathered()
    const done = (settle: () => void) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError)
      settle()
    }
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > limit) return done(() => reject(tooLarge(limit)))
      body.add(chunk)
    }
    const onEnd = () => done(() => resolve(body.take()))
    const onError = () => done(() => reject(closedEarly()))
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError)
  })
}
