/** Counts the successful and failed reads of manifests. */

import type { Clock } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { PluginWithManifests } from './plugin-manifests.js'

const prefix = 'apiserver_manifest_admission_config_controller'

export class ManifestMetrics {
  readonly #clock: Clock
  readonly #server: string
  readonly #hashes = new Map<PluginWithManifests, string>()
  readonly #reloads
  readonly #last

  /** `server` is the digest of the server's identity. */
  constructor(metrics: Metrics, clock: Clock, server: string) {
    this.#clock = clock
    this.#server = server
    const labels = ['status', 'plugin', 'apiserver_id_hash']
    this.#reloads = metrics.counter({
      name: `${prefix}_automatic_reloads_total`,
      help: 'Reloads of manifests of admission by plugin and by what came of them.',
      stage: 'ALPHA',
      labels
    })
    this.#last = metrics.gauge({
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: 'When manifests of admission were read last, by plugin and by what came of it.',
      stage: 'ALPHA',
      labels
    })
    const used = metrics.gauge({
      name: `${prefix}_last_config_info`,
      help: 'The hash of the manifests that a plugin uses.',
      stage: 'ALPHA',
      labels: ['plugin', 'apiserver_id_hash', 'hash'],
      collect: () => {
        used.clear()
        for (const [plugin, hash] of this.#hashes) used.of(plugin, this.#server, hash).set(1)
      }
    })
  }

  succeeded(plugin: PluginWithManifests, hash: string): void {
    this.#hashes.set(plugin, hash)
    this.#count('success', plugin)
  }

  failed(plugin: PluginWithManifests): void {
    this.#count('failure', plugin)
  }

  #count(status: 'success' | 'failure', plugin: PluginWithManifests): void {
    this.#reloads.of(status, plugin, this.#server).add(1)
    this.#last.of(status, plugin, this.#server).set(this.#clock.now() / 1000)
  }
}
