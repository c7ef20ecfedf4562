/** Recounts the usage of each ResourceQuota when the quota changes, when an object releases usage, and periodically. */

import type { ResourceQuota } from '../apimachinery/api/generated/core-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import type { Evaluator, Usage } from '../kinds/quota/evaluator.js'
import { countsDifferently, evaluatorOf } from '../kinds/quota/evaluators.js'
import { scopesOf } from '../kinds/quota/scopes.js'
import type { Client } from '../registry/client.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { WatchHandle } from '../storage/contract.js'
import { follow } from '../storage/follow.js'
import type { Clock, Timer } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { addQuantities, compareQuantities } from '../util/quantity.js'
import { Controller } from './controller.js'

const countAgainMs = 300_000
/** Releases within this time lead to one recount. */
const gatherMs = 20
/** Generous time for a write to get from its charge to the store. */
const settlingMs = 200
/** Bounds how often a recount waits for quiet, because steady load never ends. */
const mostWaits = 10
/** Number of objects to count before yielding to other work. */
const slice = 500

/** The last change that this server saw in a quota's status. */
interface Charge {
  readonly revision: number
  readonly at: number
  countedAt: number
  /** How often the recount was postponed. */
  waits: number
}

/** Whether both have the same amounts, however they are spelled. */
function sameQuantities(a: Usage, b: Usage): boolean {
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && compareQuantities(a[name]!, b[name]!) === 0)
  )
}

/** Whether the status covers every limited resource and repeats the current limits. */
const isComplete = ({ spec, status }: ResourceQuota) =>
  status.used !== undefined &&
  sameQuantities(status.hard ?? {}, spec.hard ?? {}) &&
  Object.keys(spec.hard ?? {}).every(name => Object.hasOwn(status.used!, name))

export class ResourceQuotas implements Part {
  readonly name = 'resource-quotas'
  readonly #registry: Registry
  readonly #clock: Clock
  readonly #client: Client
  readonly #quotas: Resource
  readonly #controller: Controller
  readonly #watched = new Map<Resource, WatchHandle>()
  /** Keys of quotas that have had usage released. */
  readonly #released = new Set<string>()
  readonly #charged = new Map<string, Charge>()
  #gathering: Timer | undefined
  #unsubscribe: () => void = () => {}

  constructor({ registry, clock, queues }: Services, client: Client, log: Logger) {
    this.#registry = registry
    this.#clock = clock
    this.#client = client
    this.#quotas = registry.of(refs.resourceQuotas)
    this.#controller = new Controller({
      name: 'resourcequotas',
      queue: 'resourcequota_primary',
      watches: [{ resource: this.#quotas, keyOf: key => key }],
      clock,
      queues,
      log,
      reconcile: key => this.#count(key)
    })
  }

  async start(): Promise<void> {
    this.#watchAll()
    this.#unsubscribe = this.#registry.onChange(() => this.#watchAll())
    await this.#controller.start()
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#gathering?.cancel()
    for (const handle of this.#watched.values()) handle.close()
    await this.#controller.stop()
  }

  /** Follows the resources that are served now. */
  #watchAll(): void {
    const served = new Set(this.#registry.all())
    for (const [resource, handle] of this.#watched) {
      if (served.has(resource)) continue
      handle.close()
      this.#watched.delete(resource)
    }
    for (const resource of served) {
      const evaluator = evaluatorOf(resource, this.#registry)
      if (evaluator && !this.#watched.has(resource)) this.#watched.set(resource, this.#watch(resource, evaluator))
    }
  }

  #watch(resource: Resource, evaluator: Evaluator): WatchHandle {
    return follow(resource.cache, {
      changed: ({ current, previous }) => {
        if (!previous || (current && evaluator.isConstant)) return
        let states: readonly [object: unknown, old: unknown] | undefined
        // most changes are in namespaces without quotas
        for (const limiting of this.#quotas.cache.range(`${previous.namespace}/`)) {
          states ??= [current && resource.parse(current), resource.parse(previous)]
          if (this.#isReleased(this.#quotas.parse(limiting), evaluator, ...states)) this.#recount(limiting.key)
        }
      }
    })
  }

  /** Whether a quota has to be recounted after an object became another one or, without `object`, was deleted. */
  #isReleased(quota: ResourceQuota, evaluator: Evaluator, object: unknown, old: unknown): boolean {
    if (object === undefined) return Object.keys(quota.spec.hard ?? {}).some(evaluator.matches)
    return countsDifferently(quota, evaluator, object, old, this.#clock.now())
  }

  #recount(key: string): void {
    this.#released.add(key)
    this.#gathering ??= this.#clock.setTimeout(() => {
      this.#gathering = undefined
      for (const released of this.#released) this.#controller.enqueue(released)
    }, gatherMs)
  }

  async #count(key: string): Promise<number | undefined> {
    const cached = this.#quotas.cache.get(key)
    if (!cached) {
      this.#released.delete(key)
      this.#charged.delete(key)
      return undefined
    }
    const quota: ResourceQuota = this.#quotas.parse(cached)
    const hard = quota.spec.hard ?? {}
    const last = this.#charged.get(key)
    const due = last !== undefined && this.#clock.now() - last.countedAt >= countAgainMs
    const charge = last?.revision === cached.revision ? last : this.#note(key, cached.revision, last)
    if (isComplete(quota) && !this.#released.has(key) && !due) return countAgainMs
    // limits that change one after the other lead to one recount
    if (quota.status.used && !isComplete(quota) && this.#clock.now() - charge.at < gatherMs) return gatherMs
    // an object charged a moment ago may not be stored yet, and the recount would miss it
    if (isComplete(quota) && this.#clock.now() - charge.at < settlingMs && charge.waits++ < mostWaits) return settlingMs
    this.#released.delete(key)
    charge.waits = 0
    charge.countedAt = this.#clock.now()
    const used = await this.#usage(quota, Object.keys(hard))
    const { status } = quota
    const same =
      sameQuantities(status.hard ?? {}, hard) &&
      Object.keys(used).every(
        name => status.used?.[name] !== undefined && compareQuantities(status.used[name], used[name]!) === 0
      )
    if (same && isComplete(quota)) return countAgainMs
    const before = cached.revision
    await this.#client.update(
      this.#quotas,
      cached.namespace,
      cached.name,
      object => {
        // writing would lose a charge made in the meantime; its event enqueues this quota again
        if (this.#quotas.cache.get(key)?.revision === before) object.status = { hard, used }
      },
      'status'
    )
    return countAgainMs
  }

  #note(key: string, revision: number, last: Charge | undefined): Charge {
    const at = this.#clock.now()
    const charge = { revision, at, waits: last?.waits ?? 0, countedAt: last?.countedAt ?? at }
    this.#charged.set(key, charge)
    return charge
  }

  async #usage(quota: ResourceQuota, names: readonly string[]): Promise<Usage> {
    const used: Usage = {}
    const scopes = scopesOf(quota)
    for (const name of names) if (quota.status.used?.[name] !== undefined) used[name] = quota.status.used[name]
    for (const name of names) used[name] ??= '0'
    for (const resource of this.#registry.all()) {
      const evaluator = evaluatorOf(resource, this.#registry)
      const counted = evaluator ? names.filter(evaluator.matches) : []
      if (!evaluator || counted.length === 0) continue
      for (const name of counted) used[name] = '0'
      let seen = 0
      for (const cached of [...resource.cache.range(`${quota.metadata.namespace}/`)]) {
        if (++seen % slice === 0) await new Promise(resolve => setImmediate(resolve))
        const object = resource.parse(cached)
        if (!scopes.every(scope => evaluator.inScope(object, scope))) continue
        const usage = evaluator.usage(object, this.#clock.now())
        for (const name of counted) if (usage[name] !== undefined) used[name] = addQuantities(used[name]!, usage[name])
      }
    }
    return used
  }
}
