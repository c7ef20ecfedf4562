/** Streamed answers over HTTP/1.1. */
import type { Sink } from '../../../apimachinery/request/message.js'
import type { Exchange } from './exchange.js'

/** Returns where the chunks of an answer go, whose head has been sent. */
export function sinkOf(exchange: Exchange): Sink {
  const { socket } = exchange.connection
  return {
    write(chunk) {
      if (!exchange.isChunked) return exchange.write(chunk)
      // an empty chunk would be the last one
      if (exchange.isClosed || chunk.length === 0) return !socket.writableNeedDrain
      return socket.write(framed(chunk))
    },
    onDrain: listener => void exchange.on('drain', listener),
    onClose: listener => void exchange.once('close', listener),
    end: () => exchange.end(),
    abort: () => exchange.destroy()
  }
}

/** All watchers that see the same event are sent the same chunk, one after the other. */
let last: { readonly chunk: Buffer; readonly framed: Buffer } | undefined

/** Frames a chunk (RFC 9112, 7.1): as one piece, because three for each event were half of what it takes to deliver it to many watchers. */
function framed(chunk: Buffer): Buffer {
  if (last?.chunk === chunk) return last.framed
  const head = `${chunk.length.toString(16)}\r\n`
  const out = Buffer.allocUnsafeSlow(head.length + chunk.length + 2)
  out.write(head, 0, 'latin1')
  chunk.copy(out, head.length)
  out.write('\r\n', head.length + chunk.length, 'latin1')
  last = { chunk, framed: out }
  return out
}
