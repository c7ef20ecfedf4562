/**
 * Drives the lifecycle of CustomResourceDefinitions: accepts free names, establishes definitions, and deletes their objects
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/).
 */

import type { CustomResources } from '../apiextensions/custom-resources.js'
import { type AcceptedNames, acceptNames } from '../apiextensions/names.js'
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../apimachinery/api/generated/apiextensions-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import { StatusError } from '../apimachinery/status/status.js'
import { cleanupFinalizer, hasCondition, setDefinitionCondition } from '../kinds/apiextensions/conditions.js'
import { approvalCondition } from '../kinds/apiextensions/protected-group.js'
import { caBundleProblem } from '../kinds/ca-bundle.js'
import type { Client } from '../registry/client.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { CachedObject } from '../storage/cached-object.js'
import { equalJson } from '../util/json.js'
import type { Logger } from '../util/logger.js'
import { Controller } from './controller.js'

/** The interval at which the deletion checks for objects that still wait for finalizers. */
const checkAgainMs = 1000

export function definitionController(services: Services, resources: CustomResources, client: Client, log: Logger): Controller {
  const { clock, queues, registry } = services
  const definitions = registry.of(refs.customResourceDefinitions)
  const life = new DefinitionLife(services, resources, client, definitions)
  const controller: Controller = new Controller({
    name: 'customresourcedefinitions',
    queue: 'crd_naming_condition_controller',
    watches: [{ resource: definitions, keyOf: key => key }],
    // one worker, because the names that one definition takes are taken for the next
    workers: 1,
    reconcile: name => life.reconcile(name, other => controller.enqueue(other)),
    clock,
    queues,
    log
  })
  return controller
}

const groupOf = (name: string) => name.slice(name.indexOf('.') + 1)

class DefinitionLife {
  readonly #services: Services
  readonly #resources: CustomResources
  readonly #client: Client
  readonly #definitions: Resource
  readonly #names = new WeakMap<CachedObject, CustomResourceDefinitionNames>()

  constructor(services: Services, resources: CustomResources, client: Client, definitions: Resource) {
    this.#services = services
    this.#resources = resources
    this.#client = client
    this.#definitions = definitions
  }

  /** Calls `enqueue` for other definitions of the group, for which names may have become free. */
  async reconcile(name: string, enqueue: (name: string) => void): Promise<number | undefined> {
    const cached = this.#definitions.get('', name)
    if (!cached) {
      this.#othersOf(groupOf(name), name, enqueue)
      return undefined
    }
    const definition: CustomResourceDefinition = this.#definitions.parse(cached)
    await this.#approve(definition)
    if (await this.#name(definition)) this.#othersOf(definition.spec.group, name, enqueue)
    else if (definition.metadata.deletionTimestamp) return this.#finalize(definition)
    return undefined
  }

  /** Returns the definitions of a group, whose names end with the group. */
  #ofGroup(group: string): CachedObject[] {
    return [...this.#definitions.cache.range('')].filter(object => groupOf(object.name) === group)
  }

  /** Keeps the accepted names of each definition, because a definition is too large to parse for every other one. */
  #acceptedNames(object: CachedObject): CustomResourceDefinitionNames {
    let names = this.#names.get(object)
    if (!names) this.#names.set(object, (names = this.#definitions.parse(object).status.acceptedNames))
    return names!
  }

  #othersOf(group: string, name: string, enqueue: (name: string) => void): void {
    for (const other of this.#ofGroup(group)) if (other.name !== name) enqueue(other.name)
  }

  /** Sets the condition on API approval, which groups under k8s.io and kubernetes.io require (KEP-2337). */
  async #approve(definition: CustomResourceDefinition): Promise<void> {
    const wanted = approvalCondition(definition)
    const known = definition.status.conditions?.find(({ type }) => type === wanted?.type)
    if (!wanted || (known?.status === wanted.status && known.reason === wanted.reason && known.message === wanted.message)) return
    const now = this.#services.clock.now()
    await this.#writeStatus(definition.metadata.name!, ({ status }) => void setDefinitionCondition(status, now, wanted))
  }

  /** Accepts the names that are free. Returns true when the definition changed. */
  async #name({ metadata, spec, status }: CustomResourceDefinition): Promise<boolean> {
    const done = equalJson(spec.names, status.acceptedNames) && hasCondition(status, 'NamesAccepted')
    if (done && (hasCondition(status, 'Established') || metadata.deletionTimestamp !== undefined)) return false
    const taken = this.#ofGroup(spec.group).map(object => this.#acceptedNames(object))
    const accepted = acceptNames(spec.names, status.acceptedNames, taken)
    return this.#writeStatus(metadata.name!, definition => this.#applyNames(definition, accepted))
  }

  #applyNames({ spec, status }: CustomResourceDefinition, { names, conflict }: AcceptedNames): void {
    const now = this.#services.clock.now()
    status.acceptedNames = names
    setDefinitionCondition(
      status,
      now,
      conflict
        ? { type: 'NamesAccepted', status: 'False', ...conflict }
        : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
    )
    // an established definition stays established, under the names that it had
    if (hasCondition(status, 'Established')) return
    const type = 'Established'
    const { caBundle } = spec.conversion?.webhook?.clientConfig ?? {}
    if (conflict) {
      const message = 'not all names are accepted'
      setDefinitionCondition(status, now, { type, status: 'False', reason: 'NotAccepted', message })
    } else if (caBundle && caBundleProblem(caBundle)) {
      const message = 'The conversion webhook CABundle is invalid'
      setDefinitionCondition(status, now, { type, status: 'False', reason: 'InvalidCABundle', message })
    } else {
      const message = 'the initial names have been accepted'
      setDefinitionCondition(status, now, { type, status: 'True', reason: 'InitialNamesAccepted', message })
    }
  }

  async #finalize(definition: CustomResourceDefinition): Promise<number | undefined> {
    const { metadata } = definition
    const name = metadata.name!
    if (!metadata.finalizers?.includes(cleanupFinalizer)) return undefined
    await this.#terminating(name, 'InstanceDeletionInProgress', 'CustomResource deletion is in progress')
    const left = await this.#resources.withStored(definition, 0, resource => this.#deleteObjects(resource))
    if (left > 0) return checkAgainMs
    // written through the status subresource, because the spec of an old definition might no longer be valid
    await this.#writeStatus(name, ({ metadata, status }) => {
      const [reason, message] = ['InstanceDeletionCompleted', 'removed all instances']
      setDefinitionCondition(status, this.#services.clock.now(), { type: 'Terminating', status: 'False', reason, message })
      metadata.finalizers = metadata.finalizers?.filter((f: string) => f !== cleanupFinalizer)
    })
    return undefined
  }

  /** Deletes every object. Returns the number of objects that remain. */
  async #deleteObjects(resource: Resource): Promise<number> {
    await resource.cache.load()
    for (const object of [...resource.cache.range('')]) {
      if (object.lifecycle?.deleting !== true) await this.#client.delete(resource, object.namespace, object.name)
    }
    return resource.cache.size
  }

  async #terminating(name: string, reason: string, message: string): Promise<void> {
    const now = this.#services.clock.now()
    await this.#writeStatus(name, ({ status }) => {
      setDefinitionCondition(status, now, { type: 'Terminating', status: 'True', reason, message })
    })
  }

  async #writeStatus(name: string, change: (definition: CustomResourceDefinition) => void): Promise<boolean> {
    const before = this.#definitions.get('', name)?.revision
    try {
      const { object } = await this.#client.update(this.#definitions, '', name, change, 'status')
      return object.metadata.resourceVersion !== String(before)
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return false
      throw error
    }
  }
}
