/** The types of the client that the library exports. */
import type { DeclaredKind, KubeObject as StoredObject } from '../apimachinery/api/kube-object.js'
import type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../apimachinery/request/injected.js'
import type { ManifestOptions, ManifestSource } from './manifests.js'
import type { OpenWebSocket } from './transport.js'
import type { Draft, MergePatch, StrategicPatch } from './typed/draft.js'
import type { BuiltinClients, BuiltinKinds } from './typed/generated/kinds.js'
import type { AnyTypes, KindTypes, KubeObject, Named, OwnTypes, TypesFor, TypesOf } from './typed/kind-types.js'

export type { BuiltinClients, BuiltinKinds, Draft, KindTypes, KubeObject, MergePatch, Named, OwnTypes, StrategicPatch }

/**
 * A kind by the apiVersion and kind of its manifests. `T` is the type of its objects: `kindRef` knows those of built-in kinds. `Types`
 * are its other types, where something declares them: `kindRef`, `defineKind` and `binnacle types` do.
 *
 * @example
 * const course: KindRef<Course> = { apiVersion: 'school.example.com/v1', kind: 'Course' }
 */
export interface KindRef<T = any, Types = unknown> {
  readonly apiVersion: string
  readonly kind: string
  /** Only there for the type. */
  readonly object?: T
  /** Only there for the type. */
  readonly types?: Types
}

/**
 * An object of a kind that TypeScript knows nothing about.
 *
 * @example
 * const course: UntypedObject = await client.untyped('school.example.com/v1', 'Course').get('algebra')
 */
export interface UntypedObject extends KubeObject {
  [field: string]: any
}

/**
 * The name of an object, or the object itself. The namespace is that of the options, of the object, or `default`.
 *
 * @example
 * const name: ObjectName = { metadata: { name: 'web', namespace: 'team' } }
 */
export type ObjectName =
  | string
  | { readonly metadata: { readonly name?: string | undefined; readonly namespace?: string | undefined } }

/**
 * Options of requests for one object.
 *
 * @example
 * const options: ObjectOptions = { namespace: 'team' }
 */
export interface ObjectOptions {
  readonly namespace?: string | undefined
  /** Parameters for which there is no option: `{ resourceVersion: '0' }`. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

/**
 * Which objects of a kind: all of them when left out.
 *
 * @example
 * const options: Selection = { namespace: 'team', labelSelector: { app: 'web' } }
 */
export interface Selection extends ObjectOptions {
  /** `app=web,tier!=db`, or the values that labels must have. */
  readonly labelSelector?: string | Readonly<Record<string, string>> | undefined
  /** `status.phase=Running`, or the values that fields must have. */
  readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined
  /** An expression over `object` that is true for the objects (docs/queries.md): `object.spec.seats > 20 && has(object.spec.room)`. */
  readonly filter?: string | undefined
}

/**
 * Options of `informer`.
 *
 * @example
 * const options: InformerOptions<Pod> = { transform: ({ spec: _, ...pod }) => pod as Pod }
 */
export interface InformerOptions<T> extends Selection {
  /** Makes what is kept of each object, to save memory. Must keep its name, namespace, uid and resourceVersion, and may change the object. */
  readonly transform?: ((object: T) => T) | undefined
}

/**
 * Options of `list`.
 *
 * @example
 * const options: ListSelection = { limit: 500 }
 */
export interface ListSelection extends Selection {
  /** Fields by which the list is sorted (docs/queries.md): `spec.seats desc, metadata.name`. */
  readonly orderBy?: string | undefined
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
}

/**
 * Options of `watch`.
 *
 * @example
 * const options: WatchSelection = { resourceVersion: list.metadata.resourceVersion, signal: AbortSignal.timeout(1000) }
 */
export interface WatchSelection extends Selection {
  /** The version from which on to watch; when left out, the watch begins with the existing objects as `ADDED`. */
  readonly resourceVersion?: string | undefined
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined
  /** Seconds after which the server ends the watch; when left out, the watch goes on in a new request. */
  readonly timeoutSeconds?: number | undefined
}

/**
 * Options of writes.
 *
 * @example
 * const options: WriteOptions = { dryRun: true }
 */
export interface WriteOptions extends ObjectOptions {
  readonly dryRun?: boolean | undefined
  /** The field manager; that of the client. */
  readonly fieldManager?: string | undefined
  /** What to do about fields that do not exist; `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
}

/**
 * Options of `patch`.
 *
 * @example
 * const options: PatchOptions = { type: 'strategic' }
 */
export interface PatchOptions<Type extends PatchType = PatchType> extends WriteOptions {
  /** `json` for a list of operations, otherwise `merge`. */
  readonly type?: Type | undefined
}

/**
 * The kinds of patches that `patch` takes.
 *
 * @example
 * const type: PatchType = 'strategic'
 */
export type PatchType = 'merge' | 'json' | 'strategic'

/**
 * The body of a patch: operations of a JSON patch, or what is merged.
 *
 * @example
 * const patch: PatchBody<MergePatch<Pod>, StrategicPatch<Pod>, 'merge'> = { metadata: { labels: { app: null } } }
 */
export type PatchBody<Merge, Strategic, Type extends PatchType> = Type extends 'json'
  ? readonly JsonPatchOperation[]
  : Type extends 'strategic'
    ? Strategic
    : Merge | readonly JsonPatchOperation[]

/**
 * An operation of a JSON patch (RFC 6902).
 *
 * @example
 * const operation: JsonPatchOperation = { op: 'replace', path: '/spec/replicas', value: 3 }
 */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * Options of `apply`.
 *
 * @example
 * const options: ApplyOptions = { fieldManager: 'deployer', force: true }
 */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields over from other managers, where there would be a 409; false. */
  readonly force?: boolean | undefined
}

/**
 * Options of `delete` and `deleteCollection`.
 *
 * @example
 * const options: DeleteOptions = { propagationPolicy: 'Foreground' }
 */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined
  readonly dryRun?: boolean | undefined
}

/**
 * What `client.with` adds to a client.
 *
 * @example
 * const client = (await connect()).with({ signal: AbortSignal.timeout(60_000) })
 */
export interface ClientContext {
  /** Ends requests and watches when it aborts: they reject with its reason. What a server has begun may be done all the same. */
  readonly signal?: AbortSignal | undefined
  /** Called with each object that a write has returned, but for dry runs. */
  readonly written?: ((object: KubeObject) => void) | undefined
}

/**
 * A list of objects, and the resource version of the moment.
 *
 * @example
 * const pods: KubeList<BuiltinKinds['v1']['Pod']> = await server.client().of('v1', 'Pod').list()
 */
export interface KubeList<T> {
  readonly items: T[]
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string | undefined
    readonly remainingItemCount?: number | undefined
  }
}

/**
 * An event of a watch.
 *
 * @example
 * const event: WatchEvent<KubeObject> = { type: 'DELETED', object }
 */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: T
}

/**
 * The requests for a subresource. `T` is what it returns, `Body` what it takes.
 *
 * @example
 * const scale = server.client().of('apps/v1', 'Deployment').subresource('scale')
 * await scale.patch('web', { spec: { replicas: 3 } })
 */
export interface SubresourceClient<T, Body = Draft<T>> {
  get(object: ObjectName, options?: ObjectOptions): Promise<T>
  create(object: ObjectName, body: Body, options?: WriteOptions): Promise<T>
  update(object: ObjectName, body: Body, options?: WriteOptions): Promise<T>
  /** Sends the object itself: `subresource('status').update(course)`. */
  update(object: Body & Exclude<ObjectName, string>): Promise<T>
  patch<Type extends PatchType = 'merge'>(
    object: ObjectName,
    patch: PatchBody<MergePatch<Body>, StrategicPatch<Body>, Type>,
    options?: PatchOptions<Type>
  ): Promise<T>
  apply(object: ObjectName, body: Body, options?: ApplyOptions): Promise<T>
}

/**
 * The requests for objects of one kind. They reject with a StatusError for what the server refuses. `Types` says what they take: for
 * built-in kinds what the server wants, for others any part of an object.
 *
 * @example
 * const pods = server.client().of('v1', 'Pod')
 * await pods.create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } })
 * for await (const { type, object } of pods.watch()) console.log(type, object.status.phase)
 */
export interface ResourceClient<T extends StoredObject, Types extends AnyTypes = TypesFor<T>> {
  get(object: ObjectName, options?: ObjectOptions): Promise<T>
  /** Resolves with undefined for an object that does not exist. */
  find(object: ObjectName, options?: ObjectOptions): Promise<T | undefined>
  list(options?: ListSelection): Promise<KubeList<T>>
  create(object: Types['create'], options?: WriteOptions): Promise<T>
  /** Replaces the object: with 409 when the object has a resourceVersion that is not the present one. */
  update(object: Types['update'], options?: WriteOptions): Promise<T>
  /** Merges the patch with the object: null removes a field. */
  patch<Type extends PatchType = 'merge'>(
    object: ObjectName,
    patch: PatchBody<Types['merge'], Types['strategic'], Type>,
    options?: PatchOptions<Type>
  ): Promise<T>
  /** Server-side apply. */
  apply(object: Types['apply'], options?: ApplyOptions): Promise<T>
  delete(object: ObjectName, options?: ObjectOptions & DeleteOptions): Promise<void>
  /** Deletes the selected objects; of all namespaces, when none is given. */
  deleteCollection(options?: Selection & DeleteOptions): Promise<void>
  /**
   * Watches objects until the loop is left, the signal is aborted or the server stops. The server holds back events until they are
   * taken. Throws a StatusError where the server ends the watch by an error: 410 after `server.restore`.
   */
  watch(options?: WatchSelection): AsyncIterableIterator<WatchEvent<T>>
  /** Keeps the selected objects at hand. */
  informer(options?: InformerOptions<T>): Informer<T>
  /** The requests for a subresource that the kind has: `status`, `scale`, `eviction` … */
  subresource<Name extends keyof Types['subresources'] & string>(name: Name): Types['subresources'][Name]
}

/**
 * The client of a built-in kind.
 *
 * @example
 * const pods: ClientOf<BuiltinClients['v1']['Pod']> = client.of('v1', 'Pod')
 */
export type ClientOf<Types> = Types extends AnyTypes
  ? Types extends { object: infer T extends StoredObject }
    ? ResourceClient<T, Types>
    : never
  : never

/**
 * Keeps the objects of a kind at hand, as informers of client-go do: lists them, watches them, and lists them again when the watch
 * breaks off. Ends with the server.
 *
 * @example
 * const informer = server.client().of('v1', 'Pod').informer({ namespace: 'team' })
 * informer.on('add', pod => console.log(pod.metadata.name))
 * await informer.synced
 * informer.get('web')?.status.phase
 * informer.stop()
 */
export interface Informer<T> {
  /** Resolves when the objects are there; rejects when the informer is stopped before. */
  readonly synced: Promise<void>
  /** Returns an object by name and namespace; without, in the namespace of the informer, or `default`. */
  get(object: ObjectName): T | undefined
  list(): T[]
  /**
   * Returns what finds objects by the keys that `keysOf` returns for each: as long as the informer runs.
   *
   * @example
   * const onNode = pods.index(pod => [pod.spec.nodeName ?? ''])
   * onNode('node-0').length
   */
  index(keysOf: (object: T) => readonly string[]): (key: string) => T[]
  /**
   * Takes over what a write returned, before the watch shows it: whoever writes and then reads sees the own write. Older
   * states that the watch shows afterwards are passed over.
   */
  learn(object: T): void
  /** Calls the listener from now on. Returns what ends that. */
  on(event: 'add' | 'delete', listener: (object: T) => void): () => void
  on(event: 'update', listener: (object: T, old: T) => void): () => void
  /** What kept the informer from listing or watching. It tries again. */
  on(event: 'error', listener: (error: unknown) => void): () => void
  /** The objects were listed, and the listeners have been told about them. */
  on(event: 'sync', listener: () => void): () => void
  stop(): void
  [Symbol.dispose](): void
}

/**
 * The user of a client, and how it names itself.
 *
 * @example
 * const options: ClientOptions = { user: { name: 'alice', groups: ['devs'] }, fieldManager: 'deployer' }
 */
export interface ClientOptions {
  /** A member of system:masters, when left out. */
  readonly user?: InjectedRequest['user']
  /** The field manager of its writes, and its User-Agent; `binnacle`. */
  readonly fieldManager?: string | undefined
}

/**
 * What becomes of one object of a set. `patch` goes with the operation `patch`, `options` with `delete`; uid and resourceVersion of a
 * deleted object are preconditions.
 *
 * @example
 * const entry: SetEntry = { operation: 'delete', object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'old', namespace: 'team' } } }
 */
export interface SetEntry {
  /** `apply`, when left out. */
  readonly operation?: 'apply' | 'create' | 'update' | 'patch' | 'delete' | undefined
  /** The object; for `patch` and `delete` what it is called. */
  readonly object: object
  /** `status` for that of the object. */
  readonly subresource?: 'status' | undefined
  readonly patch?: object | undefined
  /** `json` for a list of operations; `merge` when left out. */
  readonly patchType?: 'merge' | 'json' | 'strategic' | undefined
  readonly options?: Omit<DeleteOptions, 'dryRun'> | undefined
}

/**
 * Options of sets.
 *
 * @example
 * const options: SetOptions = { namespace: 'team', dryRun: true }
 */
export interface SetOptions {
  /** The namespace of objects that name none; `default`. */
  readonly namespace?: string | undefined
  readonly dryRun?: boolean | undefined
  /** The field manager; that of the client. */
  readonly fieldManager?: string | undefined
  /** Takes fields over from other managers, where there would be a 409; true for `applySet`. */
  readonly force?: boolean | undefined
  /** What to do about fields that do not exist; `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
}

/**
 * What became of a set.
 *
 * @example
 * const { metadata, items }: SetResult = await server.client().applySet('deploy/')
 * console.log(metadata.resourceVersion, items.map(item => item.result))
 */
export interface SetResult {
  /** The resource version of all objects that the set changed; none for a dry run, and when nothing changed. */
  readonly metadata: { readonly resourceVersion?: string | undefined }
  /** In the order of the entries. */
  readonly items: readonly {
    readonly operation: NonNullable<SetEntry['operation']>
    /** `deleting`: the object stays until its finalizers are gone. */
    readonly result: 'created' | 'configured' | 'unchanged' | 'deleted' | 'deleting'
    /** Missing for an object that is gone. */
    readonly object?: UntypedObject | undefined
    readonly warnings?: readonly string[] | undefined
  }[]
}

/**
 * A client: of a server in the process, whose requests take the whole way through it without a connection, or of any cluster.
 *
 * @example
 * const client: KubeClient = server.client()
 * const pods = client.of('v1', 'Pod')          // a built-in kind, with its types
 * const courses = client.of(course)            // one of your own, with the types of its declaration
 * const others = client.untyped('example.com/v1', 'Widget')
 */
export interface KubeClient {
  /** The namespace of objects that name none: `default`, or that of a kubeconfig's context. */
  readonly namespace: string
  /** The same client with more to it. */
  with(more: ClientContext): KubeClient
  /** The objects of a built-in kind, with its types. */
  of<V extends keyof BuiltinClients, K extends keyof BuiltinClients[V] & string>(
    apiVersion: V,
    kind: K
  ): ClientOf<BuiltinClients[V][K]>
  /** The objects of a kind that `defineKind`, `kindRef` or `binnacle types` declares, or that has a type: `of<Widget>({ apiVersion, kind })`. */
  of<T extends StoredObject = UntypedObject, Types = unknown>(
    kind: DeclaredKind<T, Types> | KindRef<T, Types>
  ): ResourceClient<T, TypesOf<T, Types>>
  /** The objects of any kind, of which TypeScript knows nothing. */
  untyped(apiVersion: string, kind: string): ResourceClient<UntypedObject>
  /** Applies manifests: Namespaces and definitions first, each when it can be used. Resolves with the objects, in the order given. */
  apply(source: ManifestSource, options?: ManifestOptions): Promise<UntypedObject[]>
  /**
   * Applies manifests all or nothing, at one resource version. They go through in the order given; a definition and its objects cannot
   * be in one set. Rejects with a StatusError whose `details.causes` name every object that was refused.
   */
  applySet(source: ManifestSource, options?: SetOptions): Promise<SetResult>
  /** Writes several objects all or nothing, at one resource version. */
  writeSet(entries: readonly SetEntry[], options?: SetOptions): Promise<SetResult>
  /** Sends any request as the client's user. */
  request(request: Omit<InjectedRequest, 'user'>): Promise<InjectedResponse>
  /** Sends a request whose answer is read while it arrives: `logs` does so. Rejects with a StatusError when the server refuses it. */
  open(request: Omit<InjectedRequest, 'user'>, signal?: AbortSignal): Promise<StreamedAnswer>
  /** Opens a WebSocket: `exec` and `portForward` do so. Rejects with a StatusError when the server refuses it. */
  webSocket(request: Omit<InjectedRequest, 'user'>, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket>
}

/**
 * Names a built-in kind with its types.
 *
 * @example
 * const deployments = kindRef('apps/v1', 'Deployment')
 */
export function kindRef<V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(
  apiVersion: V,
  kind: K
): KindRef<BuiltinKinds[V][K]> {
  return { apiVersion, kind }
}
