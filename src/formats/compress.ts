/** Large answers are sent compressed to clients that can read that, at kube-apiserver's threshold and level. */
import { createGzip } from 'node:zlib'
import type { RequestContext } from '../request/context.js'
import type { BodyPieces, Piece, Response } from '../request/message.js'

const threshold = 128 * 1024
/** The fastest: what it saves on the network must not cost more in time. */
const level = 1
const chunkSize = 32 * 1024

/** As kube-apiserver reads the header: an element has to be exactly "gzip". */
export const acceptsGzip = (header: string | undefined) => header?.split(',').some(element => element.trim() === 'gzip') ?? false

export function compressed(context: RequestContext, response: Response): Response {
  const { body } = response
  if (!body || !context.info.isResourceRequest || !acceptsGzip(context.header('accept-encoding'))) return response
  if (body.length !== undefined && body.length <= threshold) return response
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
  return { ...response, headers, body: gzipped(body) }
}

const nothing = () => {}

function onePiece(bytes: Buffer): BodyPieces {
  let next: Piece | undefined = { bytes, done: nothing }
  return {
    length: bytes.length,
    next() {
      const piece = next
      next = undefined
      return piece
    }
  }
}

/** Compresses while the body is sent, in the thread pool: what the client has not taken holds up what comes after it. */
export function gzipped(whole: Buffer | BodyPieces): BodyPieces {
  const body = Buffer.isBuffer(whole) ? onePiece(whole) : whole
  const gzip = createGzip({ level, chunkSize })
  // destroyed, for want of a client or of a body: whoever waits for a chunk is told
  gzip.on('error', nothing)
  const feed = async () => {
    const piece = await body.next()
    if (!piece) return void gzip.end()
    gzip.write(piece.bytes, error => {
      piece.done()
      if (!error) start()
    })
  }
  const start = () => void feed().catch(error => gzip.destroy(error))
  let chunks: AsyncIterator<Buffer> | undefined
  return {
    length: undefined,
    async next() {
      if (!chunks) {
        chunks = gzip[Symbol.asyncIterator]()
        start()
      }
      const { done, value } = await chunks.next()
      return done ? undefined : { bytes: value, done: nothing }
    },
    close() {
      gzip.destroy()
      body.close?.()
    }
  }
}
