/** Cuts an answer off in the middle of its body. */
import type { BodyPieces, Piece, Response, Sink } from '../../apimachinery/request/message.js'

/**
 * Returns the answer, which calls `cut` when it has sent `limit` bytes of its body; undefined for a body that is known not to be longer. `spared` is called
 * when the body has ended before.
 */
export function cutAnswer(response: Response, limit: number, cut: () => void, spared: () => void): Response | undefined {
  const { body, stream } = response
  if (stream) return { ...response, stream: sink => stream(new CutSink(sink, limit, cut, spared)) }
  if (body === undefined || (body.length !== undefined && body.length <= limit)) return undefined
  return { ...response, body: cutPieces(Buffer.isBuffer(body) ? onePiece(body) : body, limit, cut, spared) }
}

function onePiece(bytes: Buffer): BodyPieces {
  let piece: Piece | undefined = { bytes, done() {} }
  return {
    length: bytes.length,
    next() {
      const given = piece
      piece = undefined
      return given
    }
  }
}

function cutPieces(body: BodyPieces, limit: number, cut: () => void, spared: () => void): BodyPieces {
  let left = limit
  let isCut = false
  const taken = (piece: Piece | undefined): Piece | undefined | Promise<never> => {
    if (!piece) {
      spared()
      return undefined
    }
    if (piece.bytes.length <= left) {
      left -= piece.bytes.length
      return piece
    }
    isCut = true
    const { bytes } = piece
    if (left === 0) return ending(piece)
    return { bytes: bytes.subarray(0, left), done: () => piece.done() }
  }
  /** Sends a piece, after which nothing follows: the connection ends. */
  const ending = (piece?: Piece): Promise<never> => {
    piece?.done()
    cut()
    return new Promise(() => {})
  }
  return {
    length: body.length,
    next() {
      if (isCut) return ending()
      const piece = body.next()
      return piece instanceof Promise ? piece.then(taken) : taken(piece)
    },
    close: () => body.close?.()
  }
}

class CutSink implements Sink {
  readonly messages: boolean
  readonly #sink: Sink
  readonly #cut: () => void
  readonly #spared: () => void
  #left: number
  #isCut = false
  #isOver = false

  constructor(sink: Sink, limit: number, cut: () => void, spared: () => void) {
    this.messages = sink.messages ?? false
    this.#sink = sink
    this.#left = limit
    this.#cut = cut
    this.#spared = spared
    sink.onClose(() => this.#end())
  }

  write(chunk: Buffer): boolean {
    if (this.#isCut) return true
    if (chunk.length <= this.#left) {
      this.#left -= chunk.length
      return this.#sink.write(chunk)
    }
    this.#isCut = true
    if (this.#left > 0) this.#sink.write(chunk.subarray(0, this.#left))
    this.#cut()
    return true
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (!this.#isCut) this.#spared()
  }

  onDrain(listener: () => void): void {
    this.#sink.onDrain(listener)
  }

  onClose(listener: () => void): void {
    this.#sink.onClose(listener)
  }

  end(): void {
    if (this.#isCut) return
    this.#end()
    this.#sink.end()
  }

  abort(): void {
    this.#end()
    this.#sink.abort()
  }
}
