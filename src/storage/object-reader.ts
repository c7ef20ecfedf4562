import { exactJson } from '../util/exact-json.js'
import type { CacheCounts } from './cache-counts.js'
import { CachedObject, type ObjectCodec, type ReadFields } from './cached-object.js'
import type { ColdBytes } from './cold-bytes.js'
import type { KeyValue } from './contract.js'
import { readEncrypted } from './encryption/identity.js'
import { isEncrypted, TransformError } from './encryption/transformer.js'

/** A stored value that cannot be read. */
export interface UnreadableValue {
  readonly error: Error
  /** The revision of the value. */
  readonly revision: number
}

/** Makes the objects of a watch cache of the store's values, and keeps account of those that it cannot read. */
export class ObjectReader {
  /** Why each value that cannot be read is unreadable, by key. */
  unreadable = new Map<string, UnreadableValue>()
  readonly #prefix: string
  readonly #codec: ObjectCodec
  readonly #counts: CacheCounts
  readonly #cold: ColdBytes | undefined
  readonly #fieldsIn: ReadFields

  constructor(prefix: string, codec: ObjectCodec, counts: CacheCounts, cold: ColdBytes | undefined) {
    this.#prefix = prefix
    this.#codec = codec
    this.#counts = counts
    this.#cold = cold
    this.#fieldsIn = cold?.fields ?? (bytes => codec.fieldsIn(bytes))
  }

  /** The cache's key of a value: the store's without the prefix. */
  keyOf({ key }: Pick<KeyValue, 'key'>): string {
    return key.slice(this.#prefix.length)
  }

  /** Reads a present value, or no more of it than the header needs. Records the reason when it cannot be shown. */
  shown(item: KeyValue, attachment: unknown, isHeader = false): CachedObject | undefined {
    const key = this.keyOf(item)
    try {
      const object = (isHeader && this.#cold && this.#header(item, this.#cold)) || this.#cached(item, attachment, this.#cold)
      this.unreadable.delete(key)
      return object
    } catch (error) {
      const why = error instanceof Error ? error : new Error(String(error))
      this.unreadable.set(key, { error: why, revision: item.modRevision })
      this.#counts.unreadable++
      this.#codec.unreadable?.(item.key, why.message)
      return undefined
    }
  }

  /** Reads a value for one answer, without keeping account of it. Throws when it cannot be shown. */
  once(item: KeyValue): CachedObject {
    return this.#cached(item, undefined, undefined)
  }

  /** Reads a former value. Returns undefined for one that cannot be read. */
  past(item: KeyValue | undefined): CachedObject | undefined {
    try {
      return item && this.#cached(item, undefined, undefined)
    } catch {
      return undefined
    }
  }

  /** The last state of a deleted object, with the resource version of its deletion. */
  readonly asDeleted = (object: CachedObject, revision: number): CachedObject => {
    const parsed = this.#codec.parse(object.bytes)
    delete parsed.metadata.resourceVersion
    const bytes = this.#codec.splice(Buffer.from(exactJson(parsed)), revision)
    return object.as(revision, bytes)
  }

  #cached(item: KeyValue, attachment: unknown, cold: ColdBytes | undefined): CachedObject {
    if (item.unreadable !== undefined) throw new TransformError(item.unreadable)
    if (isEncrypted(item.value)) throw new TransformError(readEncrypted)
    const found = this.#codec.read(item.value, item.modRevision, attachment)
    const read = item.unconverted === undefined ? found : { ...found, problem: item.unconverted }
    if (item.stale) read.stale = true
    const fields = read.isPart ? this.#fieldsIn : this.#codec.fields(read.object)
    return new CachedObject(this.keyOf(item), item.modRevision, read, fields, read.verbatim ? cold : undefined)
  }

  #header(item: KeyValue, cold: ColdBytes): CachedObject | undefined {
    const read = this.#codec.header?.(item.value, item.modRevision)
    if (!read) return undefined
    return new CachedObject(this.keyOf(item), item.modRevision, read, this.#codec.hasFields ? this.#fieldsIn : undefined, cold)
  }
}
