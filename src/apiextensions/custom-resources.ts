/** Serves the custom resources of the definitions that there are, and follows their changes. */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../api/generated/apiextensions-v1.js'
import { compareVersions } from '../discovery/api-groups.js'
import type { Registry } from '../registry/registry.js'
import { Resource } from '../registry/resource.js'
import type { Store, WatchHandle } from '../storage/contract.js'
import type { CachedObject } from '../storage/watch-cache.js'
import { equalJson } from '../util/json.js'
import { customKind, type DefinitionLife } from './custom-kind.js'
import { DefinedVersion } from './defined-version.js'
import { unconverted, unconvertedView } from './stored-form.js'

export interface CustomResourcesOptions {
  readonly registry: Registry
  readonly store: Store
  readonly now: () => number
}

/** What is made of one definition. */
interface Served {
  /** The parts of the definition that matter here. */
  readonly from: unknown
  readonly life: DefinitionLife
  /** The newest version first; empty for a definition that serves none (any more). */
  readonly resources: readonly Resource[]
}

export class CustomResources {
  readonly #options: CustomResourcesOptions
  readonly #served = new Map<string, Served>()
  #handle: WatchHandle | undefined

  constructor(options: CustomResourcesOptions) {
    this.#options = options
  }

  /** Serves what is defined, and follows. The cache of definitions has to be loaded. */
  start(definitions: Resource): void {
    const parse = (object: CachedObject) => definitions.parse(object) as CustomResourceDefinition
    for (const object of definitions.cache.range('')) this.#serve(object.name, parse(object))
    this.#handle = definitions.cache.watch(
      {},
      {
        onEvents: events => {
          for (const { current, previous } of events) {
            if (current) this.#serve(current.name, parse(current))
            else this.#withdraw(previous!.name)
          }
        },
        onError: () => this.#handle?.close()
      }
    )
  }

  stop(): void {
    this.#handle?.close()
    for (const name of this.#served.keys()) this.#withdraw(name)
  }

  #serve(name: string, definition: CustomResourceDefinition): void {
    const { spec, status } = definition
    const isTrue = (type: string) => status.conditions?.some(c => c.type === type && c.status === 'True') ?? false
    if (!isTrue('NamesAccepted') && !isTrue('Established')) return this.#withdraw(name)
    const from = { ...spec, names: status.acceptedNames }
    const terminating = isTrue('Terminating')
    const known = this.#served.get(name)
    if (known && equalJson(known.from, from)) {
      known.life.terminating = terminating
      return
    }
    this.#withdraw(name)
    const life = { terminating }
    const resources = this.#resourcesOf(definition, life)
    this.#served.set(name, { from, life, resources })
    const [first, ...others] = resources
    if (first) this.#options.registry.add(first, ...others)
  }

  #withdraw(name: string): void {
    const known = this.#served.get(name)
    if (!known) return
    this.#served.delete(name)
    this.#options.registry.remove(...known.resources)
    for (const resource of known.resources) resource.cache.close()
  }

  /** Lends the resource that shows all objects of a definition, served or not. */
  async withStored<T>(definition: CustomResourceDefinition, use: (resource: Resource) => Promise<T>): Promise<T> {
    const served = this.#served.get(definition.metadata.name!)?.resources
    if (served?.[0]) return use(served[0])
    const [resource] = this.#resourcesOf(definition, { terminating: true }, v => v.storage)
    try {
      return await use(resource!)
    } finally {
      resource!.cache.close()
    }
  }

  #resourcesOf(
    definition: CustomResourceDefinition,
    life: DefinitionLife,
    wanted = (version: CustomResourceDefinitionVersion) => version.served
  ): Resource[] {
    const { store, now } = this.#options
    const { group } = definition.spec
    const declared = definition.spec.versions!
    const versions = new Map(declared.map(version => [version.name, new DefinedVersion(definition, version)]))
    const storage = versions.get(declared.find(v => v.storage)!.name)!
    return declared
      .filter(wanted)
      .sort((a, b) => compareVersions(a.name, b.name))
      .map(version => {
        const own = versions.get(version.name)!
        const kind = customKind(definition, version, { schema: () => own.schema, life })
        return new Resource({
          kind,
          versions: kind.versions,
          store,
          types: { type: () => own.type },
          now,
          storedForm: unconverted(group, own, storage, versions),
          views: unconvertedView(group, own, versions)
        })
      })
  }
}
