/**
 * The subset of DER (X.690) that certificates use. A few hundred lines read and write certificates, so that starting a server
 * need not load a general ASN.1 library, which would take longer than the rest of the start.
 */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
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

export interface DerElement {
  readonly tag: number
  readonly content: Buffer
  /** Tag, length and content. */
  readonly raw: Buffer
}

/** Reads the consecutive elements in `bytes`. Throws when they do not fill it exactly. */
export const readElements = (bytes: Buffer): DerElement[] => {
  const elements: DerElement[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const next = readElement(bytes.subarray(offset))
    elements.push(next)
    offset += next.raw.length
  }
  return elements
}

/** Reads the element at the start of `bytes`. */
export const readElement = (bytes: Buffer): DerElement => {
  const tag = bytes[0]
  let length = bytes[1]
  if (tag === undefined || length === undefined || (tag & 0x1f) === 0x1f) throw new Error('malformed DER')
  let start = 2
  if (length >= 0x80) {
    const digits = length & 0x7f
    if (digits === 0 || digits > 4 || bytes.length < 2 + digits) throw new Error('malformed DER length')
    length = bytes.readUIntBE(2, digits)
    start += digits
  }
  if (bytes.length < start + length) throw new Error('truncated DER')
  return { tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(0, start + length) }
}

export const readOid = (content: Buffer): string => {
  const numbers: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f)
    if (value > Number.MAX_SAFE_INTEGER / 128) throw new Error('object identifier is too long')
    if (byte & 0x80) continue
    numbers.push(value)
    value = 0
  }
  const first = numbers.shift() ?? 0
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...numbers].join('.')
}

/** Returns milliseconds since 1970. */
export const readTime = ({ tag, content }: DerElement): number => {
  const text = content.toString('latin1')
  const century = tag === TAG.utcTime ? (text < '5' ? '20' : '19') : ''
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text)
  const parsed = match ? Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`) : NaN
  if (Number.isNaN(parsed)) throw new Error('malformed time')
  return parsed
}

/** Reads text of any string type that names in certificates use. */
export const readText = ({ tag, content }: DerElement): string => {
  switch (tag) {
    case TAG.utf8String:
      return content.toString('utf8')
    case TAG.printableString:
    case TAG.ia5String:
    case TAG.teletexString:
      return content.toString('latin1')
    case TAG.bmpString:
      return Buffer.from(content.subarray(0, content.length & ~1))
        .swap16()
        .toString('utf16le')
    default:
      throw new Error(`not a string: tag ${tag}`)
  }
}

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest & 0x7f))
  return bytes
}
