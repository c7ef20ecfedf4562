/** Sends the bodies of answers, over either version of HTTP. */
import type { Answer, BodyPieces, Piece } from '../../apimachinery/request/message.js'

/** Answers up to this many bytes fit into the buffers of the connection, so they count as taken at once. */
export const promptBytes = 64 * 1024

/** What takes the body of an answer. */
export interface BodyTarget {
  write(bytes: Buffer, done?: () => void): boolean
  end(): void
  destroy(): void
  once(event: 'close' | 'drain', listener: () => void): unknown
}
/** Destroys an answer that its client does not read in time. */
export function untilTaken(answer: BodyTarget, { takeWithin, ended }: Answer): void {
  const timer = Number.isFinite(takeWithin) ? setTimeout(() => cutOff(answer, ended), takeWithin) : undefined
  answer.once('close', () => {
    clearTimeout(timer)
    ended()
  })
}

function cutOff(answer: BodyTarget, ended: Answer['ended']): void {
  ended(true)
  answer.destroy()
}

/** Sends one piece after the other, as fast as the client reads them. */
export function sendPieces(target: BodyTarget, body: BodyPieces, ended: Answer['ended']): void {
  target.once('close', () => body.close?.())
  /** Returns whether the next piece may follow at once. */
  const send = (piece: Piece | undefined): boolean => {
    if (!piece) target.end()
    else if (target.write(piece.bytes, piece.done)) return true
    else target.once('drain', sendAll)
    return false
  }
  const next = (): Piece | Promise<Piece | undefined> | undefined => {
    try {
      return body.next()
    } catch (error) {
      // an item could not be read: the store is closed
      return Promise.reject(error)
    }
  }
  const sendAll = (): void => {
    for (;;) {
      const piece = next()
      if (piece instanceof Promise) {
        piece.then(
          made => send(made) && sendAll(),
          () => cutOff(target, ended)
        )
        return
      }
      if (!send(piece)) return
    }
  }
  sendAll()
}
