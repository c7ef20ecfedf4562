/**
 * The owner graph (https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/), built from the watch caches.
 * The graph stores only the edges from an owner's uid to its dependents. The opposite edges are in the objects, which the caches hold.
 * Objects without owners and finalizers cost nothing here.
 */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { WatchHandle } from '../../storage/contract.js'
import { type FollowedChange, follow } from '../../storage/follow.js'
import type { Lifecycle } from '../../storage/lifecycle.js'

/** An object and its resource. */
export interface Member {
  readonly resource: Resource
  readonly object: CachedObject
}

/**
 * The state of an owner: `absent`; `waiting` for the deletion of its dependents; `solid`; `unknown`: its kind is not
 * served (yet), or its value cannot be read; `unreachable`: the owner is namespaced but the dependent is not, so the reference itself is wrong.
 */
export type Standing = 'solid' | 'waiting' | 'absent' | 'unknown' | 'unreachable'

/** True for an owner that is deleted in the foreground. */
export const isWaiting = (lifecycle: Lifecycle | undefined): boolean => isHeldAtItsEnd(lifecycle, 'foregroundDeletion')

/** True for an owner that leaves its dependents behind. */
export const isOrphaning = (lifecycle: Lifecycle | undefined): boolean => isHeldAtItsEnd(lifecycle, 'orphan')

function isHeldAtItsEnd(lifecycle: Lifecycle | undefined, finalizer: string): boolean {
  return lifecycle?.deleting === true && lifecycle.finalizers.includes(finalizer)
}

export class OwnerGraph {
  readonly #registry: Registry
  readonly #due: (key: string) => void
  readonly #ownerChanged: (uid: string) => void
  readonly #followed = new Map<Resource, WatchHandle>()
  /** Keys of dependents by the uid of an owner. */
  readonly #dependents = new Map<string, Set<string>>()
  /** Keys of dependents that wait until the kind of an owner is served. */
  readonly #postponed = new Set<string>()
  #kinds = new Map<string, Resource>()

  /**
   * Calls `due` with the key of each object that the collector has to check, and `ownerChanged` with the uid of each object that may be
   * an owner and has gone, or waits for its dependents.
   */
  constructor(registry: Registry, due: (key: string) => void, ownerChanged: (uid: string) => void = () => {}) {
    this.#registry = registry
    this.#due = due
    this.#ownerChanged = ownerChanged
  }

  /** Follows the resources that are served now. The graph is complete once the promise resolves. */
  async follow(): Promise<void> {
    const served = new Set([...this.#registry.all()].filter(isCollected))
    this.#kinds = kindsOf(this.#registry.all())
    for (const resource of this.#followed.keys()) if (!served.has(resource)) this.#leave(resource)
    for (const resource of served) {
      await resource.cache.load()
      if (!this.#followed.has(resource)) this.#join(resource)
    }
    for (const key of this.#postponed) this.#due(key)
    this.#postponed.clear()
  }

  /** Makes an object due again when the set of served kinds changes. */
  postpone(key: string): void {
    this.#postponed.add(key)
  }

  #join(resource: Resource): void {
    this.#followed.set(resource, follow(resource.cache, { changed: change => this.#apply(resource, change) }))
  }

  #leave(resource: Resource): void {
    this.#followed.get(resource)?.close()
    this.#followed.delete(resource)
    for (const object of resource.cache.range('')) {
      if (!object.lifecycle) continue
      const key = keyOf(resource, object)
      this.#postponed.delete(key)
      for (const { uid } of object.lifecycle.owners) this.#unlink(uid, key)
    }
  }

  #apply(resource: Resource, { current, previous }: FollowedChange): void {
    if (!current) this.dependentsDue(previous!.uid)
    const before = previous?.lifecycle
    const after = current?.lifecycle
    if (!before && !after) return
    const key = keyOf(resource, (current ?? previous)!)
    this.#postponed.delete(key)
    const owners = new Map(after?.owners.toReversed().map(owner => [owner.uid, owner]))
    for (const owner of before?.owners ?? []) {
      const now = owners.get(owner.uid)
      if (!now) this.#unlink(owner.uid, key)
      if (owner.blockOwnerDeletion && !now?.blockOwnerDeletion) this.ownerDue(previous!.namespace, owner)
    }
    for (const { uid } of after?.owners ?? []) this.#link(uid, key)
    if (!current || !after) return
    if (isWaiting(after) && !isWaiting(before)) this.dependentsDue(current.uid)
    if (after.deleting) {
      if (isWaiting(after) || isOrphaning(after)) this.#due(key)
    } else if (after.owners.some(owner => this.standing(current, owner) !== 'solid')) this.#due(key)
  }

  #link(uid: string, key: string): void {
    const keys = this.#dependents.get(uid)
    if (keys) keys.add(key)
    else this.#dependents.set(uid, new Set([key]))
  }

  #unlink(uid: string, key: string): void {
    const keys = this.#dependents.get(uid)
    if (keys?.delete(key) && keys.size === 0) this.#dependents.delete(uid)
  }

  /** Makes all dependents of an owner due. */
  dependentsDue(uid: string): void {
    for (const key of this.#dependents.get(uid) ?? []) this.#due(key)
    this.#ownerChanged(uid)
  }

  /** Makes the dependents of owners due that this server does not have. */
  foreignDependentsDue(): void {
    for (const [uid, keys] of this.#dependents)
      for (const key of keys) {
        const reference = this.find(key)?.object.lifecycle?.owners.find(owner => owner.uid === uid)
        if (reference && !this.isServed(reference)) this.#due(key)
      }
  }

  /** Makes a waiting owner due, because it may have waited for a dependent in this namespace. */
  ownerDue(namespace: string, reference: OwnerReference): void {
    const resource = this.#resourceOf(reference)
    const owner = resource && ownerOf(namespace, reference, resource)
    if (owner && isWaiting(owner.lifecycle)) this.#due(keyOf(resource, owner))
  }

  /** Whether this server has the kind of an owner. */
  isServed(reference: OwnerReference): boolean {
    return this.#resourceOf(reference) !== undefined
  }

  #resourceOf({ apiVersion, kind }: OwnerReference): Resource | undefined {
    return this.#kinds.get(`${apiVersion} ${kind}`)
  }

  /** Returns the current object of a key. */
  find(key: string): Member | undefined {
    const space = key.indexOf(' ')
    const slash = key.indexOf('/')
    const [group, name] = [key.slice(0, slash), key.slice(slash + 1, space)]
    if (!this.#registry.has(group, name)) return undefined
    const resource = this.#registry.resource(group, name)
    const object = resource.cache.get(key.slice(space + 1))
    return object && { resource, object }
  }

  standing(dependent: CachedObject, reference: OwnerReference): Standing {
    const resource = this.#resourceOf(reference)
    if (!resource?.cache.ready) return 'unknown'
    if (resource.namespaced && dependent.namespace === '') return 'unreachable'
    const owner = ownerOf(dependent.namespace, reference, resource)
    // an owner whose value cannot be decrypted at the moment is not absent
    if (!owner) return isUnreadable(dependent, reference, resource) ? 'unknown' : 'absent'
    return isWaiting(owner.lifecycle) ? 'waiting' : 'solid'
  }

  /** Yields the dependents whose reference resolves to the owner by kind and name, not by uid alone. */
  *dependentsOf(owner: CachedObject): Generator<{ readonly member: Member; readonly reference: OwnerReference }> {
    for (const key of this.#dependents.get(owner.uid) ?? []) {
      const member = this.find(key)
      const reference = member?.object.lifecycle?.owners.find(o => o.uid === owner.uid)
      if (!reference) continue
      const resource = this.#resourceOf(reference)
      if (resource && ownerOf(member!.object.namespace, reference, resource)) yield { member: member!, reference }
    }
  }

  close(): void {
    for (const handle of this.#followed.values()) handle.close()
    this.#followed.clear()
  }
}

/** Events are no part of the graph, as in kube-controller-manager: they are numerous and expire by themselves. */
const uncollected: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events'])

function isCollected({ kind, group, resource, verbs }: Resource): boolean {
  return !kind.virtual && verbs.has('delete') && !uncollected.has(`${group}/${resource}`)
}

function kindsOf(resources: Iterable<Resource>): Map<string, Resource> {
  const kinds = new Map<string, Resource>()
  for (const resource of resources) {
    if (resource.kind.virtual) continue
    for (const version of resource.versions.keys()) kinds.set(`${resource.apiVersion(version)} ${resource.kind.kind}`, resource)
  }
  return kinds
}

/** Finds the object that a reference names. An owner in another namespace does not count. */
function ownerOf(namespace: string, { name, uid }: OwnerReference, resource: Resource): CachedObject | undefined {
  const owner = resource.get(namespace, name)
  return owner?.uid === uid ? owner : undefined
}

const isUnreadable = ({ namespace }: CachedObject, { name }: OwnerReference, resource: Resource) =>
  resource.cache.whyUnreadable(resource.key(namespace, name)) !== undefined

/** "apps/deployments default/web" */
function keyOf({ group, resource }: Resource, { key }: CachedObject): string {
  return `${group}/${resource} ${key}`
}
