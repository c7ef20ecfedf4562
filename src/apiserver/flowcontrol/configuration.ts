/**
 * Follows the FlowSchemas and PriorityLevelConfigurations, and keeps the levels accordingly. The mandatory ones exist even while
 * their objects do not.
 */
import type { FlowSchema, PriorityLevelConfiguration } from '../../apimachinery/api/generated/flowcontrol-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from '../../kinds/flowcontrol/mandatory.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import type { Clock, Timer } from '../../util/clock.js'
import { adjustLimits } from './borrowing.js'
import { AllFlowStats } from './flow-stats.js'
import type { Pace } from './pace.js'
import { isSound, type LevelObject, PriorityLevel } from './priority-level.js'
import { Schema, Schemas } from './schemas.js'

const adjustmentMs = 10_000

export interface ConfigurationParts {
  readonly clock: Clock
  /** The time in milliseconds, with a fraction. */
  readonly now: () => number
  readonly pace: Pace
  /** The seats of all levels together. */
  readonly serverSeats: number
}

export class Configuration {
  readonly #parts: ConfigurationParts
  #levels = new Map<string, PriorityLevel>()
  #schemas!: Schemas
  readonly flowStats = new AllFlowStats()
  /** The part of its target that each level has. */
  fairShare = 0
  #objects: { readonly levels: readonly LevelObject[]; readonly schemas: readonly FlowSchema[] } = { levels: [], schemas: [] }
  readonly #handles: WatchHandle[] = []
  #timer: Timer | undefined

  constructor(parts: ConfigurationParts) {
    this.#parts = parts
    this.use([], [])
  }

  get schemas(): Schemas {
    return this.#schemas
  }

  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels
  }

  get serverSeats(): number {
    return this.#parts.serverSeats
  }

  /** Follows the objects, whose caches have been loaded, and adjusts the levels' limits from now on. */
  start(registry: Registry): void {
    const [levels, schemas] = [registry.of(refs.priorityLevels), registry.of(refs.flowSchemas)]
    let isFollowing = false
    const read = () => {
      if (isFollowing) this.use(objectsOf(levels), schemasOf(schemas))
    }
    for (const { cache } of [levels, schemas]) this.#handles.push(follow(cache, { changed() {}, settled: read }))
    isFollowing = true
    read()
    const adjust = () => {
      this.adjust()
      this.#timer = this.#parts.clock.setTimeout(adjust, adjustmentMs)
    }
    adjust()
  }

  stop(): void {
    for (const handle of this.#handles.splice(0)) handle.close()
    this.#timer?.cancel()
  }

  adjust(): void {
    this.fairShare = adjustLimits([...this.#levels.values()], this.#parts.serverSeats, this.#parts.now())
  }

  /** Puts these objects into effect. */
  use(levels: readonly LevelObject[], schemas: readonly FlowSchema[]): void {
    this.#objects = { levels, schemas }
    this.#levels = this.#levelsFor(levels)
    const { serverSeats } = this.#parts
    let shares = 0
    for (const level of this.#levels.values()) shares += level.shares
    for (const level of this.#levels.values()) level.share(serverSeats, shares)
    this.#schemas = this.#schemasFor(schemas)
    this.adjust()
  }

  /** Removes a level that is no longer wanted, as soon as its last request has ended. */
  releaseLevel(level: PriorityLevel): void {
    if (level.quiescing && level.queues.isIdle) this.use(this.#objects.levels, this.#objects.schemas)
  }

  #levelsFor(objects: readonly LevelObject[]): Map<string, PriorityLevel> {
    const levels = new Map<string, PriorityLevel>()
    for (const object of objects) {
      if (!isSound(object)) continue
      const level = this.#levels.get(object.name) ?? new PriorityLevel(object, this.#parts)
      level.uid = object.uid
      level.spec = object.spec
      level.quiescing = false
      levels.set(object.name, level)
    }
    for (const [name, level] of this.#levels) {
      if (levels.has(name)) continue
      const isMandatory = mandatoryPriorityLevels.has(name)
      if (!isMandatory && level.queues.isIdle) continue
      level.quiescing = !isMandatory
      levels.set(name, level)
    }
    for (const [name, spec] of mandatoryPriorityLevels)
      if (!levels.has(name)) levels.set(name, new PriorityLevel({ name, uid: '', spec }, this.#parts))
    return levels
  }

  /** Returns the schemas in effect. A schema counts only with its level, and not when that only ends its work. */
  #schemasFor(objects: readonly FlowSchema[]): Schemas {
    const schemas: Schema[] = []
    const add = (name: string, uid: string, spec: FlowSchema['spec']) => {
      const level = this.#levels.get(spec.priorityLevelConfiguration.name)
      if (!level || level.quiescing) return
      const stats = this.flowStats.of(level.name, name)
      schemas.push(new Schema({ name, uid, rules: spec.rules ?? [], by: spec.distinguisherMethod?.type, level, stats }))
    }
    const sorted = [...objects].sort(
      (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence || (nameOf(a) < nameOf(b) ? -1 : 1)
    )
    const has = (name: string) => objects.some(object => nameOf(object) === name)
    if (!has('exempt')) add('exempt', '', mandatoryFlowSchemas.get('exempt')!)
    for (const object of sorted) add(nameOf(object), object.metadata.uid ?? '', object.spec)
    if (!has('catch-all')) add('catch-all', '', mandatoryFlowSchemas.get('catch-all')!)
    return new Schemas(schemas)
  }
}

const nameOf = ({ metadata }: FlowSchema) => metadata.name ?? ''

const objectsOf = (levels: Resource<PriorityLevelConfiguration>): LevelObject[] =>
  [...levels.cache.range('')].map(cached => {
    const { metadata, spec } = levels.peek(cached)
    return { name: cached.name, uid: metadata.uid ?? '', spec }
  })

const schemasOf = (schemas: Resource<FlowSchema>): FlowSchema[] =>
  [...schemas.cache.range('')].map(cached => schemas.peek(cached))
