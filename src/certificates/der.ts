/**
 * The subset of DER (X.690) that certificates use. A few hundred lines read and write certificates, so that starting a server
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
    // DER has one form of each length, the shortest.
    if (length < 0x80 || length < 256 ** (digits - 1)) throw new Error('malformed DER length')
    start += digits
  }
  if (bytes.length < start + length) throw new Error('truncated DER')
  return { tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(0, start + length) }
}

/** Reads an object identifier; as in Go, none of its numbers exceeds 31 bits. */
export const readOid = (content: Buffer): string => {
  const numbers: number[] = []
  let value = 0
  let isFirst = true
  for (const byte of content) {
    if (isFirst && byte === 0x80) throw new Error('malformed object identifier')
    value = value * 128 + (byte & 0x7f)
    if (value >= 2 ** 31) throw new Error('object identifier is too long')
    isFirst = !(byte & 0x80)
    if (!isFirst) continue
    numbers.push(value)
    value = 0
  }
  const first = numbers.shift()
  if (first === undefined || !isFirst) throw new Error('malformed object identifier')
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...numbers].join('.')
}

export const readBoolean = ({ tag, content }: DerElement): boolean => {
  if (tag !== TAG.boolean || content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
    throw new Error('malformed boolean')
  return content[0] !== 0
}

/** Returns the big-endian bytes of an integer, which is not negative. */
export const readInteger = ({ content }: DerElement): Buffer => {
  const [first, second] = content
  if (first === undefined || first >= 0x80 || (first === 0 && second !== undefined && second < 0x80))
    throw new Error('malformed integer')
  return content
}

/** Reads an integer that is not negative as a number; what is larger than any count is Infinity. */
export const readCount = (element: DerElement): number => {
  const bytes = readInteger(element)
  return bytes.length > 6 ? Infinity : bytes.readUIntBE(0, bytes.length)
}

/** Returns the bytes of a bit string; those that its last byte does not use are 0. */
export const readBits = ({ tag, content }: DerElement): Buffer => {
  const unused = content[0]
  const last = content.length > 1 ? content.at(-1)! : 0
  if (tag !== TAG.bitString || unused === undefined || unused > 7) throw new Error('malformed bit string')
  if ((content.length === 1 && unused > 0) || (last & ((1 << unused) - 1)) !== 0) throw new Error('malformed bit string')
  return content.subarray(1)
}

/** UTCTime, perhaps without seconds, and GeneralizedTime, in UTC or with an offset. */
const timePattern = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/

/** Returns milliseconds since 1970. */
export const readTime = ({ tag, content }: DerElement): number => {
  const text = content.toString('latin1')
  const century = tag === TAG.utcTime ? (text < '5' ? '20' : '19') : ''
  const match = timePattern.exec(century + text)
  if (!match || (tag !== TAG.utcTime && (tag !== TAG.generalizedTime || match[6] === undefined)))
    throw new Error('malformed time')
  const [, year, month, day, hour, minute, second = '00', zone] = match
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // Date.parse() takes the 30th of February for a day in March.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day) || Number(hour) === 24)
    throw new Error('malformed time')
  return local - offsetOf(zone!)
}

const offsetOf = (zone: string): number => {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  // An offset of none is written Z.
  if (minutes === 0 || Number(zone.slice(1, 3)) > 24 || Number(zone.slice(3)) > 59) throw new Error('malformed time')
  return (zone[0] === '-' ? -minutes : minutes) * 60_000
}

/** PrintableString with the two characters that are not allowed but usual: * and &. */
const printable = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/

/** Reads text of any string type that names in certificates use. */
export const readText = ({ tag, content }: DerElement): string => {
  const latin = content.toString('latin1')
  switch (tag) {
    case TAG.utf8String:
      return utf8.decode(content)
    case TAG.printableString:
      return checked(latin, printable.test(latin))
    case TAG.ia5String:
      return checked(latin, isAscii(content))
    case TAG.numericString:
      return checked(latin, /^[0-9 ]*$/.test(latin))
    case TAG.teletexString:
      return latin
    case TAG.bmpString:
      return readBmp(content)
    default:
      throw new Error(`not a string: tag ${tag}`)
  }
}

export const isAscii = (bytes: Buffer): boolean => bytes.every(byte => byte < 0x80)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const checked = (text: string, isGood: boolean): string => {
  if (!isGood) throw new Error('malformed string')
  return text
}

/** Characters of two bytes each, without halves of surrogate pairs and what is no character; a final 0 is an end mark. */
const readBmp = (content: Buffer): string => {
  if (content.length % 2 !== 0) throw new Error('malformed string')
  const text = Buffer.from(content).swap16().toString('utf16le').replace(/\0$/, '')
  return checked(text, !/[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text))
}

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest & 0x7f))
  return bytes
}
