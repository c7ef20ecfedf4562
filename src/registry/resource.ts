/** One resource of one server: a kind with its types, its encoded form and its watch cache. */

import type { Schema } from '../schema/load.js'
import type { StructType } from '../schema/model.js'
import type { GroupResource } from '../server/status.js'
import type { Store } from '../storage/contract.js'
import { DerivedCache } from '../storage/derived-cache.js'
import { type CachedObject, WatchCache } from '../storage/watch-cache.js'
import { ObjectForm } from './encode.js'
import type { KindDefinition, KindVersion, Verb } from './kind.js'
import { ownForm } from './stored-value.js'

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** A row of a Table as it was encoded, for one form of Table, and until when it is right (milliseconds). */
export interface TableRow {
  readonly form: string
  readonly row: Buffer
  readonly expires: number
}

export class Resource {
  readonly kind: KindDefinition
  readonly group: string
  readonly resource: string
  readonly namespaced: boolean
  /** The version in which objects are stored and strategies see them. */
  readonly storageVersion: KindVersion
  readonly versions: ReadonlyMap<string, KindVersion>
  readonly verbs: ReadonlySet<Verb>
  readonly form: ObjectForm
  readonly prefix: string
  /** What errors call it. */
  readonly groupResource: GroupResource
  readonly cache: WatchCache
  /** Encoded rows of Tables. */
  readonly rows = new DerivedCache<TableRow>()
  readonly #types = new Map<string, StructType>()
  readonly #schema: Schema

  constructor(kind: KindDefinition, versions: readonly KindVersion[], store: Store, schema: Schema, now: () => number) {
    this.kind = kind
    this.group = kind.group
    this.resource = kind.resource
    this.namespaced = kind.namespaced
    this.storageVersion = kind.versions[0]
    this.versions = new Map(versions.map(v => [v.name, v]))
    this.verbs = new Set(kind.virtual ? ['create'] : (kind.verbs ?? allVerbs))
    this.form = new ObjectForm(kind.kind, this.apiVersion(this.storageVersion.name))
    this.groupResource = { group: kind.group, resource: kind.nameInErrors ?? kind.resource }
    this.prefix = `${store.root}/${kind.storagePath ?? kind.resource}/`
    this.#schema = schema
    const { selectableFields } = kind
    this.cache = new WatchCache(
      store,
      this.prefix,
      {
        splice: (value, revision) => this.form.splice(ownForm(this, value), revision),
        parse: bytes => JSON.parse(bytes.toString()),
        replaced: object => this.rows.forget(object),
        fields: object =>
          selectableFields && Object.fromEntries(Object.entries(selectableFields).map(([name, value]) => [name, value(object)]))
      },
      now
    )
  }

  /** "apps/v1" */
  apiVersion(version: string): string {
    if (version === this.storageVersion.name && this.storageVersion.apiVersion !== undefined)
      return this.storageVersion.apiVersion
    return this.group === '' ? version : `${this.group}/${version}`
  }

  type(version: string): StructType {
    let type = this.#types.get(version)
    if (!type) this.#types.set(version, (type = this.#schema.type(this.versions.get(version)?.type ?? this.storageVersion.type)))
    return type
  }

  /** The cache's key of an object. */
  key(namespace: string, name: string): string {
    return this.namespaced ? `${namespace}/${name}` : name
  }

  get(namespace: string, name: string): CachedObject | undefined {
    return this.cache.get(this.key(namespace, name))
  }

  /** The parsed object, fresh: the caller may change it. */
  parse(object: CachedObject): any {
    return JSON.parse(object.bytes.toString())
  }

  /** A stored-version object as another version shows it. */
  inVersion(object: any, version: string): any {
    if (version === this.storageVersion.name) return object
    const converted = this.versions.get(version)!.fromStorage?.(object) ?? object
    return { kind: this.kind.kind, apiVersion: this.apiVersion(version), ...omitType(converted) }
  }

  toStorage(object: any, version: string): any {
    if (version === this.storageVersion.name) return object
    const converted = this.versions.get(version)!.toStorage?.(object) ?? object
    return { kind: this.kind.kind, apiVersion: this.apiVersion(this.storageVersion.name), ...omitType(converted) }
  }
}

function omitType(object: any): any {
  const { kind: _, apiVersion: __, ...rest } = object
  return rest
}
