/**
 * Deletes objects of other API servers when all their owners are gone. The events of those servers do not come here, so the objects are
 * listed each minute.
 */
import type { OwnerReference } from '../../api/generated/meta-v1.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { RemoteDependent, RemoteGarbage } from '../remote-content.js'

export const remoteDependentsMs = 60_000
/** More are deleted later. */
const maxSuspects = 100_000

export class RemoteDependents {
  readonly #registry: Registry
  readonly #remote: RemoteGarbage
  /**
   * The uids of those that had no owner the last time. They are deleted when they have none now, either: the cache of an owner that another
   * server on the same store has just created may not have it yet.
   */
  #suspects: ReadonlySet<string> = new Set()

  constructor(registry: Registry, remote: RemoteGarbage) {
    this.#registry = registry
    this.#remote = remote
  }

  async collect(signal: AbortSignal): Promise<void> {
    const suspects = new Set<string>()
    if (!this.#remote.isEmpty)
      for await (const dependent of this.#remote.dependents()) {
        if (signal.aborted) return
        if (!(await this.#isGarbage(dependent))) continue
        if (this.#suspects.has(dependent.uid)) await dependent.delete()
        else if (suspects.size < maxSuspects) suspects.add(dependent.uid)
      }
    this.#suspects = suspects
  }

  async #isGarbage({ owners, namespace }: RemoteDependent): Promise<boolean> {
    for (const owner of owners) if (!(await this.#isAbsent(owner, namespace))) return false
    return true
  }

  async #isAbsent(owner: OwnerReference, namespace: string): Promise<boolean> {
    const resource = this.#resourceOf(owner)
    if (!resource) return (await this.#remote.standing(owner, namespace)) === 'absent'
    if (resource.namespaced && namespace === '') return false
    await resource.cache.load()
    const found = resource.get(namespace, owner.name)
    if (found) return found.uid !== owner.uid
    // an owner whose value cannot be decrypted at the moment is not absent
    return resource.cache.whyUnreadable(resource.key(namespace, owner.name)) === undefined
  }

  #resourceOf({ apiVersion, kind }: OwnerReference): Resource | undefined {
    for (const resource of this.#registry.all()) {
      if (resource.kind.kind !== kind || resource.kind.virtual) continue
      for (const version of resource.versions.keys()) if (resource.apiVersion(version) === apiVersion) return resource
    }
    return undefined
  }
}
