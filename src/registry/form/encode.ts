/**
 * The encoded form of objects. An object is turned into JSON once, when it is written; those bytes are what get, list and
 * watch send.
 *
 * Stored:  {"kind":"Pod","apiVersion":"v1","metadata":{"name":…,"uid":"…",…},…}        the revision is not known yet
 * Cached:  {"kind":"Pod","apiVersion":"v1","metadata":{"name":…,"uid":"…","resourceVersion":"7",…},…}\n
 *
 * So the version goes in right after the uid, and a list item, which has no kind and apiVersion, is `{` and the cached
 * bytes after a constant number of bytes, without the line end.
 */
import type { ItemWriter } from '../../formats/joined-body.js'
import { metadataInOrder } from '../../schema/metadata-order.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { exactJson, parseExact } from '../../util/exact-json.js'

/** What the objects of a resource are as bytes. */
export interface Form extends ItemWriter<CachedObject> {
  /** The stored form. The object's own resourceVersion, kind and apiVersion do not matter. */
  encode(object: any): Buffer
  /** False for a value that some other program has stored, or that is of another version. */
  isOwn(value: Buffer): boolean
  /** The cached form of a stored value at a revision. */
  splice(value: Buffer, revision: number): Buffer
  /** How long the cached form of an encoded object is. */
  lengthAt(encoded: Buffer, revision: number): number
}

export class ObjectForm implements Form {
  /** `{"kind":"Pod","apiVersion":"v1","metadata":{` */
  readonly #head: string
  readonly #headBytes: Buffer
  /** Where a list item's bytes begin in the cached form, after its opening brace. */
  readonly itemStart: number

  constructor(kind: string, apiVersion: string) {
    const type = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`
    this.#head = `${type}"metadata":{`
    this.#headBytes = Buffer.from(this.#head)
    this.itemStart = Buffer.byteLength(type)
  }

  encode(object: any): Buffer {
    const { kind: _, apiVersion: __, metadata, ...rest } = object
    const meta = metadataInOrder(metadata)
    meta.resourceVersion = undefined
    const tail = exactJson(rest)
    return Buffer.from(`${this.#head}${exactJson(meta).slice(1)}${tail === '{}' ? '' : `,${tail.slice(1, -1)}`}}`)
  }

  isOwn(value: Buffer): boolean {
    const head = this.#headBytes
    return value.compare(head, 0, head.length, 0, Math.min(head.length, value.length)) === 0
  }

  splice(value: Buffer, revision: number): Buffer {
    if (!this.isOwn(value)) return this.splice(this.encode(parseExact(value.toString())), revision)
    const uid = value.indexOf(uidField, this.#headBytes.length)
    // only an object that was put into the store by hand has none
    if (uid < 0) return this.splice(this.encode(withUid(parseExact(value.toString()))), revision)
    const slot = uid + uidField.length + uidLength
    const version = versionField(revision)
    return withVersion(value, slot, version)
  }

  lengthAt(encoded: Buffer, revision: number): number {
    return encoded.length + versionField(revision).length + 1
  }

  /** Puts a list's item into `target` and returns the offset after it. */
  write({ bytes }: CachedObject, target: Buffer, offset: number): number {
    target[offset] = 0x7b
    return offset + 1 + bytes.copy(target, offset + 1, this.itemStart, bytes.length - 1)
  }

  /** How long an item is in a list. */
  lengthOf({ bytes }: CachedObject): number {
    return bytes.length - this.itemStart
  }
}

/** The encoded object with its version put in at `slot`, and a line end. */
export function withVersion(value: Buffer, slot: number, version: string): Buffer {
  // exactly as large as needed: a slice of a pool would keep the pool
  const out = Buffer.allocUnsafeSlow(value.length + version.length + 1)
  let at = value.copy(out, 0, 0, slot)
  at += out.write(version, at, 'latin1')
  at += value.copy(out, at, slot)
  out[at] = 0x0a
  return out
}

const versionField = (revision: number) => `,"resourceVersion":"${revision}"`

const withUid = (object: any): any => ({ ...object, metadata: { ...object.metadata, uid: noUid } })
const noUid = '00000000-0000-0000-0000-000000000000'

/** Before the uid there are only names, in which no quote can be, so the first match is the field. */
const uidField = Buffer.from('"uid":"')
/** A uid and its closing quote. */
const uidLength = 37
