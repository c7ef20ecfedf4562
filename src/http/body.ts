import type { Readable } from 'node:stream'
import { badRequest, tooLarge } from '../status/status.js'

/** Collects a request's body. Rejects with a 413 as soon as the body exceeds the limit. */
export function readStream(stream: Readable, contentLength: string | undefined, limit: number): Promise<Buffer> {
  if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (settle: () => void) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError)
      settle()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return done(() => reject(tooLarge(limit)))
      chunks.push(chunk)
    }
    const onEnd = () => done(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    const onError = () => done(() => reject(badRequest('the connection was closed before the request was complete')))
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError)
  })
}
