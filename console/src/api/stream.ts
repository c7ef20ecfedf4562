/** Yields the lines of a stream of UTF-8 text. A line that is longer than `most` characters ends with an error. */
export async function* lines(body: ReadableStream<Uint8Array>, most = 64 * 2 ** 20): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  // pieces of the line that has not ended yet
  let pieces: string[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const parts = decoder.decode(value, { stream: true }).split('\n')
      for (const [i, part] of parts.entries()) {
        pieces.push(part)
        length += part.length
        if (length > most) throw new Error('A line of the stream is too long.')
        if (i === parts.length - 1) break
        const line = pieces.join('')
        pieces = []
        length = 0
        if (line) yield line
      }
    }
    const rest = pieces.join('') + decoder.decode()
    if (rest) yield rest
  } finally {
    await reader.cancel().catch(() => {})
  }
}
