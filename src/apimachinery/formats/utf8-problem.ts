import { isUtf8 } from 'node:buffer'

/** Returns go-yaml's words for the first mistake in UTF-8; undefined for text without one. */
export function utf8Problem(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return undefined
  for (let at = 0; at < bytes.length; ) {
    const width = widthAt(bytes, at)
    if (typeof width === 'string') return width
    at += width
  }
  return undefined
}

/** Returns the number of bytes of the character that begins at an offset, or what is wrong with it. */
function widthAt(bytes: Buffer, at: number): number | string {
  const leading = bytes[at]!
  if (leading < 0x80) return 1
  const width = leading >> 5 === 0b110 ? 2 : leading >> 4 === 0b1110 ? 3 : leading >> 3 === 0b11110 ? 4 : 0
  if (width === 0) return 'invalid leading UTF-8 octet'
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence'
  let value = leading & (0xff >> (width + 1))
  for (const octet of bytes.subarray(at + 1, at + width)) {
    if (octet >> 6 !== 0b10) return 'invalid trailing UTF-8 octet'
    value = (value << 6) | (octet & 0x3f)
  }
  if (value < leastOf[width]!) return 'invalid length of a UTF-8 sequence'
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return 'invalid Unicode character'
  return width
}

/** The least code point by the number of bytes. */
const leastOf = [0, 0, 0x80, 0x800, 0x10000]
