/** Shows the objects of a set the resources of the server, together with the objects of the set that come before. */
import { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { CachedObject } from '../../storage/cached-object.js'
import { compareText, sortTexts } from '../../util/go-format.js'

/** Objects that are written together, by their keys in the watch cache. */
class Staged {
  readonly #base: Resource
  readonly #objects = new Map<string, { readonly object: any; readonly revision: number; cached?: CachedObject }>()
  /** The resource with these objects. */
  readonly resource: Resource

  constructor(base: Resource) {
    this.#base = base
    const get = (key: string) => (this.#objects.has(key) ? this.#get(key) : base.cache.get(key))
    const range = (prefix: string, start?: string, revision?: number) => this.#range(prefix, start, revision)
    const cache = replacing(base.cache, { get, range })
    const resource: Resource = replacing(base, {
      cache,
      get: (namespace, name) => get(base.key(namespace, name)),
      read(namespace, name) {
        const found = resource.get(namespace, name)
        return found && base.peek(found)
      },
      list: (namespace = '') => Array.from(range(namespace === '' ? '' : `${namespace}/`), found => base.peek(found))
    })
    this.resource = resource
  }

  set(key: string, object: any, revision: number): void {
    this.#objects.set(key, { object, revision })
  }

  /** Returns an object, which is encoded only now: most objects of a set are never looked up. */
  #get(key: string): CachedObject | undefined {
    const staged = this.#objects.get(key)
    if (staged?.object === undefined) return undefined
    const { form } = this.#base
    const { object, revision } = staged
    const { resourceVersion: _, ...metadata } = object.metadata
    const bytes = () => form.splice(form.encode({ ...object, metadata }), revision)
    return (staged.cached ??= new CachedObject(key, revision, { bytes: bytes(), object }, undefined))
  }

  *#range(prefix: string, start: string | undefined, revision: number | undefined): Generator<CachedObject> {
    const isBehind = (key: string) => start === undefined || compareText(key, start) >= 0
    const own = sortTexts([...this.#objects.keys()].filter(key => key.startsWith(prefix) && isBehind(key)))
    let at = 0
    for (const present of this.#base.cache.range(prefix, start, revision)) {
      for (; at < own.length && compareText(own[at]!, present.key) < 0; at++) yield* this.#shown(own[at]!)
      if (!this.#objects.has(present.key)) yield present
    }
    for (; at < own.length; at++) yield* this.#shown(own[at]!)
  }

  #shown(key: string): CachedObject[] {
    const found = this.#get(key)
    return found ? [found] : []
  }
}

/**
 * Returns an object that has these members in place of its own. A proxy, because Resource and WatchCache have private fields: their
 * methods run on the original.
 */
function replacing<T extends object>(original: T, members: Partial<T>): T {
  return new Proxy(original, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return members[name as keyof T]
      const value = Reflect.get(original, name, original)
      return typeof value === 'function' ? value.bind(original) : value
    }
  })
}

export class StagedRegistry extends Registry {
  readonly #base: Registry
  readonly #staged = new Map<Resource, Staged>()

  constructor(base: Registry) {
    super()
    this.#base = base
  }

  /**
   * Shows an object to those that come after it; `object` is undefined for a deleted one. `revision` is that of the present
   * object.
   */
  stage(resource: Resource, key: string, object: any, revision: number): void {
    let staged = this.#staged.get(resource)
    if (!staged) {
      staged = new Staged(resource)
      this.#staged.set(resource, staged)
      // admission may have changed the object that it was shown
      this.#staged.set(staged.resource, staged)
    }
    staged.set(key, object, revision)
  }

  #shown(resource: Resource): Resource {
    return this.#staged.get(resource)?.resource ?? resource
  }

  override resource(group: string, resource: string): Resource {
    return this.#shown(this.#base.resource(group, resource))
  }

  override has(group: string, resource: string): boolean {
    return this.#base.has(group, resource)
  }

  override find(group: string, version: string, resource: string): Resource | undefined {
    const found = this.#base.find(group, version, resource)
    return found && this.#shown(found)
  }

  override hasGroup(group: string): boolean {
    return this.#base.hasGroup(group)
  }

  override anyOf(group: string): Resource {
    return this.#base.anyOf(group)
  }

  override all(): IterableIterator<Resource> {
    return this.#base.all()
  }

  override served(): ReadonlySet<Resource> {
    return this.#base.served()
  }

  override onChange(listener: () => void): () => void {
    return this.#base.onChange(listener)
  }
}
