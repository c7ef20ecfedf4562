/** Compresses large answers for clients that accept gzip, at kube-apiserver's threshold and level. */
import { createGzip } from 'node:zlib'
import type { RequestContext } from '../request/context.js'
import type { BodyPieces, Piece, Response } from '../request/message.js'

const threshold = 128 * 1024
/** The fastest level, because compression must not cost more time than the network saves. */
export const fastestLevel = 1
const chunkSize = 32 * 1024

/** Reads the header as kube-apiserver does: an element has to be exactly "gzip". */
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

/** Compresses the body while it is sent, in the thread pool. A slow client delays the compression of later parts. */
export function gzipped(whole: Buffer | BodyPieces): BodyPieces {
  const body = Buffer.isBuffer(whole) ? onePiece(whole) : whole
  const gzip = createGzip({ level: fastestLevel, chunkSize })
  // the stream is destroyed, because client or body failed: the reader of the chunks gets the error
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
