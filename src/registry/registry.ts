/** The resources that a server serves, by group, version and name. */
import type { ResourceRef } from '../apimachinery/api/resources.js'
import { forgetLastWalk } from '../storage/object-tree.js'
import type { Part } from '../util/part.js'
import type { Resource, ResourceImage } from './resource.js'

/** Images of a server's resources, by the keys below. */
export type ResourceImages = ReadonlyMap<string, ResourceImage>

/** Identifies an image. Versions of a custom resource share their keys in the store, and have a cache each. */
const imageKey = ({ prefix, group, memoryVersion }: Resource): string => `${group}/${memoryVersion.name} ${prefix}`

export class Registry implements Part {
  readonly name = 'watch caches'
  /** By "group/version/resource": a built-in resource under each of its versions. */
  readonly #served = new Map<string, Resource>()
  /** By "group/resource": the resources that the server itself works with. */
  readonly #resources = new Map<string, Resource>()
  /** The number of resources by group and version. */
  readonly #versions = new Map<string, Map<string, number>>()
  readonly #listeners = new Set<() => void>()
  #images: ReadonlyMap<string, ResourceImage>

  /** Increases with every change of the set of resources. */
  generation = 0

  /** `images` are the contents of caches whose resources are added before the server has started. */
  constructor(images: ResourceImages = new Map()) {
    this.#images = images
  }

  /** Takes images of all caches that are ready. */
  images(): ResourceImages {
    const images = new Map<string, ResourceImage>()
    for (const resource of new Set([...this.all(), ...this.#served.values()])) {
      const image = resource.image()
      if (image) images.set(imageKey(resource), image)
    }
    return images
  }

  /** From now on, caches of added resources read the store. */
  forgetImages(): void {
    this.#images = new Map()
  }

  #begin(resource: Resource): void {
    const image = this.#images.get(imageKey(resource))
    if (image) resource.beginWith(image)
  }

  /** Serves a built-in resource, or the versions of a custom resource. The server itself works with the first. */
  add(...resources: readonly [Resource, ...Resource[]]): void {
    const [first] = resources
    for (const resource of resources) {
      this.#begin(resource)
      this.#serve(resource)
    }
    this.#resources.set(`${first.group}/${first.resource}`, first)
    this.#changed()
  }

  /** Adds a resource that the server itself works with although --runtime-config has switched it off. */
  keep(resource: Resource): void {
    this.#begin(resource)
    this.#resources.set(`${resource.group}/${resource.resource}`, resource)
  }

  #serve(resource: Resource): void {
    for (const version of resource.versions.keys()) {
      const key = `${resource.group}/${version}/${resource.resource}`
      if (this.#served.has(key)) throw new Error(`${key} is served already`)
    }
    let versions = this.#versions.get(resource.group)
    if (!versions) this.#versions.set(resource.group, (versions = new Map()))
    for (const version of resource.versions.keys()) {
      this.#served.set(`${resource.group}/${version}/${resource.resource}`, resource)
      versions.set(version, (versions.get(version) ?? 0) + 1)
    }
  }

  /** Stops serving resources that `add` has added. */
  remove(...resources: readonly Resource[]): void {
    for (const resource of resources) {
      const { group } = resource
      const versions = this.#versions.get(group)!
      for (const version of resource.versions.keys()) {
        this.#served.delete(`${group}/${version}/${resource.resource}`)
        const left = versions.get(version)! - 1
        if (left > 0) versions.set(version, left)
        else versions.delete(version)
      }
      if (versions.size === 0) this.#versions.delete(group)
      const key = `${group}/${resource.resource}`
      if (this.#resources.get(key) === resource) this.#resources.delete(key)
    }
    this.#changed()
  }

  /** Loads the watch caches of all resources. */
  async start(): Promise<void> {
    await Promise.all([...this.all()].map(resource => resource.kind.virtual || resource.cache.load()))
  }

  stop(): void {
    for (const resource of this.all()) resource.cache.close()
    forgetLastWalk()
  }

  #changed(): void {
    this.generation++
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` after every change of the set of resources, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Returns a resource that every server works with, typed. Throws when it does not exist. */
  of<T>({ group, resource }: ResourceRef<T>): Resource<T> {
    return this.resource(group, resource)
  }

  /** Returns a resource, typed, or undefined when --runtime-config has switched it off. */
  ifServed<T>({ group, resource }: ResourceRef<T>): Resource<T> | undefined {
    return this.has(group, resource) ? this.resource(group, resource) : undefined
  }

  serves({ group, resource }: ResourceRef): boolean {
    return this.has(group, resource)
  }

  /** Returns a resource that the server itself works with. Throws when it does not exist. */
  resource(group: string, resource: string): Resource {
    const found = this.#resources.get(`${group}/${resource}`)
    if (!found) throw new Error(`no such resource: ${resource} of group "${group}"`)
    return found
  }

  /** False for resources that --runtime-config has switched off. */
  has(group: string, resource: string): boolean {
    const found = this.#resources.get(`${group}/${resource}`)
    return found !== undefined && found.versions.size > 0
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    return this.#served.get(`${group}/${version}/${resource}`)
  }

  hasGroup(group: string): boolean {
    return this.#versions.has(group)
  }

  /** Returns one of the resources that a group serves. Throws when the group serves none. */
  anyOf(group: string): Resource {
    for (const resource of this.#served.values()) if (resource.group === group) return resource
    throw new Error(`the group "${group}" serves nothing`)
  }

  /** Returns every resource once, whatever its versions. */
  all(): IterableIterator<Resource> {
    return this.#resources.values()
  }

  /** Returns every resource that answers requests; each version of a custom resource is one. */
  served(): ReadonlySet<Resource> {
    return new Set(this.#served.values())
  }
}
