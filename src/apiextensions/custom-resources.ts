/** Serves the custom resources of all CustomResourceDefinitions, and follows changes of the definitions. */

import { createHash } from 'node:crypto'
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps
} from '../apimachinery/api/generated/apiextensions-v1.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import type { CachedObject } from '../storage/cached-object.js'
import { StoreUnavailableError, type WatchHandle } from '../storage/contract.js'
import { follow } from '../storage/follow.js'
import { exactJson } from '../util/exact-json.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import type { DefinitionLife } from './custom-kind.js'
import { type ResourceParts, resourcesOf } from './resources.js'
import { annotatedIndexes } from './selectable-fields.js'

export interface CustomResourcesOptions extends Pick<ResourceParts, 'store' | 'now' | 'uuid' | 'webhooks' | 'metrics'> {
  readonly registry: Registry
  /** The groups of built-in kinds, enabled or not. Definitions in these groups are stored, but never served. */
  readonly builtinGroups: ReadonlySet<string>
  readonly log: Logger
}

const definitionsGroup = 'apiextensions.k8s.io'
const definitionsPlural = 'customresourcedefinitions'

/** The resources made from one definition. */
interface Served {
  /** A digest of those parts of the definition on which the resources depend. */
  readonly from: string
  readonly life: DefinitionLife
  /** The newest version first; empty when the definition serves no version. */
  readonly resources: readonly Resource[]
}

export class CustomResources implements Part {
  readonly name = 'custom resources'
  readonly #options: CustomResourcesOptions
  readonly #served = new Map<string, Served>()
  /** The revisions at which definitions were created, for those created since this process started. */
  readonly #created = new Map<string, number>()
  #definitions: Resource | undefined
  #handle: WatchHandle | undefined
  /** Parsed definitions, as long as there is memory. Versions of several definitions are needed alternately. */
  readonly #parsed = new WeakMap<CachedObject, WeakRef<CustomResourceDefinition>>()

  constructor(options: CustomResourcesOptions) {
    this.#options = options
  }

  /** Serves all definitions, and follows their watch cache, which must be loaded. */
  start(): void {
    const { registry } = this.#options
    if (!registry.has(definitionsGroup, definitionsPlural)) return
    const definitions = registry.resource(definitionsGroup, definitionsPlural)
    this.#definitions = definitions
    const parse = (object: CachedObject) => definitions.parse(object) as CustomResourceDefinition
    this.#handle = follow(definitions.cache, {
      changed: ({ current, previous, revision }) => {
        const { name } = (current ?? previous)!
        if (!previous && revision !== undefined) this.#created.set(name, revision)
        else if (!current) this.#created.delete(name)
        if (current) this.#trySet(current, parse)
        else this.#withdraw(name)
      }
    })
  }

  stop(): void {
    this.#handle?.close()
    for (const name of this.#served.keys()) this.#withdraw(name)
  }

  /** Logs a definition that cannot be served, so that it does not stop the others. */
  #trySet(object: CachedObject, parse: (object: CachedObject) => CustomResourceDefinition): void {
    try {
      this.#serve(object.name, parse(object))
    } catch (error) {
      this.#withdraw(object.name)
      this.#options.log.error(`the CustomResourceDefinition ${object.name} cannot be served: ${(error as Error).message}`)
    }
  }

  #serve(name: string, definition: CustomResourceDefinition): void {
    const { spec, status } = definition
    const isTrue = (type: string) => status.conditions?.some(c => c.type === type && c.status === 'True') ?? false
    if (!isTrue('NamesAccepted') && !isTrue('Established')) return this.#withdraw(name)
    const from = createHash('sha256')
      .update(exactJson([spec, status.acceptedNames, annotatedIndexes(definition)]))
      .digest('base64')
    const terminating = definition.metadata.deletionTimestamp !== undefined || isTrue('Terminating')
    const known = this.#served.get(name)
    if (known?.from === from) {
      known.life.terminating = terminating
      return
    }
    this.#withdraw(name)
    const taken = this.#whyTaken(definition)
    if (taken !== undefined) {
      this.#served.set(name, { from, life: { terminating }, resources: [] })
      this.#options.log.error(`the CustomResourceDefinition ${name} is not served: ${taken}`)
      return
    }
    const life = { terminating }
    const resources = this.#resourcesOf(definition, life)
    this.#served.set(name, { from, life, resources })
    const [first, ...others] = resources
    if (first) this.#options.registry.add(first, ...others)
  }

  /** Returns why another resource of the server answers requests for the definition's resource, or undefined. */
  #whyTaken({ spec: { group, names } }: CustomResourceDefinition): string | undefined {
    const { builtinGroups, registry } = this.#options
    if (builtinGroups.has(group)) return `the group ${group} is built in`
    return registry.has(group, names.plural)
      ? `${names.plural}.${group} is a kind of the program that embeds the server`
      : undefined
  }

  #withdraw(name: string): void {
    const known = this.#served.get(name)
    if (!known) return
    this.#served.delete(name)
    if (known.resources.length > 0) this.#options.registry.remove(...known.resources)
    for (const resource of known.resources) resource.cache.close()
  }

  /**
   * Runs `use` with a resource that has all stored objects of a definition, even when the definition serves no version. Returns
   * `none` when the objects under the definition's name belong to another resource.
   */
  async withStored<T>(definition: CustomResourceDefinition, none: T, use: (resource: Resource) => Promise<T>): Promise<T> {
    const served = this.#served.get(definition.metadata.name!)?.resources
    if (served?.[0]) return use(served[0])
    if (this.#whyTaken(definition) !== undefined) return none
    const [resource] = this.#resourcesOf(definition, { terminating: true }, v => v.storage)
    try {
      return await use(resource!)
    } finally {
      resource!.cache.close()
    }
  }

  /** Reads a schema from the cached definition, so that schemas are in memory only while they are used. */
  #schemaOf(name: string, version: string): JSONSchemaProps {
    const cached = this.#definitions?.get('', name)
    if (!cached) throw new StoreUnavailableError(`the definition ${name} is gone`)
    let definition = this.#parsed.get(cached)?.deref()
    if (!definition) {
      definition = this.#definitions!.parse(cached) as CustomResourceDefinition
      this.#parsed.set(cached, new WeakRef(definition))
    }
    return definition.spec.versions!.find(v => v.name === version)!.schema!.openAPIV3Schema!
  }

  #resourcesOf(
    definition: CustomResourceDefinition,
    life: DefinitionLife,
    wanted?: (version: CustomResourceDefinitionVersion) => boolean
  ): Resource[] {
    const name = definition.metadata.name!
    const since = this.#created.get(name)
    return resourcesOf(definition, { ...this.#options, life, wanted, since, schemaOf: version => this.#schemaOf(name, version) })
  }
}
