import { ConfigReloadMetrics, hashOf, identity } from '../apiserver/metrics/config-reload-metrics.js'
import { builtinKinds } from '../kinds/index.js'
import type { Encryption } from '../storage/encryption/encryption.js'
import { EncryptionMetrics } from '../storage/encryption/metrics.js'
import type { Clock } from '../util/clock.js'
import type { Metrics } from '../util/instruments/metrics.js'
import type { Logger } from '../util/logger.js'
import { systemRandomness } from '../util/randomness.js'
import { UserError } from '../util/user-error.js'
import type { ServerOptions } from './options.js'

/** Reads the file of --encryption-provider-config. Returns undefined when nothing is encrypted. Loads the ciphers only when one is. */
export async function openEncryption(
  options: ServerOptions,
  metrics: Metrics,
  clock: Clock,
  log: Logger
): Promise<Encryption | undefined> {
  const { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reloads = false } = options
  const counts = new EncryptionMetrics(metrics, clock, hashOf(identity()))
  const reloadMetrics = new ConfigReloadMetrics(metrics, clock, 'encryption')
  if (path === undefined) {
    if (reloads)
      throw new UserError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config')
    return undefined
  }
  const { Encryption } = await import('../storage/encryption/encryption.js')
  // kinds without objects have no place in the store; both kinds of Events share a place, which belongs to the core group
  const stored = builtinKinds.filter(({ virtual }) => !virtual).toReversed()
  const builtin = new Map(stored.map(({ group, resource, storage }) => [storage?.path ?? resource, { group, resource }]))
  builtin.set('events', { group: '', resource: 'events' })
  return Encryption.open({ path, reloads, builtin, counts, reloadMetrics, clock, random: systemRandomness, log })
}
