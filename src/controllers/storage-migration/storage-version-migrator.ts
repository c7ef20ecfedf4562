/**
 * Rewrites the objects of resources in their storage version, as StorageVersionMigrations ask for
 * (https://kubernetes.io/docs/tasks/manage-kubernetes-objects/storage-version-migration/).
 */
import type { StorageVersionMigration } from '../../apimachinery/api/generated/storagemigration-v1beta1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { isConditionTrue, type MigrationCondition } from '../../kinds/storagemigration/conditions.js'
import type { Client } from '../../registry/client.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { Logger } from '../../util/logger.js'
import { timestamp } from '../../util/time.js'
import { nextTurn, startSlice } from '../../util/turns.js'
import { Controller } from '../controller.js'
import { DefinitionMigration } from './definition-migration.js'
import { Failed, isConflict, isRetriable } from './failures.js'

const name = 'storage-version-migrator-controller'
/** Milliseconds for which a migration waits for its resource to be served. */
const patienceMs = 60_000
const checkAgainMs = 1000
const needed = ['update', 'patch', 'list'] as const

export interface MigratorClients {
  /** Writes the status of migrations. */
  readonly status: Client
  /** Sends an empty apply to the objects that are migrated. */
  readonly objects: Client
  /** Applies to the status of CustomResourceDefinitions. */
  readonly definitions: Client
}

export function storageVersionMigrator(services: Services, clients: MigratorClients, log: Logger): Controller {
  const migrator = new Migrator(services, clients)
  const { registry, clock, queues } = services
  const controller: Controller = new Controller({
    name,
    watches: [{ resource: registry.of(refs.storageVersionMigrations), keyOf: key => key }],
    workers: 5,
    reconcile: (migration, signal) => migrator.reconcile(migration, signal, other => controller.enqueue(other)),
    clock,
    queues,
    log
  })
  return controller
}

class Migrator {
  readonly #services: Services
  readonly #clients: MigratorClients
  readonly #migrations: Resource<StorageVersionMigration>
  readonly #definitions: DefinitionMigration

  constructor(services: Services, clients: MigratorClients) {
    this.#services = services
    this.#clients = clients
    this.#migrations = services.registry.of(refs.storageVersionMigrations)
    this.#definitions = new DefinitionMigration(services, clients.definitions)
  }

  /** Takes the next step of a migration. Each step writes the status, which enqueues the migration again. */
  async reconcile(name: string, signal: AbortSignal, enqueue: (name: string) => void): Promise<number | undefined> {
    const migration = this.#migrations.read('', name)
    if (!migration) {
      for (const other of this.#migrations.list()) enqueue(other.metadata.name!)
      return undefined
    }
    if (isConditionTrue(migration, 'Succeeded') || isConditionTrue(migration, 'Failed')) {
      if (!isConditionTrue(migration, 'Running')) return undefined
      await this.#end(migration)
      for (const other of this.#ofSameResource(migration)) enqueue(other.metadata.name!)
      return undefined
    }
    if (!isConditionTrue(migration, 'Running')) {
      if (this.#isNext(migration)) await this.#begin(migration)
      return undefined
    }
    try {
      return await this.#run(migration, signal)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      await this.#set(migration, 'Failed', 'StorageVersionMigrationFailed', error.message)
      return undefined
    }
  }

  #ofSameResource({ spec }: StorageVersionMigration): StorageVersionMigration[] {
    const { group, resource } = spec.resource
    return this.#migrations.list().filter(o => o.spec.resource.group === group && o.spec.resource.resource === resource)
  }

  /** Whether it is this migration's turn: of the migrations of one resource, the oldest runs alone. */
  #isNext(migration: StorageVersionMigration): boolean {
    const age = ({ metadata }: StorageVersionMigration) => [Date.parse(metadata.creationTimestamp ?? ''), metadata.name!] as const
    const [created, name] = age(migration)
    return this.#ofSameResource(migration).every(other => {
      const ended = isConditionTrue(other, 'Succeeded') || isConditionTrue(other, 'Failed')
      if (ended) return true
      const [since, its] = age(other)
      return !isConditionTrue(other, 'Running') && (since === created ? its >= name : since > created)
    })
  }

  async #begin(migration: StorageVersionMigration): Promise<void> {
    await this.#definitions.begin(migration)
    await this.#set(migration, 'Running', 'MigrationRunning', 'The migration is running')
  }

  async #end(migration: StorageVersionMigration): Promise<void> {
    await this.#definitions.end(migration, isConditionTrue(migration, 'Succeeded'))
    await this.#change(migration, ({ status }) => {
      const running = status.conditions!.find(({ type }) => type === 'Running')!
      const lastTransitionTime = timestamp(this.#services.clock.now())
      Object.assign(running, {
        status: 'False',
        lastTransitionTime,
        reason: 'MigrationCompleted',
        message: 'Migration completed'
      })
    })
  }

  async #run(migration: StorageVersionMigration, signal: AbortSignal): Promise<number | undefined> {
    const { group = '', resource: plural = '' } = migration.spec.resource
    const { registry, clock } = this.#services
    const { resourceVersion } = migration.status
    if (!registry.has(group, plural)) {
      // the resource may be a custom one that is just being defined
      if (Date.parse(migration.metadata.creationTimestamp ?? '') + patienceMs > clock.now()) return checkAgainMs
      throw new Failed(
        resourceVersion
          ? 'migration encountered unhandled error: unable to obtain GVR from discovery'
          : 'resource does not exist in discovery'
      )
    }
    const resource = registry.resource(group, plural)
    if (!resourceVersion) await this.#checkpoint(migration, resource)
    else {
      await this.#migrate(resource, Number(resourceVersion), signal)
      if (!signal.aborted) await this.#set(migration, 'Succeeded', 'StorageVersionMigrationSucceeded', '')
    }
    return undefined
  }

  /** Notes the present resourceVersion: objects that are written after it are in the storage version. */
  async #checkpoint(migration: StorageVersionMigration, resource: Resource): Promise<void> {
    const { group, resource: plural, verbs } = resource
    if (!needed.every(verb => verbs.has(verb))) {
      const [version] = resource.versions.keys()
      const called = JSON.stringify(`${group}/${version}, Resource=${plural}`)
      throw new Failed(`resource ${called} does not support discovery operations: [${needed.join(' ')}]`)
    }
    const revision = await resource.store.currentRevision()
    await this.#change(migration, ({ status }) => {
      status.resourceVersion = String(revision)
    })
  }

  async #migrate(resource: Resource, revision: number, signal: AbortSignal): Promise<void> {
    await resource.cache.load()
    let sliceIsOver = startSlice()
    for (const object of [...resource.cache.range('')]) {
      if (signal.aborted) return
      if (object.revision > revision) continue
      await this.#rewrite(resource, object)
      if (!sliceIsOver()) continue
      await nextTurn()
      sliceIsOver = startSlice()
    }
  }

  /** Sends an empty apply to an object, provided that it is still the same. */
  async #rewrite(resource: Resource, { namespace, name, uid, revision }: CachedObject): Promise<void> {
    try {
      await this.#clients.objects.apply(resource, namespace, { metadata: { name, uid, resourceVersion: String(revision) } })
    } catch (error) {
      // written or deleted meanwhile, so it is in the storage version already, or gone
      if (isConflict(error)) return
      if (isRetriable(error)) throw error
      throw new Failed(`migration encountered unhandled error: ${(error as Error).message}`)
    }
  }

  async #set(migration: StorageVersionMigration, type: MigrationCondition, reason: string, message: string): Promise<void> {
    const lastTransitionTime = timestamp(this.#services.clock.now())
    await this.#change(migration, ({ status }) => {
      status.conditions ??= []
      if (status.conditions.some(condition => condition.type === type && condition.status !== 'Unknown')) return
      status.conditions.push({ type, status: 'True', lastTransitionTime, reason, message })
    })
  }

  async #change({ metadata }: StorageVersionMigration, change: (migration: StorageVersionMigration) => void): Promise<void> {
    await this.#clients.status.update(
      this.#migrations,
      '',
      metadata.name!,
      migration => {
        if (migration.metadata.uid === metadata.uid) change(migration)
      },
      'status'
    )
  }
}
