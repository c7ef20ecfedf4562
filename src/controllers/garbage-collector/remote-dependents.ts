/**
 * Deletes objects of other API servers when all their owners are gone. It holds those that can be watched, so that they are checked when
 * an owner changes; the others are listed each minute.
 */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { RemoteDependent, RemoteGarbage } from '../remote-content.js'
import { isWaiting } from './graph.js'

export const remoteDependentsMs = 60_000

/** A waiting owner is deleted in the foreground, after its dependents. */
type Standing = 'solid' | 'waiting' | 'absent' | 'unknown'

export class RemoteDependents {
  readonly #registry: Registry
  readonly #remote: RemoteGarbage
  readonly #due: (uid: string) => void
  readonly #unblocked: (namespace: string, owner: OwnerReference) => void
  readonly #held = new Map<string, RemoteDependent>()
  /** The uids of held objects by that of an owner. */
  readonly #byOwner = new Map<string, Set<string>>()

  /** Calls `due` with the uid of each held object that has to be checked, and `unblocked` when a held object blocks an owner no more. */
  constructor(
    registry: Registry,
    remote: RemoteGarbage,
    due: (uid: string) => void,
    unblocked: (namespace: string, owner: OwnerReference) => void
  ) {
    this.#registry = registry
    this.#remote = remote
    this.#due = due
    this.#unblocked = unblocked
  }

  hold(dependent: RemoteDependent): void {
    const { uid, owners } = dependent
    const before = this.#held.get(uid)
    if (before) this.#unlink(before)
    if (owners.length > 0) {
      this.#held.set(uid, dependent)
      for (const owner of owners) {
        const held = this.#byOwner.get(owner.uid)
        if (held) held.add(uid)
        else this.#byOwner.set(owner.uid, new Set([uid]))
      }
      if (!dependent.isDeleting) this.#due(uid)
    }
    if (before) this.#tellUnblocked(before, owners)
  }

  drop(uid: string): void {
    const before = this.#held.get(uid)
    if (!before) return
    this.#unlink(before)
    this.#tellUnblocked(before, [])
  }

  #unlink({ uid, owners }: RemoteDependent): void {
    this.#held.delete(uid)
    for (const owner of owners) {
      const held = this.#byOwner.get(owner.uid)
      if (held?.delete(uid) && held.size === 0) this.#byOwner.delete(owner.uid)
    }
  }

  #tellUnblocked({ namespace, owners }: RemoteDependent, now: readonly OwnerReference[]): void {
    const blocked = new Set(now.filter(owner => owner.blockOwnerDeletion).map(({ uid }) => uid))
    for (const owner of owners) if (owner.blockOwnerDeletion && !blocked.has(owner.uid)) this.#unblocked(namespace, owner)
  }

  /** Makes the held objects of an owner due, because it has gone or waits for them. */
  ownerChanged(owner: string): void {
    for (const uid of this.#byOwner.get(owner) ?? []) this.#due(uid)
  }

  /** Whether a held object keeps an owner from being deleted. */
  blocks(owner: string): boolean {
    for (const uid of this.#byOwner.get(owner) ?? [])
      if (this.#held.get(uid)!.owners.some(o => o.uid === owner && o.blockOwnerDeletion)) return true
    return false
  }

  /** Removes the reference to an owner from all objects. */
  async orphan(owner: string): Promise<void> {
    for (const uid of [...(this.#byOwner.get(owner) ?? [])]) await this.#held.get(uid)?.leave(owner)
    if (this.#remote.isEmpty) return
    for await (const dependent of this.#remote.dependents())
      if (dependent.owners.some(({ uid }) => uid === owner)) await dependent.leave(owner)
  }

  /** Deletes a held object if it is garbage. Resolves with the milliseconds after which it has to be checked again. */
  async check(uid: string): Promise<number | undefined> {
    const dependent = this.#held.get(uid)
    if (!dependent || dependent.isDeleting) return undefined
    const standings = await this.#standings(dependent)
    if (isGarbage(standings)) await this.#delete(dependent)
    const mayGoUnseen = dependent.owners.some(owner => !this.#resourceOf(owner) && !this.#remote.isFollowed(owner))
    return standings.includes('unknown') || mayGoUnseen ? remoteDependentsMs : undefined
  }

  /** Deletes what is garbage among the objects that are not held. */
  async collect(signal: AbortSignal): Promise<void> {
    if (this.#remote.isEmpty) return
    for await (const dependent of this.#remote.dependents()) {
      if (signal.aborted) return
      if (isGarbage(await this.#standings(dependent))) await this.#delete(dependent)
    }
  }

  /** Deletes an object if it is still garbage: an owner that has gone may have left it behind just before. */
  async #delete(dependent: RemoteDependent): Promise<void> {
    const latest = await dependent.latest()
    if (latest && !latest.isDeleting && isGarbage(await this.#standings(latest))) await latest.delete()
  }

  async #standings({ owners, namespace }: RemoteDependent): Promise<Standing[]> {
    const standings: Standing[] = []
    for (const owner of owners) standings.push(await this.#standing(owner, namespace))
    return standings
  }

  async #standing(owner: OwnerReference, namespace: string): Promise<Standing> {
    const resource = this.#resourceOf(owner)
    if (!resource) return this.#remote.standing(owner, namespace)
    if (resource.namespaced && namespace === '') return 'unknown'
    await resource.cache.load()
    // another server on the same store may have just created the owner
    await resource.cache.catchUp()
    const found = resource.get(namespace, owner.name)
    if (found?.uid === owner.uid) return isWaiting(found.lifecycle) ? 'waiting' : 'solid'
    // an owner whose value cannot be decrypted at the moment is not absent
    const isUnreadable = !found && resource.cache.whyUnreadable(resource.key(namespace, owner.name)) !== undefined
    return isUnreadable ? 'unknown' : 'absent'
  }

  #resourceOf({ apiVersion, kind }: OwnerReference): Resource | undefined {
    for (const resource of this.#registry.all()) {
      if (resource.kind.kind !== kind || resource.kind.virtual) continue
      for (const version of resource.versions.keys()) if (resource.apiVersion(version) === apiVersion) return resource
    }
    return undefined
  }
}

const isGarbage = (standings: readonly Standing[]): boolean =>
  standings.length > 0 && standings.every(standing => standing === 'absent' || standing === 'waiting')
