/** Compresses a watch: each write becomes a gzip member of its own, so that the client can read it at once. */
import { gzipSync } from 'node:zlib'
import { fastestLevel } from '../../../apimachinery/formats/compress.js'
import type { Sink } from '../../../apimachinery/request/message.js'

export const gzipSink = (sink: Sink): Sink => ({
  write: chunk => sink.write(gzipSync(chunk, { level: fastestLevel })),
  onDrain: listener => sink.onDrain(listener),
  onClose: listener => sink.onClose(listener),
  end: () => sink.end(),
  abort: () => sink.abort()
})
