/** How reconcilers are declared: for the server's option `reconcilers`, and for operators. */
import type { DeclaredKind, KubeObject } from '../../apimachinery/api/kube-object.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { Logger } from '../../util/logger.js'
import { checkMembers, listOf, type Shape, type ValueType, valueTypes } from '../../util/members.js'
import { kindType } from '../kind-names.js'
import type { KindRef, KubeClient } from '../types.js'
import { type Cache, type CachedKind, cachedKindShape } from './cache.js'
import type { Predicate } from './predicates.js'

/**
 * Names an object to reconcile. Those of the cluster have no namespace.
 *
 * @example
 * const request: ReconcileRequest = { name: 'algebra', namespace: 'team' }
 */
export interface ReconcileRequest {
  readonly name: string
  readonly namespace?: string | undefined
}

/**
 * A kind whose changes make a reconciler run for the owner of the object, and which changes do.
 *
 * @example
 * const maps: OwnedKind = { kind: kindRef('v1', 'ConfigMap'), when: [resourceVersionChanged] }
 */
export interface OwnedKind<T = any> {
  readonly kind: DeclaredKind<T> | KindRef<T>
  readonly when?: readonly Predicate<T>[] | undefined
}

/**
 * A kind whose changes make a reconciler run for objects that `map` names.
 *
 * @example
 * const buildings: WatchedKind<Building> = {
 *   kind: building,
 *   map: ({ metadata }, { cache }) => cache.of(course).by('building', metadata.name!).map(({ metadata }) => metadata as ReconcileRequest)
 * }
 */
export interface WatchedKind<T = any> extends OwnedKind<T> {
  /** Names the objects to reconcile. Called for what an object was before an update, too. */
  map(
    object: T,
    context: Pick<ReconcileContext, 'client' | 'cache' | 'log'>
  ): readonly ReconcileRequest[] | Promise<readonly ReconcileRequest[]>
}

/**
 * Brings the objects of a kind to what they ask for: in the server, for the option `reconcilers`, or in an operator, for any cluster.
 *
 * @example
 * const rooms: Reconciler<Course> = {
 *   for: course,
 *   owns: [kindRef('v1', 'ConfigMap')],
 *   async reconcile(object, { client }) {
 *     await client.of('v1', 'ConfigMap').apply(roomOf(object))
 *   }
 * }
 */
export interface Reconciler<T extends KubeObject = any> {
  /** Names its queue in metrics and in the log; the kind in lower case. */
  readonly name?: string | undefined
  /** The kind that is reconciled: a change of an object makes its reconciler run. The kind need not be defined yet. */
  readonly for: DeclaredKind<T> | KindRef<T>
  /** Which changes of the object make its reconciler run: those that all predicates let pass; all changes. */
  readonly when?: readonly Predicate<T>[] | undefined
  /** Kinds whose changes make the reconciler run for the owner: the object in `ownerReferences` with `controller: true`. */
  readonly owns?: readonly (DeclaredKind | KindRef | OwnedKind)[] | undefined
  /** Kinds whose changes make the reconciler run for other objects. */
  readonly watches?: readonly WatchedKind[] | undefined
  /** What is kept of kinds in the cache, with indexes; also of kinds that are only read. */
  readonly cache?: readonly CachedKind[] | undefined
  /**
   * The user of the reconciler's client, in a server; `system:reconciler:NAME`, a member of system:masters. Give it groups of your own to try
   * its roles. An operator is the user of its client.
   */
  readonly user?: (Omit<UserInfo, 'groups'> & { readonly groups?: readonly string[] | undefined }) | undefined
  /** How many objects are reconciled at the same time; 1. No object is reconciled twice at the same time. */
  readonly workers?: number | undefined
  /** Milliseconds after which the signal of a reconcile aborts. */
  readonly timeout?: number | undefined
  /** Milliseconds after which all objects are reconciled again, though nothing has changed; 10 hours. 0 for never. */
  readonly resync?: number | undefined
  /** A finalizer that each object gets before it is first reconciled, and keeps until `finalize` has cleaned up. */
  readonly finalizer?: string | undefined
  /**
   * Called with the present state of an object that exists; an object with the `finalizer` that is being deleted is given to `finalize` instead. Runs again after the
   * milliseconds that it returns as `requeueAfter`, or after a growing delay (5 ms to 1000 s) when it rejects.
   */
  reconcile(object: T, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult
  /** Cleans up for an object that is being deleted, after which it loses the `finalizer`. Runs again when it rejects or returns `requeueAfter`. */
  finalize?(object: T, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult
  /** Called when the object is gone. */
  deleted?(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult
  /** Whether the operator goes on after an error of this reconciler; true. Otherwise it stops, and fails with the error. */
  recoverable?(error: unknown): boolean
}

/**
 * When to reconcile an object again; only after its next change, when left out.
 *
 * @example
 * const inAMinute: ReconcileResult = { requeueAfter: 60_000 }
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most reconcilers return nothing
export type ReconcileResult = { readonly requeueAfter?: number | undefined } | undefined | void

/**
 * What a reconciler works with.
 *
 * @example
 * const report = ({ client, log }: ReconcileContext) => log.info('seen')
 */
export interface ReconcileContext {
  /** A client that acts as the reconciler's user. */
  readonly client: KubeClient
  /** Reads without asking the server. */
  readonly cache: Cache
  /** The object that is reconciled. */
  readonly request: ReconcileRequest
  /** Aborts when the reconciler stops, which waits for those that still run, and after the `timeout`. */
  readonly signal: AbortSignal
  /** Its lines have the reconciler and the object as fields. */
  readonly log: Logger
  /** Records an Event about an object, in the background: similar ones are counted and combined, and not too many about one object. */
  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void
  /** Milliseconds since 1970, by the clock of the server or the operator. */
  now(): number
}

/**
 * Declares a reconciler. Returns its argument: it exists for the type of the objects.
 *
 * @example
 * const scaler = defineReconciler({
 *   for: kindRef('apps/v1', 'Deployment'),
 *   async reconcile({ metadata, spec }, { client }) {
 *     if (spec.replicas === 0) await client.of('apps/v1', 'Deployment').delete({ metadata })
 *   }
 * })
 * const server = createServer({ reconcilers: [scaler] })
 */
export function defineReconciler<T extends KubeObject>(reconciler: Reconciler<T>): Reconciler<T> {
  return reconciler
}

/**
 * Declares a kind for `watches`. Returns its argument: it exists for the type of the objects.
 *
 * @example
 * const buildings = defineWatch({ kind: building, map: ({ spec }) => spec.courses.map(name => ({ name, namespace: 'team' })) })
 * const rooms = defineReconciler({ for: course, watches: [buildings], reconcile })
 */
export function defineWatch<T extends KubeObject>(watch: WatchedKind<T>): WatchedKind<T> {
  return watch
}

const { text, object, objects, function: fn } = valueTypes
const positive: ValueType = {
  what: 'an integer of at least 1',
  is: value => Number.isSafeInteger(value) && (value as number) >= 1
}
const milliseconds: ValueType = { what: 'a number of milliseconds', is: value => typeof value === 'number' && value >= 0 }
const predicates = listOf('a list of functions', fn)

/** An entry of `owns`: a kind, or one with predicates. */
export const isOwnedKind = (owned: DeclaredKind | KindRef | OwnedKind): owned is OwnedKind => typeof owned.kind === 'object'

const owned: ValueType = {
  what: kindType.what,
  is: value => kindType.is(value) || (object.is(value) && kindType.is((value as OwnedKind).kind))
}

/** The members of a reconciler. */
export const reconcilerShape: Shape = {
  members: {
    name: text,
    for: kindType,
    when: predicates,
    owns: listOf('a list of kinds', owned),
    watches: objects,
    cache: objects,
    user: object,
    workers: positive,
    timeout: milliseconds,
    resync: milliseconds,
    finalizer: text,
    ...Object.fromEntries(['reconcile', 'finalize', 'deleted', 'recoverable'].map(name => [name, fn]))
  },
  required: ['for', 'reconcile']
}
const ownedShape: Shape = { members: { kind: kindType, when: predicates }, required: ['kind'], isData: true }
const watchedShape: Shape = { members: { kind: kindType, when: predicates, map: fn }, required: ['kind', 'map'] }

/** Throws a UserError for a reconciler that is not one. */
export function checkReconciler(reconciler: Reconciler, place: string): void {
  checkMembers(reconciler, reconcilerShape, place)
  for (const [i, each] of (reconciler.owns ?? []).entries())
    if (isOwnedKind(each)) checkMembers(each, ownedShape, `${place}owns[${i}].`)
  for (const [i, each] of (reconciler.watches ?? []).entries()) checkMembers(each, watchedShape, `${place}watches[${i}].`)
  for (const [i, each] of (reconciler.cache ?? []).entries()) checkMembers(each, cachedKindShape, `${place}cache[${i}].`)
}
