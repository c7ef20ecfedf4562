/**
 * Deletes objects whose owners are gone, and carries out the finalizers `orphan` and `foregroundDeletion`
 * (https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents).
 */
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Lifecycle } from '../../storage/lifecycle.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { nextTurn } from '../../util/turns.js'
import { Controller } from '../controller.js'
import type { RemoteGarbage } from '../remote-content.js'
import { isOrphaning, isWaiting, type Member, OwnerGraph, type Standing } from './graph.js'
import { RemoteDependents, remoteDependentsMs } from './remote-dependents.js'

/** The number of objects that are processed at the same time. */
const width = 16
/** The key of the set of served resources. */
const resourcesKey = ''
/** The key of the objects on other API servers that are not watched; with a uid after it, the key of a watched one. */
const remoteKey = 'remote'
const remotePrefix = `${remoteKey} `
/** How often an object of this server is checked whose owner on another server is watched, because a watch may miss something. */
const watchedOwnerMs = 600_000

export class GarbageCollector implements Part {
  readonly name = 'garbage-collector'
  readonly #services: Services
  readonly #client: Client
  readonly #graph: OwnerGraph
  readonly #controller: Controller
  readonly #remote: RemoteGarbage | undefined
  readonly #remoteDependents: RemoteDependents | undefined
  /**
   * Resolves when the graph has all resources. Every reconcile waits for it: while a resource is missing, dependents may be
   * missing too.
   */
  #following = Promise.resolve()
  #unsubscribe = () => {}
  #remoteFollowing: { close(): void } | undefined

  constructor(services: Services, client: Client, log: Logger, remote?: RemoteGarbage) {
    this.#services = services
    this.#client = client
    this.#remote = remote
    const enqueue = (key: string) => this.#controller.enqueue(key)
    const remoteDependents =
      remote &&
      new RemoteDependents(
        services.registry,
        remote,
        uid => enqueue(remotePrefix + uid),
        (namespace, owner) => this.#graph.ownerDue(namespace, owner)
      )
    this.#remoteDependents = remoteDependents
    const follow = () => this.#follow()
    const reconcile = (key: string, signal: AbortSignal) => this.#reconcile(key, signal)
    this.#graph = new OwnerGraph(services.registry, enqueue, uid => remoteDependents?.ownerChanged(uid))
    this.#controller = new Controller({
      name: 'garbage-collector',
      queue: 'garbage_collector_attempt_to_delete',
      watches: [],
      async reconcile(key, signal): Promise<number | undefined> {
        if (key.startsWith(remotePrefix)) return remoteDependents?.check(key.slice(remotePrefix.length))
        if (key !== remoteKey) return key === resourcesKey ? follow() : reconcile(key, signal)
        await remoteDependents?.collect(signal)
        return remoteDependentsMs
      },
      clock: services.clock,
      queues: services.queues,
      log,
      workers: width
    })
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#services.registry.onChange(() => this.#controller.enqueue(resourcesKey))
    await this.#follow()
    if (!this.#remote) return
    this.#controller.enqueue(remoteKey)
    const [dependents, graph] = [this.#remoteDependents!, this.#graph]
    this.#remoteFollowing = this.#remote.follow({
      changed: dependent => dependents.hold(dependent),
      gone(uid) {
        dependents.drop(uid)
        graph.dependentsDue(uid)
      },
      forgotten: uid => dependents.drop(uid),
      missed: () => graph.foreignDependentsDue()
    })
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#remoteFollowing?.close()
    this.#graph.close()
    await this.#controller.stop()
  }

  async #follow(): Promise<undefined> {
    this.#following = this.#graph.follow()
    await this.#following
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<number | undefined> {
    await this.#following
    // thousands of objects may be due, and a store in memory never yields: let requests run in between
    await nextTurn()
    const member = this.#graph.find(key)
    const lifecycle = member?.object.lifecycle
    if (!lifecycle) return undefined
    if (isOrphaning(lifecycle)) await this.#orphan(member, signal)
    else if (isWaiting(lifecycle)) await this.#finishForeground(member)
    else if (!lifecycle.deleting && lifecycle.owners.length > 0) return this.#checkOwners(key, member, lifecycle)
    return undefined
  }

  async #checkOwners(key: string, member: Member, { owners, finalizers }: Lifecycle): Promise<number | undefined> {
    let again: number | undefined
    const { object } = member
    const gone = new Set<string>()
    const standings = new Set<Standing>()
    for (const owner of owners) {
      let standing: Standing = this.#graph.standing(object, owner)
      if (standing === 'unknown' && this.#remote?.isEmpty === false) {
        const isFollowed = this.#remote.isFollowed(owner)
        again = isFollowed && again !== remoteDependentsMs ? watchedOwnerMs : remoteDependentsMs
        if (!this.#graph.isServed(owner)) standing = await this.#remote.standing(owner, object.namespace)
      }
      standings.add(standing)
      if (standing !== 'solid') gone.add(owner.uid)
    }
    if (standings.has('unreachable')) return again
    if (standings.has('unknown')) {
      this.#graph.postpone(key)
      return again
    }
    if (standings.has('solid')) {
      if (gone.size > 0) await this.#change(member, meta => dropOwners(meta, uid => gone.has(uid)))
      return again
    }
    if (standings.has('waiting')) {
      let isOwner = false
      for (const dependent of this.#graph.dependentsOf(object)) {
        isOwner = true
        // in a cycle every object would wait for the next; unblocking the owners makes this object due again
        const circle = isWaiting(dependent.member.object.lifecycle)
        if (circle && owners.some(owner => owner.blockOwnerDeletion)) {
          await this.#change(member, unblockOwners)
          return undefined
        }
      }
      if (isOwner) {
        await this.#delete(member, 'Foreground')
        return undefined
      }
    }
    const policy = finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background'
    await this.#delete(member, finalizers.includes('orphan') ? 'Orphan' : policy)
    return undefined
  }

  /** Removes the owner from its dependents, then the finalizer from the owner. */
  async #orphan(owner: Member, signal: AbortSignal): Promise<void> {
    const dependents = this.#graph.dependentsOf(owner.object)
    let failure: unknown
    await Promise.all(
      Array.from({ length: width }, async () => {
        for (const { member } of dependents) {
          if (signal.aborted) return
          await nextTurn()
          await this.#change(member, meta => dropOwners(meta, uid => uid === owner.object.uid)).catch(error => (failure = error))
        }
      })
    )
    if (failure) throw failure
    await this.#remoteDependents?.orphan(owner.object.uid)
    if (!signal.aborted) await this.#change(owner, meta => dropFinalizer(meta, 'orphan'))
  }

  /** Removes the owner's finalizer once no dependent blocks it. The graph makes the dependents due by itself. */
  async #finishForeground(owner: Member): Promise<void> {
    for (const { reference } of this.#graph.dependentsOf(owner.object)) if (reference.blockOwnerDeletion) return
    if (this.#remoteDependents?.blocks(owner.object.uid)) return
    await this.#change(owner, meta => dropFinalizer(meta, 'foregroundDeletion'))
  }

  /** Deletes an object only in the state that was checked: it may have been given another owner since. */
  async #delete({ resource, object }: Member, propagationPolicy: 'Orphan' | 'Foreground' | 'Background'): Promise<void> {
    const preconditions = { uid: object.uid, resourceVersion: String(object.revision) }
    await this.#client.delete(resource, object.namespace, object.name, { propagationPolicy, preconditions })
  }

  /** Edits the metadata of an object if the object still exists under the same uid. */
  async #change({ resource, object }: Member, edit: (meta: ObjectMeta) => void): Promise<void> {
    try {
      await this.#client.update(resource, object.namespace, object.name, ({ metadata }) => {
        if (metadata.uid === object.uid) edit(metadata)
      })
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error
    }
  }
}

function dropOwners(meta: ObjectMeta, isDropped: (uid: string) => boolean): void {
  const kept = meta.ownerReferences?.filter(({ uid }) => !isDropped(uid))
  if (kept?.length) meta.ownerReferences = kept
  else delete meta.ownerReferences
}

function unblockOwners(meta: ObjectMeta): void {
  for (const owner of meta.ownerReferences ?? []) if (owner.blockOwnerDeletion) owner.blockOwnerDeletion = false
}

function dropFinalizer(meta: ObjectMeta, finalizer: string): void {
  const kept = meta.finalizers?.filter(f => f !== finalizer)
  if (kept?.length) meta.finalizers = kept
  else delete meta.finalizers
}
