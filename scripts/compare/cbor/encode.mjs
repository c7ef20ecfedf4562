/** Bodies in CBOR, whole and broken. */
import { encode, Token, Type } from 'cborg'

const tag = Buffer.from('d9d9f7', 'hex')
/** As Go writes strings. */
const typeEncoders = { string: text => [new Token(Type.bytes, Buffer.from(text))] }

/** Bytes that stand in a document as they are. */
export class Raw {
  constructor(hex) {
    this.bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  }
}

export const raw = hex => new Raw(hex)

/** Encodes a document with Raw parts. `text`: with text strings, as other clients than Go's write them. */
export const document = (value, text = false) => Buffer.concat([tag, part(value, text)])

export function part(value, text = false) {
  if (value instanceof Raw) return value.bytes
  const one = leaf => Buffer.from(text ? encode(leaf) : encode(leaf, { typeEncoders }))
  if (value === null || typeof value !== 'object') return one(value)
  const parts = Array.isArray(value)
    ? value.map(element => part(element, text))
    : Object.entries(value).flatMap(([key, element]) => [one(key), part(element, text)])
  const empty = one(Array.isArray(value) ? [] : {})[0]
  const count = Array.isArray(value) ? parts.length : parts.length / 2
  const head = count < 24 ? [empty | count] : count < 256 ? [empty | 24, count] : [empty | 25, count >> 8, count & 255]
  return Buffer.concat([Buffer.from(head), ...parts])
}

/** Encodes a map whose keys may repeat: `[['a', 1], ['a', 2]]`. */
export const pairs = entries =>
  new Raw(Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flat().map(one => part(one))]).toString('hex'))
