/**
 * Decodes CBOR as kube-apiserver decodes it where it has no type: custom resources, applied configurations, and fields that may hold
 * anything. The result is as parsed JSON: strings for byte strings, times and bytes, bigints for integers beyond 2^53.
 */
import { isUtf8 } from 'node:buffer'
import { goQuote } from '../../../util/go-format.js'
import { type JsonObject, setKey } from '../../../util/json.js'
import type { ScalarType } from '../../schema/model.js'
import { decodeScalar, ScalarError } from '../../schema/scalars.js'
import { CborError, Cursor, major, typeNames } from './cursor.js'
import { checkWellFormed } from './well-formed.js'

const selfDescribed = 55799
/** The tags that say how their byte strings become text. */
const textOfBytes: Readonly<Record<number, BufferEncoding>> = { 21: 'base64url', 22: 'base64', 23: 'hex' }
const largest = 2n ** 63n - 1n

/** A value that does not fit its Go type. The caller that knows the place adds it. */
export class CborMismatch extends CborError {
  readonly #value: string
  readonly #rest: string

  constructor(type: number, go: string, why = '') {
    const value = `cbor: cannot unmarshal ${typeNames[type]} into Go `
    const rest = ` of type ${go}${why && ` (${why})`}`
    super(`${value}value${rest}`)
    this.#value = value
    this.#rest = rest
  }

  /** Returns the error with the Go name of the field that holds the value: `v1.Secret.data`. */
  in(field: string): CborError {
    return new CborError(`${this.#value}struct field ${field}${this.#rest}`)
  }
}

export const duplicateKey = (key: string, index: number) =>
  new CborError(`cbor: found duplicate map key ${goQuote(key)} at map element index ${index}`)

/** Decodes one data item. Throws CborError, or a StatusError 413. `isBody`: see checkWellFormed. */
export function readCbor(bytes: Buffer, isBody = true): unknown {
  checkWellFormed(bytes, isBody)
  return new Reader(bytes).any()
}

/** Decodes a document that has to be a map. A null stands for an empty one. */
export function readCborMap(bytes: Buffer): JsonObject {
  checkWellFormed(bytes)
  return new Reader(bytes).map()
}

/** Reads well-formed CBOR. */
export class Reader {
  protected readonly cursor: Cursor
  /** How the innermost tag around the current item wants its byte strings encoded. */
  protected bytesAs: BufferEncoding | undefined

  constructor(bytes: Buffer) {
    this.cursor = new Cursor(bytes)
  }

  any(): unknown {
    return this.tagged(time => (time === undefined ? this.#anyUntagged() : this.#time(time)))
  }

  map(): JsonObject {
    return this.tagged(() =>
      this.cursor.nextType === major.map ? this.#map() : (this.mismatched('map[string]interface {}') ?? {})
    )
  }

  #anyUntagged(): unknown {
    const { cursor } = this
    switch (cursor.nextType) {
      case major.unsigned:
      case major.negative:
        return this.integer('int64')
      case major.bytes:
        return this.byteString().toString(this.bytesAs)
      case major.text:
        return this.text()
      case major.list: {
        const list: unknown[] = []
        this.items(() => list.push(this.any()))
        return list
      }
      case major.map:
        return this.#map()
      default:
        return this.simple()
    }
  }

  #map(): JsonObject {
    const object: JsonObject = {}
    this.items(index => {
      const key = this.string('string')
      const value = this.any()
      if (Object.hasOwn(object, key)) throw duplicateKey(key, index)
      setKey(object, key, value)
    })
    return object
  }

  /** Reads the tags before an item, then the item. `read` is told the tag of a time, whose item is what Go's own reader takes. */
  protected tagged<T>(read: (time: 0 | 1 | undefined) => T): T {
    const { cursor, bytesAs } = this
    let time: 0 | 1 | undefined
    while (cursor.nextType === major.tag) {
      cursor.readHead()
      const tag = Number(cursor.argument)
      if (tag === 0 || tag === 1) checkTimeTag(tag, cursor.bytes[cursor.at]!)
      if (tag === 0 || tag === 1) time = tag
      if (tag !== selfDescribed) this.bytesAs = textOfBytes[tag] ?? this.bytesAs
    }
    const value = read(time)
    this.bytesAs = bytesAs
    return value
  }

  /** Calls `read` for each element of a list, or for each key of a map: it has to read the value, too. */
  protected items(read: (index: number) => void): void {
    const { cursor } = this
    cursor.readHead()
    const length = cursor.isIndefinite ? Number.POSITIVE_INFINITY : Number(cursor.argument)
    for (let i = 0; i < length; i++) {
      if (length === Number.POSITIVE_INFINITY && cursor.takeBreak()) return
      read(i)
    }
  }

  /** Reads text for a Go type whose kind is a string; null is the empty text. */
  string(go: string): string {
    return this.tagged(() => {
      const { cursor } = this
      if (cursor.nextType === major.text) return this.text()
      if (cursor.nextType === major.bytes) return this.byteString().toString(this.bytesAs)
      return this.mismatched(go) ?? ''
    })
  }

  /** Skips an item of a wrong type, and throws for it, except for a null. */
  protected mismatched(go: string, why?: string): null {
    const type = this.cursor.nextType
    if (type === major.simple && this.simple() === null) return null
    // errors of the value itself come first
    if (type === major.text) this.text()
    if (type === major.negative) this.integer(go)
    throw new CborMismatch(type, go, why)
  }

  /** Reads an integer of up to 64 bits. `go`: the type that it is for. */
  protected integer(go: string): number | bigint {
    const { cursor } = this
    cursor.readHead()
    const { type, argument } = cursor
    const value = type === major.negative ? (typeof argument === 'bigint' ? -1n - argument : -1 - argument) : argument
    if (argument > largest) throw new CborMismatch(type, go, `${value} overflows ${this.beyond(type, go)}`)
    // -1 - 2^53 is no exact number
    return typeof value === 'bigint' || Number.isSafeInteger(value) ? value : -1n - BigInt(argument)
  }

  /** Names the type that an integer of more than 64 bits overflows. */
  protected beyond(_type: number, _go: string): string {
    return "Go's int64"
  }

  protected byteString(): Buffer {
    return this.#string(false)
  }

  protected text(): string {
    return this.#string(true).toString()
  }

  /** Reads a string. Of text, each chunk must be valid UTF-8. */
  #string(isText: boolean): Buffer {
    const { cursor } = this
    cursor.readHead()
    if (cursor.isIndefinite) return this.#joined(isText)
    const end = cursor.at + Number(cursor.argument)
    const string = cursor.bytes.subarray(cursor.at, end)
    cursor.at = end
    if (isText && !isUtf8(string)) throw invalidText()
    return string
  }

  /** Joins the chunks of a string. There may be millions of them, so nothing is allocated for each. */
  #joined(isText: boolean): Buffer {
    const { cursor } = this
    const { at: first, bytes } = cursor
    let length = 0
    this.#chunks((_, size) => {
      length += size
    })
    cursor.at = first
    const joined = Buffer.allocUnsafe(length)
    let to = 0
    let isSplit = false
    this.#chunks((from, size) => {
      // a chunk that begins within a character
      if (size > 0 && (bytes[from]! & 0xc0) === 0x80) isSplit = true
      if (size > 0) to += bytes.copy(joined, to, from, from + size)
    })
    if (isText && (isSplit || !isUtf8(joined))) throw invalidText()
    return joined
  }

  #chunks(each: (from: number, size: number) => void): void {
    const { cursor } = this
    while (!cursor.takeBreak()) {
      cursor.readHead()
      const size = Number(cursor.argument)
      each(cursor.at, size)
      cursor.at += size
    }
  }

  /** Reads a float, a boolean or null. */
  protected simple(): number | boolean | null {
    const { cursor } = this
    cursor.readHead()
    const { info, argument } = cursor
    if (info > 24) return cursor.float()
    if (info === 20 || info === 21) return info === 21
    if (info === 22) return null
    throw new CborError(
      `cbor: data item of cbor type ${typeNames[major.simple]} is not accepted by protocol: simple value ${argument} is not recognized`
    )
  }

  #time(tag: 0 | 1): string {
    if (tag === 0) {
      const text = this.text()
      try {
        return rfc3339(text)
      } catch (error) {
        throw error instanceof ScalarError ? new CborError(`cbor: cannot set ${text} for time.Time: ${error.message}`) : error
      }
    }
    const { cursor } = this
    if (cursor.nextType !== major.simple) return unixTime(this.integer('time.Time'), 0)
    const seconds = this.simple() as number
    const whole = Math.trunc(seconds)
    return unixTime(whole, Math.trunc((seconds - whole) * 1e9))
  }
}

const invalidText = () => new CborError('cbor: invalid UTF-8 string')

const timeType: ScalarType = { kind: 'scalar', scalar: 'time', go: 'string' }

/** Returns a time as Go writes it again: in its zone, with as many digits of a second as it needs. */
function rfc3339(text: string): string {
  decodeScalar(timeType, text)
  const fraction = /[.,](\d{1,9})/.exec(text)?.[1]?.replace(/0+$/, '')
  const zone = text.slice(-1) === 'Z' || /[+-]00:00$/.test(text) ? 'Z' : text.slice(-6)
  return `${text.slice(0, 19)}${fraction ? `.${fraction}` : ''}${zone}`
}

function checkTimeTag(tag: 0 | 1, head: number): void {
  const type = head >> 5
  const fits = tag === 0 ? type === major.text : type <= major.negative || (head >= 0xf9 && head <= 0xfb)
  if (!fits)
    throw new CborError(
      `cbor: tag number ${tag} must be followed by ${tag === 0 ? 'text string' : 'integer or floating-point number'}, got ${typeNames[type]}`
    )
}

const yearZero = -62_167_219_200
const yearTenThousand = 253_402_300_800

/** The time as RFC 3339 has it, with as many digits of a second as it needs. */
function unixTime(seconds: number | bigint, nanoseconds: number): string {
  const whole = Number(seconds) + (nanoseconds < 0 ? -1 : 0)
  if (whole < yearZero || whole >= yearTenThousand)
    throw new CborError(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]'
    )
  const fraction = String(nanoseconds < 0 ? nanoseconds + 1e9 : nanoseconds).padStart(9, '0')
  const digits = fraction.replace(/0+$/, '')
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}${digits && `.${digits}`}Z`
}
