/** A body that another server has sent is longer than the caller is willing to hold in memory. */
export class BodyTooLarge extends Error {}

/** Reads a whole body. Rejects with BodyTooLarge, and ends the body, as soon as it has more than `maxBytes`. */
export async function readLimited(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new BodyTooLarge(`the answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
