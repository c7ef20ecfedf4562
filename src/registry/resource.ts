/** One resource of one server: a kind with its types, its encoded form and its watch cache. */

import type { VersionView, VersionViews } from '../apimachinery/fieldmanager/version-view.js'
import { isCbor, parseStored } from '../apimachinery/formats/cbor/stored.js'
import type { TableRow } from '../apimachinery/formats/table.js'
import { converted } from '../apimachinery/patch/conversion.js'
import { madeFrom } from '../apimachinery/schema/decode.js'
import type { StructType } from '../apimachinery/schema/model.js'
import { type GroupResource, plainError } from '../apimachinery/status/status.js'
import type { CacheImage } from '../storage/cache-image.js'
import type { CachedObject, ReadHeader } from '../storage/cached-object.js'
import { isConverting, type Store } from '../storage/contract.js'
import { DerivedCache } from '../storage/derived-cache.js'
import { WatchCache } from '../storage/watch-cache.js'
import { parseExact } from '../util/exact-json.js'
import { cloneJson, freezeJson } from '../util/json.js'
import type { Logger } from '../util/logger.js'
import { type Form, ObjectForm } from './form/encode.js'
import { SortedForm } from './form/sorted-form.js'
import { type StoredForm, UnreadableError } from './form/stored-form.js'
import { ownForm } from './form/stored-value.js'
import { versionForm } from './form/version-form.js'
import type { KindDefinition, KindVersion, Verb } from './kind.js'

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

export interface ResourceOptions {
  readonly kind: KindDefinition
  /** The versions that are served. */
  readonly versions: readonly KindVersion[]
  readonly store: Store
  /** Finds the types that the versions name. */
  readonly types: { type(name: string): StructType }
  readonly now: () => number
  readonly log?: Logger
  /** Undefined when objects are stored in the form and version of the cache. */
  readonly storedForm?: StoredForm
  /** The version of a built-in kind in which its objects are stored. Default: that of the cache. */
  readonly storageVersion?: string
  /** Converts the objects of a custom resource to its other versions. */
  readonly views?: VersionViews
  /** Seconds after which an object expires that is not written again; undefined for never. */
  readonly ttl?: number | undefined
  /** The revision at which the resource was created, if known. */
  readonly since?: number | undefined
}

/** How many encoded bytes of parsed objects are kept for each resource: enough for the few objects that every write reads. */
const peekedBytes = 256 * 1024

/** How many bytes of Protobuf messages are kept for each resource and version: those of some thousand Pods. */
const messageBytes = 16 * 1024 * 1024

/** The cache of a resource, with which the same resource of another server can begin. */
export interface ResourceImage {
  readonly cache: CacheImage
  readonly peeked: DerivedCache<any>
}

/** The parsed object that a write passes to the watch cache of its own process. */
interface Attachment {
  readonly by: Resource
  readonly object: any
}

/**
 * A built-in kind has one resource for all its versions; the cache has objects in the storage version. A custom resource has a resource
 * for each version, with a cache in that version: `memoryVersion` is the version itself, and `storedForm` converts to the definition's
 * storage version and back.
 */
export class Resource<T = any> {
  readonly kind: KindDefinition
  readonly group: string
  readonly resource: string
  readonly namespaced: boolean
  /** The version in which the cache holds objects and strategies see them. */
  readonly memoryVersion: KindVersion
  /**
   * The version in which kube-apiserver stores objects. This server stores them in it as well, unless its fields differ from the
   * cache's version.
   */
  readonly storageVersion: { readonly group: string; readonly version: string }
  readonly versions: ReadonlyMap<string, KindVersion>
  readonly verbs: ReadonlySet<Verb>
  readonly form: Form
  readonly prefix: string
  /** The group and name of the resource in errors. */
  readonly groupResource: GroupResource
  /** The fields whose values the cache knows for each object: the selectable ones, and those with an index. */
  readonly indexedFields: readonly string[]
  readonly cache: WatchCache
  /** The store of the objects. */
  readonly store: Store
  /** Seconds after which an object expires that is not written again; undefined for never. */
  readonly ttl: number | undefined
  /** Encoded rows of Tables. */
  readonly rows = new DerivedCache<TableRow>()
  readonly #messages = new Map<string, DerivedCache<Buffer>>()
  #peeked = new DerivedCache<any>(peekedBytes)
  readonly #types = new Map<string, StructType>()
  readonly #schema: ResourceOptions['types']
  readonly #storedForm: StoredForm | undefined
  readonly #views: VersionViews | undefined
  readonly #now: () => number

  constructor({ kind, versions, store, types, now, log, storedForm, storageVersion, views, ttl, since }: ResourceOptions) {
    this.#views = views
    this.#now = now
    this.store = store
    this.ttl = ttl
    this.kind = kind
    this.group = kind.group
    this.resource = kind.resource
    this.namespaced = kind.namespaced
    this.memoryVersion = kind.versions.find(({ name }) => name === kind.storage?.cachedAs) ?? kind.versions[0]
    this.versions = new Map(versions.map(v => [v.name, v]))
    this.verbs = new Set(kind.virtual ? ['create'] : (kind.verbs ?? allVerbs))
    this.form = new (kind.custom ? SortedForm : ObjectForm)(kind.kind, this.apiVersion(this.memoryVersion.name))
    this.groupResource = { group: kind.group, resource: kind.nameInErrors ?? kind.resource }
    this.prefix = `${store.root}/${kind.storage?.path ?? kind.resource}/`
    this.#schema = types
    const cached = this.memoryVersion.name
    this.storageVersion = kind.storage?.storedAs ?? { group: kind.group, version: storageVersion ?? cached }
    this.#storedForm =
      storedForm ?? (storageVersion && storageVersion !== cached ? versionForm(this, storageVersion, now) : undefined)
    const fields = { ...kind.indexes, ...kind.fieldSelectors?.fields }
    this.indexedFields = Object.keys(fields)
    const hasFields = this.indexedFields.length > 0
    const fieldsOf = (object: any) =>
      hasFields ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value(object)])) : undefined
    this.cache = new WatchCache(
      store,
      this.prefix,
      {
        read: (value, revision, attachment) => this.#read(value, revision, attachment as Attachment | undefined),
        header: (value, revision) => this.#header(value, revision),
        hasFields,
        splice: (value, revision, transient) => this.form.splice(value, revision, transient),
        unreadable: (key, why) => log?.error(`${key} in the store is not shown: ${why}`),
        parse: bytes => parseExact(bytes.toString()) as any,
        replaced: object => {
          this.rows.forget(object)
          for (const messages of this.#messages.values()) messages.forget(object)
          this.#peeked.forget(object)
        },
        fields: fieldsOf,
        fieldsIn: bytes => fieldsOf(this.form.unmanaged(bytes))
      },
      now,
      since
    )
  }

  #read(value: Buffer, revision: number, attachment: Attachment | undefined) {
    const form = this.#storedForm
    if (attachment?.by === this && (form?.verbatim ?? true)) {
      const { object } = attachment
      const verbatim = !isCbor(value)
      return { bytes: this.form.splice(verbatim ? value : this.form.encode(object), revision), object, verbatim }
    }
    if (!form) {
      const own = ownForm(this, value, this.#now())
      const bytes = this.form.splice(own, revision)
      // values that others than servers may have written to a shared store are parsed as a whole
      const header = this.store.shared ? undefined : this.form.headerOf(own)
      const isPart = header !== undefined && this.indexedFields.length > 0
      return { bytes, object: header ?? parseExact(bytes.toString()), isPart, stale: own !== value, verbatim: own === value }
    }
    try {
      const object = form.read(value)
      return { bytes: this.form.splice(this.form.encode(object), revision), object, stale: !form.isCurrent(value, object) }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      const object = parseStored(value)
      return { bytes: this.form.splice(this.form.encode(object), revision), object, problem: error.message }
    }
  }

  /** Returns undefined where the cached bytes are not the stored ones with the version in them. */
  #header(value: Buffer, revision: number): ReadHeader | undefined {
    const form = this.#storedForm
    if (!form) {
      const object = this.form.headerOf(value)
      return object && { length: this.form.lengthAt(value, revision), object }
    }
    if (!form.verbatim || !form.isCurrent(value) || isCbor(value)) return undefined
    const object = form.read(value)
    return this.form.encode(object).equals(value) ? { length: this.form.lengthAt(value, revision), object } : undefined
  }

  /** Returns the stored value of an object, and the attachment for the watch cache. `encoded` is the encoded object, if known. */
  stored(object: any, encoded?: Buffer): { value: Buffer; attachment: unknown } {
    const attachment: Attachment = { by: this, object }
    return { value: this.#storedForm?.write(object) ?? encoded ?? this.form.encode(object), attachment }
  }

  /** Returns an object as a read after the write shows it: storing in another version may change it. */
  asStored(object: any): any {
    const form = this.#storedForm
    if (!form || form.verbatim) return object
    const { resourceVersion } = object.metadata
    const shown = form.read(form.write(object))
    if (resourceVersion !== undefined) shown.metadata.resourceVersion = resourceVersion
    return shown
  }

  /** The same where a webhook converts. Throws what it throws. */
  async rehearsed(object: any): Promise<any> {
    if (!isConverting(this.store)) return this.asStored(object)
    const { resourceVersion, ...metadata } = object.metadata
    const shown: any = parseExact((await this.store.rehearsed(this.form.encode({ ...object, metadata }))).toString())
    if (resourceVersion !== undefined) shown.metadata.resourceVersion = resourceVersion
    return shown
  }

  /** "apps/v1" */
  apiVersion(version: string): string {
    if (version === this.memoryVersion.name && this.memoryVersion.apiVersion !== undefined) return this.memoryVersion.apiVersion
    return this.group === '' ? version : `${this.group}/${version}`
  }

  type(version: string): StructType {
    let type = this.#types.get(version)
    if (!type) this.#types.set(version, (type = this.#schema.type(this.#known(version).type)))
    return type
  }

  /** Returns a version that is served, or that may be stored. */
  #known(version: string): KindVersion {
    return this.kind.versions.find(v => v.name === version) ?? this.memoryVersion
  }

  /** The key of an object in the watch cache. */
  key(namespace: string, name: string): string {
    return this.namespaced ? `${namespace}/${name}` : name
  }

  get(namespace: string, name: string): CachedObject | undefined {
    return this.cache.get(this.key(namespace, name))
  }

  /** Whether a webhook made what the cache holds of an object, and may make something else of it by now. */
  mayChange(object?: CachedObject): boolean {
    return this.#storedForm?.mayChange?.(object) ?? false
  }

  /** Whether a webhook converts what is not stored in the resource's version. */
  get isConverted(): boolean {
    return this.#storedForm?.mayChange !== undefined
  }

  /** Returns an object as the store and the webhook that converts it have it now. */
  readStored(namespace: string, name: string): Promise<CachedObject | undefined> {
    return this.cache.readStored(this.key(namespace, name))
  }

  /** Parses a value that the store had at a revision. Throws a StatusError for one that cannot be read. */
  past(value: Buffer, revision: number): T {
    const { bytes, problem } = this.#read(value, revision, undefined)
    if (problem !== undefined) throw plainError(problem)
    return parseExact(bytes.toString()) as T
  }

  /** Returns a parsed object, shared and therefore frozen: for callers that only read it. */
  read(namespace: string, name: string): T | undefined {
    const found = this.get(namespace, name)
    return found && this.peek(found)
  }

  /** Returns the parsed objects of one namespace or of all, shared and frozen. */
  list(namespace = ''): T[] {
    return Array.from(this.cache.range(namespace === '' ? '' : `${namespace}/`), found => this.peek(found))
  }

  /** Protobuf messages in a version. */
  messages(version: string): DerivedCache<Buffer> {
    let messages = this.#messages.get(version)
    if (!messages) this.#messages.set(version, (messages = new DerivedCache(messageBytes)))
    return messages
  }

  /** Takes an image of the cache, with the parsed objects, which nobody changes. Undefined while the cache is not ready. */
  image(): ResourceImage | undefined {
    const cache = this.cache.image()
    return cache && { cache, peeked: this.#peeked }
  }

  /** Begins with the cache of the same resource in another server. */
  beginWith({ cache, peeked }: ResourceImage): void {
    this.cache.beginWith(cache)
    this.#peeked = peeked
  }

  /** Parses the object anew: the caller may change it. */
  parse(object: CachedObject): T {
    if (object.problem !== undefined) throw plainError(object.problem)
    return parseExact(object.glance().toString()) as T
  }

  /** Returns the parsed object, shared and therefore frozen: for callers that only read it. */
  peek(object: CachedObject): T {
    let parsed = this.#peeked.get(object)
    if (!parsed) {
      parsed = freezeJson(this.parse(object))
      this.#peeked.set(object, parsed, object.length)
    }
    return parsed
  }

  /** Converts an object from the version of the cache to another version. */
  inVersion(object: any, version: string): any {
    if (version === this.memoryVersion.name) return object
    const converted = this.versions.get(version)!.fromStorage?.(object) ?? object
    return { kind: this.kind.kind, apiVersion: this.apiVersion(version), ...omitType(converted) }
  }

  /** Returns the conversions that the field manager needs, from `version` to `apiVersion` and back. */
  view(apiVersion: string, version: string): VersionView | undefined {
    if (this.#views) return this.#views(apiVersion)
    const other = [...this.versions.keys()].find(name => this.apiVersion(name) === apiVersion)
    if (other === undefined) return undefined
    const convert = (object: any, from: string, to: string) =>
      this.inVersion(this.toStorage(cloneJson(converted(this.type(from), object).object), from), to)
    return {
      type: this.type(other),
      from: object => convert(object, version, other),
      back: object => convert(object, other, version)
    }
  }

  toStorage(object: any, version: string): any {
    if (version === this.memoryVersion.name) return object
    const converted = this.#known(version).toStorage?.(object) ?? object
    const stored = { kind: this.kind.kind, apiVersion: this.apiVersion(this.memoryVersion.name), ...omitType(converted) }
    return madeFrom(object, stored)
  }
}

function omitType(object: any): any {
  const { kind: _, apiVersion: __, ...rest } = object
  return rest
}
