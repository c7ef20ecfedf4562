/**
 * Encodes objects as kube-apiserver writes CBOR. Strings are byte strings, so that no text has to be proven valid. Floats are as short
 * as their value allows. Bytes are under the tag that says that they are base64 in text. Keys keep the order of the object, except in
 * what is stored: answers of kube-apiserver have them in random order.
 */
import { loadSchema } from '../../schema/load.js'
import type { Type } from '../../schema/model.js'
import { halfFloat, major } from './cursor.js'

/** The tag before every document (RFC 8949, section 3.4.6): nothing else begins like that. */
export const selfDescribed = Buffer.from('d9d9f7', 'hex')

const tagOfBase64 = 22

/** The type of an object, for its fields that hold bytes or floats. Custom resources have neither. */
export type ObjectType = Type | undefined

/** Encodes a document. `sorted` puts the keys of each map in the order of their encoded bytes. */
export function encodeCbor(value: unknown, type?: ObjectType, sorted = false): Buffer {
  const writer = new CborWriter(sorted)
  writer.raw(selfDescribed)
  writer.value(value, type)
  return writer.finish()
}

/** Encodes a value that stands within a document. */
export function encodePart(value: unknown, type?: ObjectType): Buffer {
  const writer = new CborWriter(false)
  writer.value(value, type)
  return writer.finish()
}

export class CborWriter {
  readonly #sorted: boolean
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  constructor(sorted: boolean) {
    this.#sorted = sorted
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  raw(bytes: Buffer): void {
    this.#need(bytes.length)
    this.#length += bytes.copy(this.#bytes, this.#length)
  }

  value(value: unknown, type?: ObjectType): void {
    switch (typeof value) {
      case 'string':
        if (type?.kind === 'scalar' && type.scalar === 'bytes') return this.#base64(value)
        return this.string(value)
      case 'number':
        if (Number.isSafeInteger(value) && !(type?.kind === 'scalar' && type.scalar === 'double')) return this.#integer(value)
        return this.#float(value)
      case 'bigint':
        return this.#integer(value)
      case 'boolean':
        return this.#byte(value ? 0xf5 : 0xf4)
      case 'object':
        if (Array.isArray(value)) return this.#list(value, type)
        if (value !== null) return this.#object(value, type)
    }
    this.#byte(0xf6)
  }

  string(text: string): void {
    // most strings are short and ASCII; others are measured
    if (text.length < 24) {
      this.#need(1 + text.length * 3)
      const start = this.#length + 1
      const length = this.#bytes.write(text, start)
      if (length < 24) {
        this.#bytes[this.#length] = (major.bytes << 5) | length
        this.#length = start + length
        return
      }
    }
    const length = Buffer.byteLength(text)
    this.head(major.bytes, length)
    this.#need(length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  head(type: number, argument: number | bigint): void {
    this.#need(9)
    const bytes = this.#bytes
    const at = this.#length
    const first = type << 5
    if (argument < 24) {
      bytes[at] = first | Number(argument)
      this.#length = at + 1
    } else if (argument < 0x100) {
      bytes[at] = first | 24
      this.#length = bytes.writeUInt8(Number(argument), at + 1)
    } else if (argument < 0x10000) {
      bytes[at] = first | 25
      this.#length = bytes.writeUInt16BE(Number(argument), at + 1)
    } else if (argument < 0x100000000) {
      bytes[at] = first | 26
      this.#length = bytes.writeUInt32BE(Number(argument), at + 1)
    } else {
      bytes[at] = first | 27
      this.#length = bytes.writeBigUInt64BE(BigInt(argument), at + 1)
    }
  }

  #list(list: readonly unknown[], type: ObjectType): void {
    this.head(major.list, list.length)
    const items = type?.kind === 'list' ? type.items : isSchemaChoice(type) ? jsonSchema() : undefined
    for (const item of list) this.value(item, items)
  }

  #object(object: object, type: ObjectType): void {
    const given = Object.keys(object).filter(key => (object as Record<string, unknown>)[key] !== undefined)
    const keys = this.#sorted ? given.sort(given.every(key => isAscii.test(key)) ? byUnits : byEncodedBytes) : given
    this.head(major.map, keys.length)
    const struct = isSchemaChoice(type) ? jsonSchema() : type
    for (const key of keys) {
      this.string(key)
      this.value((object as Record<string, unknown>)[key], fieldType(struct, key))
    }
  }

  #integer(value: number | bigint): void {
    if (value >= 0) this.head(major.unsigned, value)
    else this.head(major.negative, typeof value === 'bigint' ? -1n - value : -1 - value)
  }

  /** Writes a float in 16, 32 or 64 bits: the fewest that hold it. */
  #float(value: number): void {
    this.#need(9)
    const bytes = this.#bytes
    const at = this.#length
    const half = halfBits(value)
    if (half !== undefined) {
      bytes[at] = 0xf9
      this.#length = bytes.writeUInt16BE(half, at + 1)
    } else if (Math.fround(value) === value) {
      bytes[at] = 0xfa
      this.#length = bytes.writeFloatBE(value, at + 1)
    } else {
      bytes[at] = 0xfb
      this.#length = bytes.writeDoubleBE(value, at + 1)
    }
  }

  #base64(text: string): void {
    const bytes = Buffer.from(text, 'base64')
    this.head(major.tag, tagOfBase64)
    this.head(major.bytes, bytes.length)
    this.raw(bytes)
  }

  #byte(byte: number): void {
    this.#need(1)
    this.#bytes[this.#length++] = byte
  }

  #need(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}

const isAscii = /^[\0-\x7f]*$/

/** Shorter keys come first, because their length stands first. */
const byUnits = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1)

/** The same for keys whose length in bytes is another. */
function byEncodedBytes(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length - right.length || left.compare(right)
}

function fieldType(type: ObjectType, key: string): ObjectType {
  if (type?.kind === 'struct') return type.byName.get(key)?.type
  return type?.kind === 'map' ? type.values : undefined
}

const isSchemaChoice = (type: ObjectType) => type?.kind === 'scalar' && type.scalar.startsWith('schemaOr')

const jsonSchema = () => loadSchema().type('apiextensions.v1.JSONSchemaProps')

const float32 = new DataView(new ArrayBuffer(4))

/** The bits of a value in a float of 16 bits; undefined when that cannot hold it. */
function halfBits(value: number): number | undefined {
  if (Math.fround(value) !== value || Math.abs(value) > 65504) return undefined
  float32.setFloat32(0, value)
  const bits = float32.getUint32(0)
  const sign = (bits >>> 16) & 0x8000
  const exponent = ((bits >>> 23) & 0xff) - 127
  const magnitude = Math.abs(value)
  // below 2^-14, the exponent is fixed and the fraction counts units of 2^-24
  const half = exponent < -14 ? magnitude * 2 ** 24 : ((exponent + 15) << 10) | ((bits & 0x7fffff) >>> 13)
  return Number.isInteger(half) && halfFloat(half) === magnitude ? sign | half : undefined
}
