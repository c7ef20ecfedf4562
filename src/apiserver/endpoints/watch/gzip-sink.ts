/** Compresses a watch: each write becomes a gzip member of its own (RFC 1952), which the client can read at once. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { fastestLevel } from '../../../apimachinery/formats/compress.js'
import type { Sink } from '../../../apimachinery/request/message.js'

/** Compressed by deflate, by the fastest of its ways, on an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255])
/** The last block, which holds nothing. */
const lastBlock = Buffer.from([3, 0])

export const gzipSink = (sink: Sink): Sink => ({
  write: chunk => sink.write(member(chunk)),
  onDrain: listener => sink.onDrain(listener),
  onClose: listener => sink.onClose(listener),
  end: () => sink.end(),
  abort: () => sink.abort()
})

/** The members of frames that several watchers share. */
const members = new WeakMap<Buffer, Buffer>()

function member(frame: Buffer): Buffer {
  let found = members.get(frame)
  if (!found) members.set(frame, (found = compressed(frame)))
  return found
}

/** The data ends before the last block: Go's client gives out data that ends with it only when the next member has come. */
function compressed(chunk: Buffer): Buffer {
  const data = deflateRawSync(chunk, { level: fastestLevel, finishFlush: constants.Z_SYNC_FLUSH })
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(chunk), 0)
  end.writeUInt32LE(chunk.length, 4)
  return Buffer.concat([head, data, lastBlock, end])
}
