/** Starts a server: opens its store and keys, makes its parts, and starts them in order. */
import type { Pki } from '../certificates/pki.js'
import type { Handler } from '../chain/handler.js'
import type { Faults } from '../faults/faults.js'
import { effectiveVersion } from '../features/effective-version.js'
import { FeatureGates } from '../features/feature-gates.js'
import { openLog } from '../logging/log.js'
import type { ServerOptions } from '../options.js'
import type { Recorder } from '../recorder/recorder.js'
import type { Registry } from '../registry/registry.js'
import { systemClock } from '../util/clock.js'
import { RunningParts } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import { urlOf } from './address.js'
import { assemble } from './assembly.js'
import { openFoundation } from './open-foundation.js'
import { kubernetesVersion } from './version.js'

export interface RunningServer {
  readonly url: string
  readonly pki: Pki
  readonly handler: Handler
  readonly faults: Faults
  readonly recorder: Recorder | undefined
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Rejects with a UserError for problems that the user can fix. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const clock = options.clock ?? systemClock
  const version = effectiveVersion(options.emulatedVersion, options.minCompatibilityVersion)
  const features = new FeatureGates(options.featureGates, version)
  const log = options.log ?? (await openLog(options, features))
  features.report(options.featureGates ?? {}, log)
  log.v?.(1)?.info('Starting', { kubernetes: kubernetesVersion, node: process.version })
  const running = new RunningParts()
  let registry: Registry | undefined
  try {
    const served = (resources: Registry) => {
      registry = resources
    }
    const foundation = await openFoundation(options, { version, features, clock, log, running, served })
    const { handler, parts, port, faults, recorder } = assemble(options, foundation)
    await running.start(parts)
    const url = urlOf(options, port())
    log.info(`Serving securely on ${url.slice('https://'.length)}`)
    return {
      url,
      pki: foundation.pki,
      handler,
      faults,
      recorder,
      async reload() {
        await running.reload()
        log.info('Read the configuration files and certificates again')
      },
      async stop() {
        log.info('Stopping')
        await running.stop()
        log.info('Stopped')
      }
    }
  } catch (error) {
    // without it, the start fails with an error that does not say so
    const why = registry?.resource('', 'namespaces').cache.whyUnreadable('default')
    await running.stop().catch(() => {})
    throw why ? new UserError(`the namespace "default" in the store cannot be read: ${why.message}`, { cause: error }) : error
  }
}
