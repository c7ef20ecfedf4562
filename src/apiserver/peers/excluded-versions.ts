/**
 * Knows the group versions of custom resources and of extension API servers, which all servers over a store serve alike. Requests for
 * them never go to another server. Discovery shows only what this server says of them, because what another one said may be outdated by
 * a deletion.
 */

import type { CustomResourceDefinition } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { APIService } from '../../apimachinery/api/generated/apiregistration-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Registry } from '../../registry/registry.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Part } from '../../util/part.js'

/** The time that other servers have to learn of a deletion, as in kube-apiserver. */
const graceMs = 5 * 60_000

/** "apps/v1" */
const versionsOfDefinition = ({ spec }: CustomResourceDefinition): string[] =>
  (spec.versions ?? []).map(({ name }) => `${spec.group}/${name}`)
const versionsOfService = ({ spec }: APIService): string[] => (spec?.service ? [`${spec.group ?? ''}/${spec.version ?? ''}`] : [])

export class ExcludedVersions implements Part {
  readonly name = 'group versions that only this server may say anything of'
  readonly #registry: Registry
  readonly #clock: Clock
  readonly #onChange: () => void
  /** The group versions of each object, by the object's kind and name. */
  readonly #ofObject = new Map<string, readonly string[]>()
  /** How many objects have each group version. */
  readonly #active = new Map<string, number>()
  /** The timers that end the exclusion of deleted group versions. */
  readonly #deleted = new Map<string, Timer>()
  readonly #handles: WatchHandle[] = []

  constructor(registry: Registry, clock: Clock, onChange: () => void) {
    this.#registry = registry
    this.#clock = clock
    this.#onChange = onChange
  }

  has(groupVersion: string): boolean {
    return this.#active.has(groupVersion) || this.#deleted.has(groupVersion)
  }

  async start(): Promise<void> {
    await this.#follow(refs.customResourceDefinitions, versionsOfDefinition)
    await this.#follow(refs.apiServices, versionsOfService)
  }

  async #follow<T>(ref: refs.ResourceRef<T>, versionsOf: (object: T) => string[]): Promise<void> {
    if (!this.#registry.serves(ref)) return
    const resource = this.#registry.of(ref)
    await resource.cache.load()
    const changed = ({ current, previous }: { current?: any; previous?: any }) =>
      this.#set(`${resource.resource}/${(current ?? previous).name}`, current ? versionsOf(resource.peek(current)) : [])
    this.#handles.push(follow(resource.cache, { changed }))
  }

  #set(object: string, versions: readonly string[]): void {
    const before = this.#ofObject.get(object) ?? []
    if (before.join() === versions.join()) return
    if (versions.length > 0) this.#ofObject.set(object, versions)
    else this.#ofObject.delete(object)
    for (const version of versions) this.#active.set(version, (this.#active.get(version) ?? 0) + 1)
    for (const version of before) this.#remove(version)
    this.#onChange()
  }

  #remove(version: string): void {
    const left = this.#active.get(version)! - 1
    if (left > 0) return void this.#active.set(version, left)
    this.#active.delete(version)
    this.#deleted.get(version)?.cancel()
    const forget = () => {
      this.#deleted.delete(version)
      this.#onChange()
    }
    this.#deleted.set(version, this.#clock.setTimeout(forget, graceMs))
  }

  stop(): void {
    for (const handle of this.#handles) handle.close()
    for (const timer of this.#deleted.values()) timer.cancel()
  }
}
