import type { Sink } from '../../apimachinery/request/message.js'

/** Sends a body as fast as the client takes it. */
export function streamBody(body: NodeJS.ReadableStream & { readonly destroyed: boolean; destroy(): void }, sink: Sink): void {
  // its end will not be told again
  if (body.destroyed) return sink.abort()
  let isComplete = false
  body.on('data', (chunk: Buffer) => {
    if (!sink.write(chunk)) body.pause()
  })
  body.once('end', () => {
    isComplete = true
    sink.end()
  })
  // without a listener, an error would end the process; 'close' follows
  body.on('error', () => {})
  body.once('close', () => isComplete || sink.abort())
  sink.onDrain(() => body.resume())
  sink.onClose(() => body.destroy())
}
