/** One object of a watch cache: its bytes and a small header. */
import { intern } from '../util/intern.js'
import { type Lifecycle, lifecycleOf } from './lifecycle.js'

/** How the objects of a resource are read from their stored form. */
export interface ObjectCodec {
  /** Reads a stored value. `attachment` is what the write handed on, if this process made it. */
  read(value: Buffer, revision: number, attachment: unknown): ReadObject
  /** The bytes to send for an encoded object at a revision: kind and apiVersion first. */
  splice(value: Buffer, revision: number): Buffer
  parse(bytes: Buffer): any
  /** Selectable fields beyond name and namespace; undefined when the kind has none. */
  fields(object: any): Record<string, string> | undefined
  /** Told of a value that cannot be read, which the cache then does not show. `key` is that of the store. */
  unreadable?(key: string, why: string): void
  /** Told of objects that the cache no longer shows. */
  replaced?(object: CachedObject): void
}

export interface ReadObject {
  /** To send, with the revision in it. */
  readonly bytes: Buffer
  readonly object: any
  /** Why the object cannot be shown, if so. */
  readonly problem?: string
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
  /** Set on an object that cannot be shown: what to say instead. */
  readonly problem: string | undefined

  constructor(key: string, revision: number, { bytes, object, problem }: ReadObject, fields: Record<string, string> | undefined) {
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
  }
}
