/**
 * Maintains the APIServices of this server: one for each version of its own groups, and one for each version that
 * CustomResourceDefinitions declare, for as long as any definition declares the version.
 */

import type { CustomResourceDefinition } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { APIService, APIServiceSpec } from '../../apimachinery/api/generated/apiregistration-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import { apiServicePriority, customPriority } from '../../registry/group-priorities.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import { equalJson } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'

const managedLabel = 'kube-aggregator.kubernetes.io/automanaged'
/** The label value of APIServices that are synchronised at the start and then left to administrators. */
const onStart = 'onstart'
const always = 'true'

interface Wanted {
  readonly managed: typeof onStart | typeof always
  readonly spec: APIServiceSpec
}

const nameOf = (group: string, version: string) => `${version}.${group}`

const specOf = (group: string, version: string, priority: { group: number; version: number }): APIServiceSpec => ({
  ...(group === '' ? {} : { group }),
  version,
  groupPriorityMinimum: priority.group,
  versionPriority: priority.version
})

export class ApiServiceRegistration implements Part {
  readonly name = 'registration of APIServices'
  readonly #services: Resource
  readonly #definitions: Resource | undefined
  readonly #client: Client
  readonly #own: ReadonlyMap<string, Wanted>
  readonly #declared = new Map<string, Set<string>>()
  readonly #controller: Controller
  /** The APIServices that existed before this server started. */
  #present: ReadonlySet<string> = new Set()
  readonly #done = new Set<string>()

  constructor({ registry, clock, queues }: Services, client: Client, log: Logger) {
    this.#services = registry.of(refs.apiServices)
    this.#definitions = registry.ifServed(refs.customResourceDefinitions)
    this.#client = client
    this.#own = new Map(
      [...registry.all()].flatMap(resource =>
        [...resource.versions.keys()].flatMap(
          version => ownService(resource.group, version, resource.kind.custom !== undefined) ?? []
        )
      )
    )
    this.#controller = new Controller({
      name: 'api-services',
      queue: 'autoregister',
      watches: [
        { resource: this.#services, keyOf: name => name },
        ...(this.#definitions ? [{ resource: this.#definitions, keyOf: (name: string) => `crd/${name}` }] : [])
      ],
      clock,
      queues,
      log,
      reconcile: key => (key.startsWith('crd/') ? this.#look(key.slice('crd/'.length)) : this.#sync(key))
    })
  }

  async start(): Promise<void> {
    await this.#services.cache.load()
    this.#present = new Set([...this.#services.cache.range('')].map(({ name }) => name))
    await Promise.all([...this.#own.keys()].map(name => this.#sync(name)))
    await this.#controller.start()
  }

  /** Whether all versions that this server serves by itself have been registered. */
  get isComplete(): boolean {
    return [...this.#own.keys()].every(name => this.#done.has(name))
  }

  stop(): Promise<void> {
    return this.#controller.stop()
  }

  /** Enqueues the versions that a definition declares or has declared. */
  async #look(name: string): Promise<void> {
    const cached = this.#definitions!.get('', name)
    const { spec }: Partial<CustomResourceDefinition> = cached ? this.#definitions!.peek(cached) : {}
    const before = this.#declared.get(name) ?? new Set<string>()
    const declared = new Set(spec?.versions?.filter(version => version.served).map(version => nameOf(spec.group, version.name)))
    if (declared.size > 0) this.#declared.set(name, declared)
    else this.#declared.delete(name)
    for (const service of new Set([...before, ...declared])) this.#controller.enqueue(service)
  }

  #wanted(name: string): Wanted | undefined {
    const own = this.#own.get(name)
    if (own) return own
    for (const declared of this.#declared.values()) {
      if (!declared.has(name)) continue
      const dot = name.indexOf('.')
      return { managed: always, spec: specOf(name.slice(dot + 1), name.slice(0, dot), customPriority) }
    }
    return undefined
  }

  async #sync(name: string): Promise<void> {
    const wanted = this.#wanted(name)
    const cached = this.#services.get('', name)
    const done = this.#done.has(name)
    if (wanted?.managed === onStart && done) return
    if (!cached) {
      if (wanted)
        await this.#client.ensure(this.#services, '', {
          metadata: { name, labels: { [managedLabel]: wanted.managed } },
          spec: wanted.spec
        } as never)
    } else await this.#adjust(this.#services.peek(cached), wanted, done)
    this.#done.add(name)
  }

  /** Leaves an APIService without the label alone: it belongs to an administrator. */
  async #adjust({ metadata, spec }: APIService, wanted: Wanted | undefined, done: boolean): Promise<void> {
    const name = metadata.name!
    const managed = metadata.labels?.[managedLabel]
    if (managed !== onStart && managed !== always) return
    if (managed === onStart && (done || !this.#present.has(name))) return
    if (!wanted) await this.#client.delete(this.#services, '', name)
    else if (!equalJson(spec, wanted.spec))
      await this.#client.update(this.#services, '', name, object => {
        object.spec = wanted.spec
      })
  }
}

function ownService(group: string, version: string, custom: boolean | undefined): [string, Wanted][] | undefined {
  const priority = custom ? undefined : apiServicePriority(group, version)
  return priority && [[nameOf(group, version), { managed: onStart, spec: specOf(group, version, priority) }]]
}
