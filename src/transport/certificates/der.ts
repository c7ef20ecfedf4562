/**
 * Writes the subset of DER (X.690) that certificates use; der-cursor.ts reads it. A few hundred lines do both, so that starting a server
 * need not load a general ASN.1 library, which would take longer than the rest of the start.
 */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31
} as const

/** Encodes an element with the given tag byte and contents. */
export const element = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  const length = content.length
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  const significant = bytes.subarray(length < 0x100 ? 3 : length < 0x10000 ? 2 : length < 0x1000000 ? 1 : 0)
  return Buffer.concat([Buffer.of(tag, 0x80 | significant.length), significant, content])
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(TAG.sequence, ...items)
export const octetString = (content: Uint8Array): Buffer => element(TAG.octetString, content)
export const utf8String = (text: string): Buffer => element(TAG.utf8String, Buffer.from(text))
export const boolean = (value: boolean): Buffer => element(TAG.boolean, Buffer.of(value ? 0xff : 0))
export const bitString = (content: Uint8Array, unusedBits = 0): Buffer => element(TAG.bitString, Buffer.of(unusedBits), content)

/** Encodes a positive integer, given as big-endian bytes. */
export const integer = (bytes: Uint8Array): Buffer => {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  return element(TAG.integer, Buffer.of(...(digits[0]! & 0x80 ? [0] : [])), digits)
}

export const oid = (dotted: string): Buffer => {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  return element(TAG.oid, Buffer.from([first! * 40 + second!, ...rest].flatMap(base128)))
}

/** Encodes a time as UTCTime until 2049 and as GeneralizedTime later, as RFC 5280 requires. Whole seconds. */
export const time = (milliseconds: number): Buffer => {
  const text = new Date(milliseconds).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '')
  return text < '2050' ? element(TAG.utcTime, Buffer.from(text.slice(2))) : element(TAG.generalizedTime, Buffer.from(text))
}

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest & 0x7f))
  return bytes
}
