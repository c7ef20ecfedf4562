/** Decodes the value of a header as UTF-8, because Node decodes headers as Latin-1. */
export function decodeHeader(value: string): string {
  return /^[\0-\x7f]*$/.test(value) || /[^\0-\xff]/.test(value) ? value : Buffer.from(value, 'latin1').toString()
}

/** Decodes the %xx escapes of a key that is a part of a header's name, in lower case. A key with an invalid escape stays as it is. */
export function unescapeKey(key: string): string {
  if (!key.includes('%') || /%(?![0-9a-f]{2})/.test(key)) return key
  return Buffer.from(
    key.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  ).toString()
}
