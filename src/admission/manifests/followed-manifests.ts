/** The manifests of a plugin, read again when its folder changes. While they are not valid, the previous ones stay in use. */
import { Follower } from '../../apimachinery/config/reload.js'
import type { EnabledGates } from '../../apimachinery/validation/field.js'
import type { Clock } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import { type ManifestFolder, readManifestFolder } from './folder.js'
import type { ManifestMetrics } from './manifest-metrics.js'
import { type Manifests, manifestsOf, type PluginWithManifests } from './plugin-manifests.js'

export interface LoadedManifests {
  readonly plugin: PluginWithManifests
  readonly directory: string
  readonly folder: ManifestFolder
  readonly objects: Manifests
}

interface Surroundings {
  readonly clock: Clock
  readonly log: Logger
  readonly gates: EnabledGates
  readonly metrics: ManifestMetrics
  /** Puts these objects into use. */
  use(objects: Manifests): void
}

export function followManifests(loaded: LoadedManifests, surroundings: Surroundings): Follower<ManifestFolder> {
  const { plugin, directory, folder, objects } = loaded
  const { clock, log, gates, metrics, use } = surroundings
  use(objects)
  metrics.succeeded(plugin, folder.hash)
  return new Follower({
    name: `manifests of ${plugin}`,
    folder: directory,
    concerns: () => true,
    content: folder,
    read: () => readManifestFolder(directory),
    isSame: (one, other) => one.hash === other.hash,
    clock,
    changed(content) {
      use(manifestsOf(plugin, content, gates))
      metrics.succeeded(plugin, content.hash)
      log.info('reloaded admission manifest config', { plugin, dir: directory })
    },
    failed(error) {
      metrics.failed(plugin)
      log.error(`reloading the manifests of ${plugin} in ${directory}: ${error.message}`)
    }
  })
}
