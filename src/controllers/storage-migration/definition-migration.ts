/** Writes the outcome of a migration of custom resources into the status of their definition. */
import type { CustomResourceDefinition } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { StorageVersionMigration } from '../../apimachinery/api/generated/storagemigration-v1beta1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { timestamp } from '../../util/time.js'

const type = 'StorageMigrating'
const maxAttempts = 5

export class DefinitionMigration {
  readonly #services: Services
  readonly #client: Client

  constructor(services: Services, client: Client) {
    this.#services = services
    this.#client = client
  }

  async begin(migration: StorageVersionMigration): Promise<void> {
    await this.#apply(migration, () => ({
      status: 'True',
      reason: 'MigrationRunning',
      message: `Migration ${migration.metadata.name} is running`
    }))
  }

  /** Leaves only the storage version in storedVersions, unless the definition has changed since the beginning. */
  async end(migration: StorageVersionMigration, succeeded: boolean): Promise<void> {
    await this.#apply(migration, ({ metadata, spec, status }) => {
      const begun = status.conditions?.find(condition => condition.type === type)
      const same = begun !== undefined && (begun.observedGeneration ?? 0) === (metadata.generation ?? 0)
      const storage = spec.versions!.find(version => version.storage)!.name
      const outcome = succeeded
        ? {
            reason: 'MigrationSucceeded',
            message: `The migration has succeeded ${
              same
                ? 'and the stored versions have been updated'
                : 'but the stored versions have not been updated due to a generation mismatch'
            }`
          }
        : { reason: 'MigrationFailed', message: 'The migration has failed' }
      return { status: 'False', ...outcome, ...(same ? { storedVersions: [storage] } : {}) }
    })
  }

  /** Applies a condition, provided that the definition is still the one that was looked at. */
  async #apply({ spec }: StorageVersionMigration, outcome: (definition: CustomResourceDefinition) => Outcome): Promise<void> {
    const { registry, clock } = this.#services
    const definitions = registry.ifServed(refs.customResourceDefinitions)
    const name = `${spec.resource.resource}.${spec.resource.group}`
    for (let attempt = 1; ; attempt++) {
      const cached = definitions?.get('', name)
      if (!cached) return
      const definition = definitions!.parse(cached)
      const { storedVersions, ...condition } = outcome(definition)
      const observedGeneration = definition.metadata.generation ?? 0
      const lastTransitionTime = timestamp(clock.now())
      const status = {
        conditions: [{ type, lastTransitionTime, observedGeneration, ...condition }],
        ...(storedVersions ? { storedVersions } : {})
      }
      try {
        await this.#client.apply(
          definitions!,
          '',
          { metadata: { name, resourceVersion: String(cached.revision) }, status },
          'status'
        )
        return
      } catch (error) {
        if (!(error instanceof StatusError && error.status.reason === 'Conflict') || attempt === maxAttempts) throw error
      }
    }
  }
}

interface Outcome {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
  readonly storedVersions?: string[]
}
