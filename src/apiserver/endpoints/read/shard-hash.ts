/** FNV-1a with 64 bits, by which objects are divided into shards. */

/** A number of 64 bits, in two halves: arithmetic with bigint would take longer than the rest of a selector. */
export interface Hash {
  readonly high: number
  readonly low: number
}

export function hashOf(text: string): Hash {
  let high = 0xcbf29ce4
  let low = 0x84222325
  const step = (byte: number) => {
    low = (low ^ byte) >>> 0
    // the prime is 2 ** 40 + 0x1b3
    const product = low * 0x1b3
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + low * 256) % 2 ** 32
    low = product % 2 ** 32
  }
  // all but always ASCII
  if (/[^\0-\x7f]/.test(text)) for (const byte of Buffer.from(text)) step(byte)
  else for (let i = 0; i < text.length; i++) step(text.charCodeAt(i))
  return { high, low }
}
