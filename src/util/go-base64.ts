/**
 * Decodes base64 as Go's RawURLEncoding does: URL alphabet, no padding, line breaks ignored. Returns the bytes, or Go's error
 * text.
 */
export function decodeBase64Url(text: string): Buffer | string {
  const source = Buffer.from(text)
  let digits = 0
  for (const [i, byte] of source.entries()) {
    if (byte === 0x0a || byte === 0x0d) continue
    if (!isDigit(byte)) return illegal(i)
    digits++
  }
  if (digits % 4 === 1) return illegal(source.length - 1)
  return Buffer.from(digits === source.length ? text : text.replace(/[\r\n]/g, ''), 'base64url')
}

const illegal = (at: number) => `illegal base64 data at input byte ${at}`

const isDigit = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x5f
