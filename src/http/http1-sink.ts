/** Streamed answers over HTTP/1.1. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Sink } from '../request/message.js'

/** Returns where the chunks of an answer go, whose headers have been sent. */
export function sinkOf(answer: ServerResponse): Sink {
  const { socket } = answer
  return socket && answer.chunkedEncoding ? chunkedSink(answer, socket) : plainSink(answer)
}

const plainSink = (answer: ServerResponse): Sink => ({
  write: chunk => answer.write(chunk),
  onDrain: listener => void answer.on('drain', listener),
  onClose: listener => void answer.once('close', listener),
  end: () => void answer.end(),
  abort: () => void answer.destroy()
})

/**
 * Writes chunks to the connection itself. Node's answer would write three pieces for each, join them for TLS, and wait for the end of
 * the turn: half of what it takes to deliver an event to many watchers. The answer still sends the last, empty chunk.
 */
const chunkedSink = (answer: ServerResponse, socket: Socket): Sink => ({
  ...plainSink(answer),
  // an empty chunk would be the last one
  write: chunk => (chunk.length === 0 ? !socket.writableNeedDrain : socket.write(framed(chunk))),
  onDrain(listener) {
    socket.on('drain', listener)
    answer.once('close', () => socket.off('drain', listener))
  }
})

/** All watchers that see the same event are sent the same chunk, one after the other. */
let last: { readonly chunk: Buffer; readonly framed: Buffer } | undefined

/** Frames a chunk (RFC 9112, 7.1). */
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
