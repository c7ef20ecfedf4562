/** One object of a watch cache: a small header, and its encoded bytes, in memory or still in the store. */
import { intern } from '../util/intern.js'
import type { ColdBytes } from './cold-bytes.js'
import { type Lifecycle, lifecycleOf } from './lifecycle.js'
import { shared } from './shared-labels.js'

/** Reads the objects of one resource from their stored form. */
export interface ObjectCodec {
  /** Reads a stored value. `attachment` is what the write passed along, if this process made the write. */
  read(value: Buffer, revision: number, attachment: unknown): ReadObject
  /**
   * Reads no more of a stored value than the header needs, where the bytes to send are `splice` of the value; returns undefined where
   * they are not. Missing for resources whose values are few.
   */
  header?(value: Buffer, revision: number): ReadHeader | undefined
  /**
   * Returns the bytes to send for an encoded object at a revision: kind and apiVersion come first. `transient`: they need be valid only
   * until the next call.
   */
  splice(value: Buffer, revision: number, transient?: boolean): Buffer
  parse(bytes: Buffer): any
  /** Selectable fields beyond name and namespace; undefined when the kind has none. */
  fields(object: any): Record<string, string> | undefined
  /** Reads the same fields from encoded bytes. */
  fieldsIn(bytes: Buffer): Record<string, string> | undefined
  /** Whether the kind has selectable fields: they are not read with the header. */
  readonly hasFields?: boolean
  /** Called for a value that cannot be read, and that the cache therefore does not show. `key` is the store's key. */
  unreadable?(key: string, why: string): void
  /** Called for each object that the cache no longer shows. */
  replaced?(object: CachedObject): void
}

export interface ReadObject {
  /** The bytes to send, including the resource version. */
  readonly bytes: Buffer
  /** The object, or a part with all that the header is made of. */
  readonly object: any
  /** Whether the selectable fields may be missing in `object`. */
  readonly isPart?: boolean
  /** Whether the bytes are `splice` of the stored value, so that they can be made again. */
  readonly verbatim?: boolean
  /** Why the object cannot be shown; undefined when it can. */
  readonly problem?: string
  /**
   * Whether the value would be stored differently now, because it is in another version. Writing the object unchanged stores it
   * anew.
   */
  stale?: boolean
}

export interface ReadHeader {
  /** The length of the bytes to send. */
  readonly length: number
  /** The object, or a part with all that the header is made of. */
  readonly object: any
}

/** The parts in which a copy of an object may differ: other bytes, or none. */
interface Copied {
  readonly from: CachedObject
  readonly bytes: Buffer | undefined
}

type Fields = Readonly<Record<string, string>>
/** Reads the selectable fields from an object's bytes. */
export type ReadFields = (bytes: Buffer) => Fields | undefined

const noLabels: Readonly<Record<string, string>> = {}

/** One object at one revision. It is immutable, except for whether its bytes are in memory. */
export class CachedObject {
  /** Below the resource's prefix: "namespace/name" or "name". */
  readonly key: string
  readonly namespace: string
  readonly revision: number
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  readonly lifecycle: Lifecycle | undefined
  /** The length of `bytes`. */
  readonly length: number
  /** Set on an object that cannot be shown: the error to answer instead. */
  readonly problem: string | undefined
  /** Whether the stored value is to be replaced even by an update that changes nothing. */
  readonly stale: boolean
  /** A function reads them from the bytes when they are asked for. */
  #fields: Fields | undefined | ReadFields
  #bytes: Buffer | undefined
  /** The stored value of a former state, of which the bytes are made whenever they are asked for. */
  #value: Buffer | undefined
  /** Where the bytes come from when they are not in memory; undefined for an object that keeps them. */
  #cold: ColdBytes | undefined
  /** Whether the bytes have been asked for since their memory was last wanted. */
  #used = false

  /** Without bytes, the object has them read from `cold` when they are asked for. */
  constructor(
    key: string,
    revision: number,
    read: ReadObject | ReadHeader | Copied,
    fields: Fields | undefined | ReadFields,
    cold?: ColdBytes | undefined
  ) {
    const { from, bytes } = read as Copied
    const { object, problem, stale = false } = read as ReadObject
    this.key = key
    this.namespace = from ? from.namespace : namespaceOf(key)
    this.revision = revision
    this.uid = from ? from.uid : (object.metadata.uid ?? '')
    this.labels = from ? from.labels : object.metadata.labels ? shared(object.metadata.labels) : noLabels
    this.#fields = fields
    this.lifecycle = from ? from.lifecycle : lifecycleOf(object.metadata)
    this.length = bytes ? bytes.length : (from ?? (read as ReadHeader)).length
    this.problem = from ? from.problem : problem
    this.stale = from ? from.stale : stale
    this.#bytes = bytes
    this.#cold = cold
    if (bytes) cold?.resident.add(this)
  }

  get name(): string {
    return this.namespace === '' ? this.key : this.key.slice(this.namespace.length + 1)
  }

  /** The values of selectable fields. */
  get fields(): Fields | undefined {
    if (typeof this.#fields === 'function') this.#fields = this.#fields(this.#bytes ?? this.#read(true))
    return this.#fields
  }

  /** The whole object as JSON, including the resourceVersion. The bytes stay in memory for the next readers. */
  get bytes(): Buffer {
    this.#used = true
    return this.#bytes ?? this.#warm()
  }

  /**
   * The same for those who look at many objects: it takes no memory from objects that are asked for one by one. The bytes may be valid
   * only until the next call, on any object.
   */
  glance(): Buffer {
    if (this.#bytes) return this.#bytes
    return !this.#value && this.#cold!.resident.hasRoomFor(this.length) ? this.#warm() : this.#read(true)
  }

  #warm(): Buffer {
    const bytes = this.#read(false)
    if (this.#value) return bytes
    this.#bytes = bytes
    this.#cold!.resident.add(this)
    return bytes
  }

  #read(transient: boolean): Buffer {
    const cold = this.#cold!
    return this.#value ? cold.made(this.#value, this.revision, transient) : cold.read(this, transient)
  }

  /** Gives the memory of the bytes back, unless somebody has asked for them since the last call. Returns whether it did. */
  cool(): boolean {
    if (this.#used) {
      this.#used = false
      return false
    }
    this.#bytes = undefined
    return true
  }

  /**
   * Makes the object keep its bytes, because it is no longer the present state, which is all that the store is sure to have. With a stored
   * value that lasts, it keeps that instead: the history of the store has it, too.
   */
  keep(lasting?: Buffer): void {
    const cold = this.#cold
    if (!cold || this.#value) return
    if (this.#bytes) cold.resident.remove(this)
    this.#value = lasting
    if (lasting) this.#bytes = undefined
    else {
      this.#bytes ??= cold.read(this, false)
      this.#cold = undefined
    }
  }

  /** Returns the same object for a cache whose store holds it, too. */
  of(cold: ColdBytes): CachedObject {
    if (!this.#cold || this.#value) return this
    const fields = typeof this.#fields === 'function' ? cold.fields : this.#fields
    return new CachedObject(this.key, this.revision, { from: this, bytes: undefined }, fields, cold)
  }

  /** Returns the object with other bytes, as of another revision. */
  as(revision: number, bytes: Buffer): CachedObject {
    return new CachedObject(this.key, revision, { from: this, bytes }, this.fields)
  }
}

function namespaceOf(key: string): string {
  const slash = key.indexOf('/')
  return slash < 0 ? '' : intern(key.slice(0, slash))
}
