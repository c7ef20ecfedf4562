/** What reconcilers read without asking the server: one informer for each kind, with indexes. */
import type { DeclaredKind, KubeObject } from '../../apimachinery/api/kube-object.js'
import { parseLabelSelector } from '../../apimachinery/selectors/labels.js'
import { isNotFound } from '../../apimachinery/status/status.js'
import { cloneJson } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import { listOf, type Shape, type ValueType, valueTypes } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import { kindType, refOf } from '../kind-names.js'
import type { AnyTypes } from '../typed/kind-types.js'
import type { BuiltinKinds, Informer, KindRef, KubeClient, ObjectName } from '../types.js'

/**
 * What is kept of a kind. All objects are, of all namespaces, when nothing is said.
 *
 * @example
 * const pods: CachedKind<Pod> = {
 *   kind: kindRef('v1', 'Pod'),
 *   namespaces: ['team'],
 *   labelSelector: { app: 'web' },
 *   transform: withoutManagedFields,
 *   indexes: { node: pod => [pod.spec.nodeName ?? ''] }
 * }
 */
export interface CachedKind<T = any> {
  readonly kind: DeclaredKind<T> | KindRef<T>
  /** The namespaces whose objects are kept; all. */
  readonly namespaces?: readonly string[] | undefined
  readonly labelSelector?: string | Readonly<Record<string, string>> | undefined
  readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined
  /** Makes what is kept of each object, to save memory. Must keep its name, namespace, uid and resourceVersion, and may change the object. */
  readonly transform?: ((object: T) => T) | undefined
  /** Functions that return the keys by which `by` finds an object. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>> | undefined
}

/**
 * The kept objects of a kind. All are copies, which may be changed.
 *
 * @example
 * const pods = context.cache.of('v1', 'Pod')
 * const mine = pods.by('node', 'node-0')
 */
export interface CachedObjects<T> {
  /** Returns an object by name and namespace; `default`, when that is left out. */
  get(object: ObjectName): T | undefined
  list(options?: {
    readonly namespace?: string | undefined
    readonly labelSelector?: string | Readonly<Record<string, string>> | undefined
  }): T[]
  /** Returns the objects that have a key in an index. */
  by(index: string, key: string): T[]
  /** Takes over what a write returned, before the watch shows it: later reads see the own write. */
  learn(object: T): void
}

/**
 * What a reconciler reads without asking the server: the kinds of its `for`, `owns`, `watches` and `cache`, and those of the operator's `cache`. It may be a moment behind.
 *
 * @example
 * const room = context.cache.of('v1', 'ConfigMap').get({ metadata: { name: 'room', namespace: 'team' } })
 */
export interface Cache {
  of<V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(
    apiVersion: V,
    kind: K
  ): CachedObjects<BuiltinKinds[V][K]>
  of<T extends KubeObject>(kind: DeclaredKind<T> | KindRef<T>): CachedObjects<T>
}

const { text, texts, function: fn } = valueTypes
const selector: ValueType = {
  what: 'a string, or an object whose values are strings',
  is: value => text.is(value) || valueTypes.textsByName.is(value)
}
const functionsByName: ValueType = {
  what: 'an object whose values are functions',
  is: value => valueTypes.object.is(value) && Object.values(value as object).every(fn.is)
}
export const cachedKindShape: Shape = {
  members: {
    kind: kindType,
    namespaces: texts,
    labelSelector: selector,
    fieldSelector: selector,
    transform: fn,
    indexes: functionsByName
  },
  required: ['kind'],
  isData: true
}
export const kinds = listOf('a list of kinds', kindType)

export type ObjectListener = {
  add(object: KubeObject): void
  update(object: KubeObject, old: KubeObject): void
  delete(object: KubeObject): void
}

const keyOf = ({ apiVersion, kind }: KindRef) => `${apiVersion} ${kind}`

/** The informers of one kind: one, or one for each namespace. */
export class KindCache implements CachedObjects<any> {
  readonly ref: KindRef
  readonly #declared: CachedKind
  readonly #informers = new Map<string | undefined, Informer<KubeObject>>()
  readonly #indexes = new Map<string, (key: string) => KubeObject[]>()
  readonly #indexFunctions = new Map<string, (object: any) => readonly string[]>()
  readonly #listeners = new Set<ObjectListener>()
  /** Resolves when the objects are there. Keeps no process alive. */
  readonly synced: Promise<void>
  #isSynced!: () => void

  constructor(declared: CachedKind) {
    this.#declared = declared
    this.ref = refOf(declared.kind)
    this.synced = new Promise(resolve => (this.#isSynced = resolve))
    this.addIndexes(declared.indexes)
  }

  addIndexes(indexes: CachedKind['indexes'] = {}): void {
    for (const [name, keysOf] of Object.entries(indexes)) {
      const present = this.#indexFunctions.get(name)
      if (present && present !== keysOf)
        throw new UserError(`the index ${JSON.stringify(name)} of ${keyOf(this.ref)} is declared twice`)
      this.#indexFunctions.set(name, keysOf)
    }
  }

  start(client: KubeClient, failed: (error: unknown) => void): void {
    const { namespaces = [undefined], labelSelector, fieldSelector, transform } = this.#declared
    const { apiVersion, kind } = this.ref
    const all = new Set(namespaces)
    let missing = all.size
    if (missing === 0) this.#isSynced()
    const isThere = () => {
      if (--missing === 0) this.#isSynced()
    }
    for (const namespace of all) {
      const informer = client
        .of<KubeObject, AnyTypes>({ apiVersion, kind })
        .informer({ namespace, labelSelector, fieldSelector, transform })
      informer.on('add', object => this.#tell('add', object))
      informer.on('update', (object, old) => this.#tell('update', object, old))
      informer.on('delete', object => this.#tell('delete', object))
      informer.on('error', failed)
      const ends = informer.on('sync', () => {
        ends()
        isThere()
      })
      this.#informers.set(namespace, informer)
    }
    for (const [name, keysOf] of this.#indexFunctions) {
      const parts = [...this.#informers.values()].map(informer => informer.index(keysOf))
      this.#indexes.set(name, key => parts.flatMap(part => part(key)))
    }
  }

  #tell(event: keyof ObjectListener, object: KubeObject, old?: KubeObject): void {
    for (const listener of this.#listeners) listener[event](object, old!)
  }

  /** Tells the listener about changes from now on. */
  listen(listener: ObjectListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** All objects as they are kept: not to be changed. */
  all(): KubeObject[] {
    return [...this.#informers.values()].flatMap(informer => informer.list())
  }

  /** An object as it is kept: not to be changed. `namespace` is '' for objects of the cluster. */
  find(namespace: string, name: string): KubeObject | undefined {
    const informer = this.#informers.get(undefined) ?? this.#informers.get(namespace)
    return informer?.get({ metadata: { name, namespace } })
  }

  get(object: ObjectName): KubeObject | undefined {
    const { name = '', namespace } = typeof object === 'string' ? { name: object } : object.metadata
    const found = this.find(namespace ?? 'default', name) ?? (namespace === undefined ? this.find('', name) : undefined)
    return found && cloneJson(found)
  }

  list({ namespace, labelSelector }: Parameters<CachedObjects<any>['list']>[0] = {}): KubeObject[] {
    const has = labelMatcher(labelSelector)
    return this.all()
      .filter(({ metadata }) => (namespace === undefined || metadata.namespace === namespace) && has(metadata.labels ?? {}))
      .map(object => cloneJson(object))
  }

  by(index: string, key: string): KubeObject[] {
    const find = this.#indexes.get(index)
    if (!find) throw new UserError(`${keyOf(this.ref)} has no index ${JSON.stringify(index)}: declare it in indexes`)
    return cloneJson(find(key))
  }

  learn(object: KubeObject): void {
    const informer = this.#informers.get(undefined) ?? this.#informers.get(object.metadata.namespace)
    informer?.learn(cloneJson(object))
  }

  /** Learns of an object that was written. One that is not selected would stay for ever, as no event tells of it. */
  written(object: KubeObject): void {
    const { name = '', namespace = '' } = object.metadata
    const { labelSelector, fieldSelector } = this.#declared
    if ((labelSelector ?? fieldSelector) === undefined || this.find(namespace, name)) this.learn(object)
  }

  stop(): void {
    for (const informer of this.#informers.values()) informer.stop()
  }
}

function labelMatcher(selector: CachedKind['labelSelector']): (labels: Readonly<Record<string, string>>) => boolean {
  if (selector === undefined) return () => true
  if (typeof selector === 'object') return labels => Object.entries(selector).every(([name, value]) => labels[name] === value)
  return parseLabelSelector(selector)?.matches ?? (() => true)
}

/** The kinds that the reconcilers of one client read. */
export class Caches {
  readonly #kinds = new Map<string, KindCache>()
  readonly #declared = new Set<string>()
  readonly #log: Logger
  readonly #name: string

  /** `name` says in warnings who follows the objects. */
  constructor(name: string, log: Logger) {
    this.#name = name
    this.#log = log
  }

  /** Says what is to be kept of a kind. Before `need` is called for it. */
  declare(declared: CachedKind): void {
    const cache = new KindCache(declared)
    const key = keyOf(cache.ref)
    const { indexes, kind: _, ...selection } = declared
    const present = this.#kinds.get(key)
    if (!present) {
      this.#kinds.set(key, cache)
      this.#declared.add(key)
    } else if (Object.keys(selection).length > 0)
      throw new UserError(`what is kept of ${key} is declared twice: declare it once, in the operator's cache`)
    else present.addIndexes(indexes)
  }

  need(kind: DeclaredKind | KindRef): KindCache {
    const key = keyOf(refOf(kind))
    let cache = this.#kinds.get(key)
    if (!cache) this.#kinds.set(key, (cache = new KindCache({ kind })))
    return cache
  }

  /** Takes over what a write has returned, if its kind is kept, so that whoever reads the cache need not wait for the event. */
  written(object: KubeObject): void {
    const { apiVersion, kind, metadata } = object
    if (apiVersion && kind && metadata?.uid && metadata.resourceVersion) this.#kinds.get(`${apiVersion} ${kind}`)?.written(object)
  }

  get kinds(): KindRef[] {
    return [...this.#kinds.values()].map(({ ref }) => ref)
  }

  of(kind: string | DeclaredKind | KindRef, name = ''): CachedObjects<any> {
    const ref = typeof kind === 'string' ? { apiVersion: kind, kind: name } : refOf(kind)
    const cache = this.#kinds.get(keyOf(ref))
    if (!cache)
      throw new UserError(
        `${keyOf(ref)} is not in the cache: name it in for, owns, watches or cache, or ask the server by the client`
      )
    return cache
  }

  /** Begins to follow the objects. The kinds need not be defined yet. */
  start(client: KubeClient): void {
    for (const cache of this.#kinds.values()) {
      let last = ''
      cache.start(client, error => {
        const text = `${this.#name}: cannot follow ${keyOf(cache.ref)}: ${whyNot(error)}`
        // the informer tries again and again
        if (text !== last) this.#log.warn(text)
        last = text
      })
    }
  }

  /** Resolves when all objects are there. */
  async synced(): Promise<void> {
    await Promise.all([...this.#kinds.values()].map(cache => cache.synced))
  }

  stop(): void {
    for (const cache of this.#kinds.values()) cache.stop()
  }
}

/** Of a kind that is not served, servers only say that there is no such page. */
function whyNot(error: unknown): string {
  if (isNotFound(error)) return 'the server does not have the kind: its definition, if it has one, is not installed yet'
  return error instanceof Error ? error.message : String(error)
}
