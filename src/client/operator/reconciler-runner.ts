/** Runs a reconciler: changes of cached objects enqueue their names, and workers reconcile what is queued. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Clock, Timer } from '../../util/clock.js'
import { DependentAbort } from '../../util/dependent-abort.js'
import type { QueueCounts } from '../../util/instruments/work-queues.js'
import { cloneJson } from '../../util/json.js'
import type { LogFields, Logger } from '../../util/logger.js'
import { controllerRateLimiter } from '../../util/rate-limits.js'
import { UserError } from '../../util/user-error.js'
import { WorkQueue } from '../../util/work-queue.js'
import { workersOf } from '../../util/workers.js'
import type { EventRecorder } from '../events/event-recorder.js'
import { refOf } from '../kind-names.js'
import type { AnyTypes } from '../typed/kind-types.js'
import type { KindRef, KubeClient, ResourceClient } from '../types.js'
import type { Caches, KindCache } from './cache.js'
import type { Outcome, ReconcileCounts } from './controller-metrics.js'
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.js'
import { and, type ObjectChange, type Predicate } from './predicates.js'
import { isOwnedKind, type ReconcileContext, type ReconcileRequest, type ReconcileResult, type Reconciler } from './reconciler.js'
import { TerminalError } from './terminal-error.js'

export interface RunnerParts {
  readonly client: KubeClient
  readonly caches: Caches
  readonly recorder: EventRecorder
  readonly clock: Clock
  readonly log: Logger
  /** The metrics of the work queue. */
  counts(name: string, queue: () => WorkQueue): QueueCounts
  /** The metrics of its reconciles. */
  reconciles(name: string): ReconcileCounts
  /** Called with an error after which the reconciler does not go on. */
  fatal?(error: unknown): void
}

/** What is there at the begin, and is reconciled again though nothing has changed, comes after what has changed: controller-runtime's LowPriority. */
export const lowPriority = -100
const usualResyncMs = 10 * 60 * 60 * 1000

const keyOf = ({ namespace, name }: { namespace?: string | undefined; name?: string | undefined }) => `${namespace ?? ''}/${name}`
const groupOf = (apiVersion: string) => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')))

/** The name of a reconciler in metrics and in the log. */
export const nameOf = (reconciler: Reconciler): string => reconciler.name ?? refOf(reconciler.for).kind.toLowerCase()

/** What makes a change of objects of a kind enqueue others. */
interface Source {
  readonly cache: KindCache
  readonly passes: Predicate
  /** Names what an object concerns. */
  enqueue(object: KubeObject, priority: number): void
}

export class ReconcilerRunner {
  readonly name: string
  readonly #reconciler: Reconciler
  readonly #parts: RunnerParts
  readonly #kind: KindRef
  readonly #objects: KindCache
  readonly #sources: readonly Source[]
  readonly #queue: WorkQueue
  readonly #reconciles: ReconcileCounts
  /** Tells reconciles that they should come to their end. */
  readonly #abort = new AbortController()
  /** Ends their requests. */
  readonly #cut = new AbortController()
  #ends: (() => void)[] = []
  #resync: Timer | undefined

  constructor(reconciler: Reconciler, parts: RunnerParts) {
    this.#reconciler = reconciler
    this.#parts = parts
    this.#kind = refOf(reconciler.for)
    this.name = nameOf(reconciler)
    if (reconciler.finalize && !reconciler.finalizer)
      throw new UserError(`the reconciler ${this.name} has finalize, but no finalizer`)
    this.#reconciles = parts.reconciles(this.name)
    this.#objects = parts.caches.need(reconciler.for)
    this.#sources = this.#allSources()
    this.#queue = new WorkQueue({
      clock: parts.clock,
      limiter: controllerRateLimiter(parts.clock),
      counts: parts.counts(this.name, () => this.#queue),
      ready: workersOf(
        () => this.#queue,
        reconciler.workers ?? 1,
        (key, priority) => this.#work(key, priority)
      ),
      supersedes: true
    })
  }

  get isBusy(): boolean {
    return this.#queue.isBusy
  }

  #allSources(): Source[] {
    const { caches, log, client } = this.#parts
    const { when = [], owns = [], watches = [] } = this.#reconciler
    const own: Source = {
      cache: this.#objects,
      passes: and(...when),
      enqueue: ({ metadata }, priority) => this.#queue.add(keyOf(metadata), priority)
    }
    const owned = owns.map((each): Source => {
      const { kind, when = [] } = isOwnedKind(each) ? each : { kind: each }
      return {
        cache: caches.need(kind),
        passes: and(...when),
        enqueue: (object, priority) => this.#enqueueOwner(object, priority)
      }
    })
    const watched = watches.map((watch): Source => {
      const cache = caches.need(watch.kind)
      const enqueue = async (object: KubeObject, priority: number) => {
        try {
          for (const request of await watch.map(cloneJson(object), { client, cache: caches, log }))
            this.#queue.add(keyOf(request), priority)
        } catch (error) {
          log.error(`controller ${this.name}: map of ${cache.ref.kind} ${keyOf(object.metadata)}: ${stackOf(error)}`)
        }
      }
      return { cache, passes: and(...(watch.when ?? [])), enqueue }
    })
    return [own, ...owned, ...watched]
  }

  /** Begins to work. The caches have the objects. */
  begin(): void {
    for (const source of this.#sources) {
      for (const object of source.cache.all()) this.#changed(source, { type: 'create', object }, lowPriority)
      this.#ends.push(
        source.cache.listen({
          add: object => this.#changed(source, { type: 'create', object }),
          update: (object, old) => {
            const isSame = object.metadata.resourceVersion === old.metadata.resourceVersion
            this.#changed(source, { type: 'update', object, old }, isSame ? lowPriority : 0)
          },
          delete: object => this.#changed(source, { type: 'delete', object })
        })
      )
    }
    this.#resyncLater()
  }

  #changed(source: Source, change: ObjectChange<KubeObject>, priority = 0): void {
    let passes: boolean
    try {
      passes = source.passes(change)
    } catch (error) {
      this.#parts.log.error(`controller ${this.name}: predicate: ${stackOf(error)}`)
      passes = true
    }
    if (!passes) return
    source.enqueue(change.object, priority)
    // an object may have belonged to others before
    if (change.old && source.cache !== this.#objects) source.enqueue(change.old, priority)
  }

  #enqueueOwner({ metadata }: KubeObject, priority: number): void {
    const { apiVersion, kind } = this.#kind
    for (const owner of metadata.ownerReferences ?? [])
      if (owner.controller && owner.kind === kind && groupOf(owner.apiVersion) === groupOf(apiVersion)) {
        // a namespaced object may have a cluster-scoped owner
        const isBeside = this.#objects.find(metadata.namespace ?? '', owner.name) !== undefined
        this.#queue.add(keyOf({ name: owner.name, namespace: isBeside ? metadata.namespace : undefined }), priority)
      }
  }

  #resyncLater(): void {
    const { resync = usualResyncMs } = this.#reconciler
    if (resync === 0) return
    this.#resync = this.#parts.clock.setTimeout(() => {
      for (const { metadata } of this.#objects.all()) this.#queue.add(keyOf(metadata), lowPriority)
      this.#resyncLater()
    }, resync)
  }

  async #work(key: string, priority: number): Promise<void> {
    const reconciles = this.#reconciles
    const { log } = this.#parts
    const began = performance.now()
    reconciles.active.add()
    const slash = key.indexOf('/')
    const request = { name: key.slice(slash + 1), ...(slash > 0 ? { namespace: key.slice(0, slash) } : {}) }
    let outcome: Outcome = 'success'
    let fatal: { error: unknown } | undefined
    try {
      const again = await this.#timed(request)
      this.#queue.forget(key)
      if (again !== undefined) {
        outcome = 'requeue_after'
        this.#queue.addAfter(key, again, priority)
      }
    } catch (error) {
      outcome = 'error'
      reconciles.errors.add()
      if (error instanceof TerminalError) {
        reconciles.terminalErrors.add()
        this.#queue.forget(key)
      } else this.#queue.addRateLimited(key, priority)
      // a reconcile that is given up because the reconciler stops is no error
      if (!this.#abort.signal.aborted) log.error(`controller ${this.name}: ${key.slice(slash > 0 ? 0 : 1)}: ${stackOf(error)}`)
      if (this.#reconciler.recoverable?.(error) === false) fatal = { error }
    }
    reconciles.outcomes[outcome].add()
    reconciles.time.observe((performance.now() - began) / 1000)
    reconciles.active.add(-1)
    if (fatal) this.#parts.fatal?.(fatal.error)
  }

  async #timed(request: ReconcileRequest): Promise<number | undefined> {
    const { timeout } = this.#reconciler
    if (!timeout) return this.#reconcile(this.#contextFor(request, this.#abort.signal, this.#cut.signal))
    const signal = new DependentAbort(this.#abort.signal)
    const cut = new DependentAbort(this.#cut.signal)
    const timer = this.#parts.clock.setTimeout(() => {
      this.#reconciles.timeouts.add()
      const late = new DOMException(`the reconcile takes longer than ${timeout} ms`, 'TimeoutError')
      signal.abort(late)
      cut.abort(late)
    }, timeout)
    try {
      return await this.#reconcile(this.#contextFor(request, signal.signal, cut.signal))
    } finally {
      timer.cancel()
      signal.end()
      cut.end()
    }
  }

  async #reconcile(context: ReconcileContext): Promise<number | undefined> {
    const reconciler = this.#reconciler
    const { finalizer } = reconciler
    const { request } = context
    const present = this.#objects.find(request.namespace ?? '', request.name)
    if (!present) return again(await reconciler.deleted?.(request, context))
    let object = cloneJson(present)
    if (!finalizer) return again(await reconciler.reconcile(object, context))
    if (object.metadata.deletionTimestamp) {
      if (!hasFinalizer(object, finalizer)) return undefined
      const later = again(await reconciler.finalize?.(object, context))
      if (later === undefined) await this.#release(context, present, finalizer)
      return later
    }
    if (addFinalizer(object, finalizer)) {
      object = await this.#writeFinalizers(context, object)
      this.#objects.learn(object)
    }
    return again(await reconciler.reconcile(object, context))
  }

  #resource({ client }: ReconcileContext): ResourceClient<KubeObject, AnyTypes> {
    return client.of<KubeObject, AnyTypes>({ apiVersion: this.#kind.apiVersion, kind: this.#kind.kind })
  }

  async #release(context: ReconcileContext, present: KubeObject, finalizer: string): Promise<void> {
    // finalize may have changed its copy, and the object
    const object = await this.#resource(context).find(present as never)
    if (!object || object.metadata.uid !== present.metadata.uid) return
    if (removeFinalizer(object, finalizer)) await this.#writeFinalizers(context, object)
  }

  /** Rejects with a 409 when the object has been changed meanwhile: others have finalizers, too. */
  #writeFinalizers(context: ReconcileContext, { metadata }: KubeObject): Promise<KubeObject> {
    const { finalizers, resourceVersion, name, namespace } = metadata
    return this.#resource(context).patch(
      { metadata: { name, namespace } },
      { metadata: { finalizers: finalizers ?? [], resourceVersion } }
    )
  }

  /** `cut` ends the requests of the reconcile. */
  #contextFor(request: ReconcileRequest, signal: AbortSignal, cut: AbortSignal): ReconcileContext {
    const { client, caches, recorder, clock } = this.#parts
    return {
      client: client.with({ signal: cut, written: object => caches.written(object) }),
      cache: caches,
      request,
      signal,
      log: withFields(this.#parts.log, { controller: this.name, ...request }),
      event: (object, type, reason, message) => recorder.record({ object, type, reason, message }),
      now: () => clock.now()
    }
  }

  /** Ends the requests of reconciles that run, and refuses new ones: somebody else reconciles now. */
  abandon(reason: unknown): void {
    this.#cut.abort(reason)
  }

  /** Resolves when the reconciles that run have ended. */
  async stop(): Promise<void> {
    this.#abort.abort()
    this.#resync?.cancel()
    for (const end of this.#ends.splice(0)) end()
    await this.#queue.close()
  }
}

const again = (result: ReconcileResult): number | undefined => result?.requeueAfter
const stackOf = (error: unknown) => (error instanceof Error ? error.stack : String(error))

const withFields = (log: Logger, fields: LogFields): Logger => ({
  error: (line, more) => log.error(line, { ...fields, ...more }),
  warn: (line, more) => log.warn(line, { ...fields, ...more }),
  info: (line, more) => log.info(line, { ...fields, ...more }),
  v: level => {
    const to = log.v?.(level)
    return to && { info: (line, more) => to.info(line, { ...fields, ...more }) }
  }
})
