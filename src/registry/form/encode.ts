/**
 * The encoded form of objects. An object is turned into JSON once, when it is written; those bytes are what get, list and
 * watch send.
 *
 * Stored:  {"kind":"Pod","apiVersion":"v1","metadata":{"name":…,"uid":"…",…},…}        before the revision is known
 * Cached:  {"kind":"Pod","apiVersion":"v1","metadata":{"name":…,"uid":"…","resourceVersion":"7",…},…}\n
 *
 * So the resourceVersion is spliced in right after the uid. A list item, which has no kind and apiVersion, is `{` followed by the
 * cached bytes from a constant offset on, without the line end.
 */
import type { ItemWriter } from '../../apimachinery/formats/joined-body.js'
import { metadataInOrder } from '../../apimachinery/schema/metadata-order.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { lacksHtmlEscapes } from '../../util/html-escapes.js'
import { parsedHeader, parsedWithoutManagedFields } from './header.js'

/** The encoded form of the objects of a resource. */
export interface Form extends ItemWriter<CachedObject> {
  /** Encodes the stored form. Ignores the object's own resourceVersion, kind and apiVersion. */
  encode(object: any): Buffer
  /** False for a value that another program has stored, or that is in another version. */
  isOwn(value: Buffer): boolean
  /**
   * Parses no more of a stored value than its metadata without managedFields. Returns undefined for a value that is not in its own form.
   */
  headerOf(value: Buffer): any
  /** Parses a value, perhaps without the managedFields: for those who read other fields only. */
  unmanaged(value: Buffer): any
  /** Makes the cached form of an encoded object at a revision. `transient`: the bytes need be valid only until the next call. */
  splice(encoded: Buffer, revision: number, transient?: boolean): Buffer
  /** Returns the length of the cached form of an encoded object. */
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
    return value.compare(head, 0, head.length, 0, Math.min(head.length, value.length)) === 0 && !lacksHtmlEscapes(value)
  }

  headerOf(value: Buffer): any {
    const start = this.#headBytes.length
    if (value.at(-1) !== closing || !this.isOwn(value) || value.indexOf(uidField, start) < 0) return undefined
    return parsedHeader(value, start)
  }

  unmanaged(value: Buffer): any {
    return parsedWithoutManagedFields(value, this.#headBytes.length)
  }

  splice(encoded: Buffer, revision: number, transient = false): Buffer {
    const uid = encoded.indexOf(uidField, this.#headBytes.length)
    // only an object that was stored by hand has no uid
    if (uid < 0) return this.splice(this.encode(withUid(parseExact(encoded.toString()))), revision)
    return withVersion(encoded, uid + uidField.length + uidLength, versionField(revision), transient)
  }

  lengthAt(encoded: Buffer, revision: number): number {
    return encoded.length + versionField(revision).length + 1
  }

  /** Copies a list item into `target`. Returns the offset after the item. */
  write(object: CachedObject, target: Buffer, offset: number): number {
    const bytes = object.glance()
    target[offset] = 0x7b
    return offset + 1 + bytes.copy(target, offset + 1, this.itemStart, bytes.length - 1)
  }

  /** Returns the length of a list item. */
  lengthOf({ length }: CachedObject): number {
    return length - this.itemStart
  }
}

/** Most objects that are looked at only once are assembled in this buffer. */
const room = Buffer.allocUnsafeSlow(64 * 1024)

/** Inserts the resourceVersion into an encoded object at `slot`, and adds a line end. `transient`: the next call may overwrite the bytes. */
export function withVersion(value: Buffer, slot: number, version: string, transient: boolean): Buffer {
  const length = value.length + version.length + 1
  // not from the buffer pool: the long-lived bytes would keep the whole pool in memory
  const out = transient && length <= room.length ? room.subarray(0, length) : Buffer.allocUnsafeSlow(length)
  let at = value.copy(out, 0, 0, slot)
  at += out.write(version, at, 'latin1')
  at += value.copy(out, at, slot)
  out[at] = 0x0a
  return out
}

const closing = 0x7d

const versionField = (revision: number) => `,"resourceVersion":"${revision}"`

const withUid = (object: any): any => ({ ...object, metadata: { ...object.metadata, uid: noUid } })
const noUid = '00000000-0000-0000-0000-000000000000'

/** The fields before the uid are names, which cannot contain a quote, so the first match is the field. */
const uidField = Buffer.from('"uid":"')
/** The length of a uid with its closing quote. */
const uidLength = 37
