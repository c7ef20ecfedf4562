/** Makes a server of options without starting it, so that each of its parts checks what it is given. */
import { effectiveVersion } from '../../apimachinery/features/effective-version.js'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { ServerFaults } from '../../apiserver/faults/faults.js'
import { systemClock } from '../../util/clock.js'
import { silentLogger } from '../../util/logger.js'
import { RunningParts } from '../../util/part.js'
import { assemble } from '../assembly.js'
import { openFoundation } from '../open-foundation.js'
import type { ServerOptions } from '../options.js'

/** What a server in memory does not need, and what would write, connect or listen. */
const leftOut = {
  dataDir: undefined,
  certDir: undefined,
  store: undefined,
  snapshot: undefined,
  backupSchedule: undefined,
  backupFolder: undefined,
  etcdServers: undefined,
  etcdServersOverrides: undefined,
  encryptionProviderConfig: undefined,
  encryptionProviderConfigAutomaticReload: undefined,
  serviceAccountSigningEndpoint: undefined,
  auditLogPath: undefined,
  debugSocketPath: undefined,
  tracingConfigFile: undefined,
  testApi: undefined,
  processMetrics: undefined,
  flags: undefined
} as const satisfies Partial<ServerOptions>

/** Rejects with a UserError for the first mistake. */
export async function assembleOnTrial(given: ServerOptions): Promise<void> {
  const options: ServerOptions = { ...given, ...leftOut, storageBackend: 'memory' }
  const running = new RunningParts()
  const version = effectiveVersion(options.emulatedVersion, options.minCompatibilityVersion)
  const features = new FeatureGates(options.featureGates, version)
  const common = { version, features, clock: systemClock, log: silentLogger, faults: new ServerFaults(systemClock), running }
  try {
    assemble(options, await openFoundation(options, { ...common, served() {} }), { around: handler => handler })
  } finally {
    await running.stop()
  }
}
