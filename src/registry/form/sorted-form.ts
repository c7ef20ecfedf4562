/**
 * The encoded form of custom resources, whose keys are sorted on every level, as Go writes maps. The stored form lacks the
 * resourceVersion, which comes before the uid:
 *
 * Stored:  {"apiVersion":…,"kind":…,"metadata":{…,"uid":"…"},"spec":…}
 * Cached:  {"apiVersion":…,"kind":…,"metadata":{…,"resourceVersion":"7","uid":"…"},"spec":…}\n
 */
import type { CachedObject } from '../../storage/cached-object.js'
import { parseExact } from '../../util/exact-json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { type Form, withVersion } from './encode.js'

export class SortedForm implements Form {
  readonly #kind: string
  readonly #apiVersion: string
  readonly #head: Buffer
  readonly #versionText: string

  constructor(kind: string, apiVersion: string) {
    this.#kind = kind
    this.#apiVersion = apiVersion
    this.#versionText = JSON.stringify(apiVersion)
    this.#head = Buffer.from(`{"apiVersion":${this.#versionText},`)
  }

  encode(object: any): Buffer {
    const { resourceVersion: _, ...metadata } = object.metadata
    return Buffer.from(sortedJson({ ...object, kind: this.#kind, apiVersion: this.#apiVersion, metadata }))
  }

  isOwn(value: Buffer): boolean {
    if (value.at(-1) !== closing) return false
    return value.subarray(0, this.#head.length).equals(this.#head) || this.#hasVersionAfterOthers(value)
  }

  /** Whether the apiVersion follows root fields that sort before it. */
  #hasVersionAfterOthers(value: Buffer): boolean {
    let at = 1
    while (value[at] === quote) {
      const end = endOfText(value, at)
      const name = value.toString('latin1', at + 1, end - 1)
      const next = endOfValue(value, end + 1)
      if (name === 'apiVersion') return value.toString('utf8', end + 1, next) === this.#versionText
      if (name > 'apiVersion') return false
      at = next + 1
    }
    return false
  }

  /** The values of custom resources are read through their schema: defaults and pruning may make other objects of them. */
  headerOf(): undefined {
    return undefined
  }

  unmanaged(value: Buffer): any {
    return parseExact(value.toString())
  }

  splice(encoded: Buffer, revision: number, transient = false): Buffer {
    const slot = slotOf(encoded)
    // only an object that was stored by hand has no uid after the resourceVersion
    const last = encoded[slot] === closing
    const version = `${last ? ',' : ''}"resourceVersion":"${revision}"${last ? '' : ','}`
    return withVersion(encoded, slot, version, transient)
  }

  lengthAt(encoded: Buffer, revision: number): number {
    return encoded.length + `"resourceVersion":"${revision}",`.length + 1
  }

  write(object: CachedObject, target: Buffer, offset: number): number {
    const bytes = object.glance()
    return offset + bytes.copy(target, offset, 0, bytes.length - 1)
  }

  lengthOf({ length }: CachedObject): number {
    return length - 1
  }
}

const quote = 0x22
const backslash = 0x5c
const closing = 0x7d
const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b
const isClosing = (byte: number | undefined) => byte === closing || byte === 0x5d

/** Returns the offset for the resourceVersion: before the first metadata field that sorts after it, or at the metadata's end. */
function slotOf(value: Buffer): number {
  let at = 1
  let end = endOfText(value, at)
  while (value.toString('latin1', at, end) !== '"metadata"') {
    at = endOfValue(value, end + 1) + 1
    if (at >= value.length) throw new Error('an object without metadata cannot have a version')
    end = endOfText(value, at)
  }
  for (at = end + 2; value[at] === quote; ) {
    end = endOfText(value, at)
    if (value.toString('latin1', at + 1, end - 1) > 'resourceVersion') return at
    at = endOfValue(value, end + 1)
    if (value[at] !== closing) at++
  }
  return at
}

/** Returns the offset after a string, which begins at `at`. */
function endOfText(value: Buffer, at: number): number {
  let i = at + 1
  while (i < value.length && value[i] !== quote) i += value[i] === backslash ? 2 : 1
  return i + 1
}

/** Returns the offset of the comma or brace after a value. */
function endOfValue(value: Buffer, at: number): number {
  let depth = 0
  for (let i = at; i < value.length; ) {
    const byte = value[i]
    if (byte === quote) i = endOfText(value, i)
    else if (isOpening(byte)) {
      depth++
      i++
    } else if (depth > 0 && isClosing(byte)) {
      depth--
      i++
    } else if (depth === 0 && (byte === 0x2c || isClosing(byte))) return i
    else i++
  }
  return value.length
}
