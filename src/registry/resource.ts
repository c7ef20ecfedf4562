/** One resource of one server: a kind with its types, its encoded form and its watch cache. */

import type { VersionView, VersionViews } from '../fieldmanager/version-view.js'
import type { TableRow } from '../formats/table.js'
import { converted } from '../patch/conversion.js'
import { madeFrom } from '../schema/decode.js'
import type { StructType } from '../schema/model.js'
import { type GroupResource, plainError } from '../status/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import type { Store } from '../storage/contract.js'
import { DerivedCache } from '../storage/derived-cache.js'
import { WatchCache } from '../storage/watch-cache.js'
import { parseExact } from '../util/exact-json.js'
import { cloneJson, freezeJson } from '../util/json.js'
import type { Logger } from '../util/logger.js'
import { type Form, ObjectForm } from './form/encode.js'
import { SortedForm } from './form/sorted-form.js'
import { type StoredForm, UnreadableError } from './form/stored-form.js'
import { ownForm } from './form/stored-value.js'
import type { KindDefinition, KindVersion, Verb } from './kind.js'

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

export interface ResourceOptions {
  readonly kind: KindDefinition
  /** Those that are served. */
  readonly versions: readonly KindVersion[]
  readonly store: Store
  /** The types that the versions name. */
  readonly types: { type(name: string): StructType }
  readonly now: () => number
  readonly log?: Logger
  /** Left out where the store holds what the cache holds. */
  readonly storedForm?: StoredForm
  /** How the other versions of a custom resource show its objects. */
  readonly views?: VersionViews
  /** The revision at which it came into being, where that is known. */
  readonly since?: number | undefined
}

/** Encoded bytes of the objects of a resource whose parsed form is kept: those few that are asked for with every write. */
const peekedBytes = 256 * 1024

/** What a write hands on to the cache of its own process. */
interface Attachment {
  readonly by: Resource
  readonly object: any
}

/**
 * The versions of a built-in kind share one resource, in memory and in the store in one of them. Each version of a custom
 * resource is a resource of its own, with a cache in that version: there `memoryVersion` is the version itself, and
 * `storedForm` leads to the one that the definition stores.
 */
export class Resource<T = any> {
  readonly kind: KindDefinition
  readonly group: string
  readonly resource: string
  readonly namespaced: boolean
  /** The version in which the cache holds objects and strategies see them. */
  readonly memoryVersion: KindVersion
  readonly versions: ReadonlyMap<string, KindVersion>
  readonly verbs: ReadonlySet<Verb>
  readonly form: Form
  readonly prefix: string
  /** What errors call it. */
  readonly groupResource: GroupResource
  readonly cache: WatchCache
  /** Where its objects are written to. */
  readonly store: Store
  /** Encoded rows of Tables. */
  readonly rows = new DerivedCache<TableRow>()
  readonly #peeked = new DerivedCache<any>(peekedBytes)
  readonly #types = new Map<string, StructType>()
  readonly #schema: ResourceOptions['types']
  readonly #storedForm: StoredForm | undefined
  readonly #views: VersionViews | undefined
  readonly #now: () => number

  constructor({ kind, versions, store, types, now, log, storedForm, views, since }: ResourceOptions) {
    this.#views = views
    this.#now = now
    this.store = store
    this.kind = kind
    this.group = kind.group
    this.resource = kind.resource
    this.namespaced = kind.namespaced
    this.memoryVersion = kind.versions[0]
    this.versions = new Map(versions.map(v => [v.name, v]))
    this.verbs = new Set(kind.virtual ? ['create'] : (kind.verbs ?? allVerbs))
    this.form = new (kind.custom ? SortedForm : ObjectForm)(kind.kind, this.apiVersion(this.memoryVersion.name))
    this.groupResource = { group: kind.group, resource: kind.nameInErrors ?? kind.resource }
    this.prefix = `${store.root}/${kind.storage?.path ?? kind.resource}/`
    this.#schema = types
    this.#storedForm = storedForm
    const fields = kind.fieldSelectors?.fields
    this.cache = new WatchCache(
      store,
      this.prefix,
      {
        read: (value, revision, attachment) => this.#read(value, revision, attachment as Attachment | undefined),
        splice: (value, revision) => this.form.splice(value, revision),
        unreadable: (key, why) => log?.error(`${key} in the store is not shown: ${why}`),
        parse: bytes => parseExact(bytes.toString()) as any,
        replaced: object => {
          this.rows.forget(object)
          this.#peeked.forget(object)
        },
        fields: object => fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value(object)]))
      },
      now,
      since
    )
  }

  #read(value: Buffer, revision: number, attachment: Attachment | undefined) {
    const form = this.#storedForm
    if (attachment?.by === this && (form?.verbatim ?? true))
      return { bytes: this.form.splice(value, revision), object: attachment.object }
    if (!form) {
      const bytes = this.form.splice(ownForm(this, value, this.#now()), revision)
      return { bytes, object: parseExact(bytes.toString()) }
    }
    try {
      const object = form.read(value)
      return { bytes: this.form.splice(this.form.encode(object), revision), object }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      const object = parseExact(value.toString())
      return { bytes: this.form.splice(this.form.encode(object), revision), object, problem: error.message }
    }
  }

  /** What is written to the store for an object, and handed to the cache with it. `encoded` is its encoded form, if that is there. */
  stored(object: any, encoded?: Buffer): { value: Buffer; attachment: unknown } {
    const attachment: Attachment = { by: this, object }
    return { value: this.#storedForm?.write(object) ?? encoded ?? this.form.encode(object), attachment }
  }

  /** What an object becomes by being stored: more than nothing only where that is in another version. */
  asStored(object: any): any {
    const form = this.#storedForm
    if (!form || form.verbatim) return object
    const { resourceVersion } = object.metadata
    const shown = form.read(form.write(object))
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

  /** A version that is served, or that may be in the store. */
  #known(version: string): KindVersion {
    return this.kind.versions.find(v => v.name === version) ?? this.memoryVersion
  }

  /** The cache's key of an object. */
  key(namespace: string, name: string): string {
    return this.namespaced ? `${namespace}/${name}` : name
  }

  get(namespace: string, name: string): CachedObject | undefined {
    return this.cache.get(this.key(namespace, name))
  }

  /** An object, parsed, for those who only look at it: shared by them all, and so frozen. */
  read(namespace: string, name: string): T | undefined {
    const found = this.get(namespace, name)
    return found && this.peek(found)
  }

  /** The objects of a namespace, or of all; as with `read`. */
  list(namespace = ''): T[] {
    return Array.from(this.cache.range(namespace === '' ? '' : `${namespace}/`), found => this.peek(found))
  }

  /** The parsed object, fresh: the caller may change it. */
  parse(object: CachedObject): T {
    if (object.problem !== undefined) throw plainError(object.problem)
    return parseExact(object.bytes.toString()) as T
  }

  /** The parsed object, for those who only look at it: shared by them all, and so frozen. */
  peek(object: CachedObject): T {
    let parsed = this.#peeked.get(object)
    if (!parsed) {
      parsed = freezeJson(this.parse(object))
      this.#peeked.set(object, parsed, object.bytes.length)
    }
    return parsed
  }

  /** A stored-version object as another version shows it. */
  inVersion(object: any, version: string): any {
    if (version === this.memoryVersion.name) return object
    const converted = this.versions.get(version)!.fromStorage?.(object) ?? object
    return { kind: this.kind.kind, apiVersion: this.apiVersion(version), ...omitType(converted) }
  }

  /** Another version as the field manager sees it, from `version` and back. */
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
