/** The resources that a server serves, by group, version and name. */
import type { Resource } from './resource.js'

export class Registry {
  readonly #resources = new Map<string, Resource>()
  readonly #versions = new Map<string, Set<string>>()
  readonly #listeners = new Set<() => void>()

  /** Changes whenever the set of resources does. */
  generation = 0

  add(resource: Resource): void {
    this.generation++
    this.#resources.set(`${resource.group}/${resource.resource}`, resource)
    let versions = this.#versions.get(resource.group)
    if (!versions) this.#versions.set(resource.group, (versions = new Set()))
    for (const version of resource.versions.keys()) versions.add(version)
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` after every change of the set of resources, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** A resource that is known to be there: for the server's own use. */
  resource(group: string, resource: string): Resource {
    const found = this.#resources.get(`${group}/${resource}`)
    if (!found) throw new Error(`no such resource: ${resource} of group "${group}"`)
    return found
  }

  /** False for resources that --runtime-config has switched off. */
  has(group: string, resource: string): boolean {
    return this.#resources.has(`${group}/${resource}`)
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    const found = this.#resources.get(`${group}/${resource}`)
    return found?.versions.has(version) ? found : undefined
  }

  hasGroup(group: string): boolean {
    return this.#versions.has(group)
  }

  hasVersion(group: string, version: string): boolean {
    return this.#versions.get(group)?.has(version) ?? false
  }

  groups(): string[] {
    return [...this.#versions.keys()]
  }

  all(): IterableIterator<Resource> {
    return this.#resources.values()
  }
}
