/** One object of a watch cache: its encoded bytes and a small header. */
import { intern } from '../util/intern.js'
import { type Lifecycle, lifecycleOf } from './lifecycle.js'

/** Reads the objects of one resource from their stored form. */
export interface ObjectCodec {
  /** Reads a stored value. `attachment` is what the write passed along, if this process made the write. */
  read(value: Buffer, revision: number, attachment: unknown): ReadObject
  /** Returns the bytes to send for an encoded object at a revision: kind and apiVersion come first. */
  splice(value: Buffer, revision: number): Buffer
  parse(bytes: Buffer): any
  /** Selectable fields beyond name and namespace; undefined when the kind has none. */
  fields(object: any): Record<string, string> | undefined
  /** Called for a value that cannot be read, and that the cache therefore does not show. `key` is the store's key. */
  unreadable?(key: string, why: string): void
  /** Called for each object that the cache no longer shows. */
  replaced?(object: CachedObject): void
}

export interface ReadObject {
  /** The bytes to send, including the resource version. */
  readonly bytes: Buffer
  readonly object: any
  /** Why the object cannot be shown; undefined when it can. */
  readonly problem?: string
  /** The value would be stored differently now: it is of another version. Writing the object unchanged stores it anew. */
  stale?: boolean
}

const noLabels: Readonly<Record<string, string>> = {}

/** One object at one revision. Immutable. */
export class CachedObject {
  /** Below the resource's prefix: "namespace/name" or "name". */
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly revision: number
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>> | undefined
  readonly lifecycle: Lifecycle | undefined
  /** The whole object as JSON, resourceVersion included. */
  readonly bytes: Buffer
  /** Set on an object that cannot be shown: the error to answer instead. */
  readonly problem: string | undefined
  /** Whether the stored value is to be replaced even by an update that changes nothing. */
  readonly stale: boolean

  constructor(
    key: string,
    revision: number,
    { bytes, object, problem, stale = false }: ReadObject,
    fields: Record<string, string> | undefined
  ) {
    this.key = key
    const slash = key.indexOf('/')
    this.namespace = slash < 0 ? '' : intern(key.slice(0, slash))
    this.name = slash < 0 ? key : key.slice(slash + 1)
    this.revision = revision
    this.uid = object.metadata.uid ?? ''
    this.labels = object.metadata.labels ?? noLabels
    this.fields = fields
    this.lifecycle = lifecycleOf(object.metadata)
    this.bytes = bytes
    this.problem = problem
    this.stale = stale
  }
}
