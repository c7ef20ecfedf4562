/** Starts a server: opens its store and keys, makes its parts, and starts them in order. */

import { effectiveVersion } from '../apimachinery/features/effective-version.js'
import { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { Handler } from '../apimachinery/request/message.js'
import { expired } from '../apimachinery/status/status.js'
import { ServerFaults } from '../apiserver/faults/faults.js'
import type { ListenerPart } from '../apiserver/http/listener-part.js'
import { openLog } from '../apiserver/logging/log.js'
import type { FlightRecorder } from '../apiserver/recorder/recorder.js'
import type { Registry } from '../registry/registry.js'
import type { Pki } from '../transport/certificates/pki.js'
import { systemClock } from '../util/clock.js'
import { kubernetesVersion } from '../util/kubernetes-version.js'
import { RunningParts } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import { urlOf } from './address.js'
import { assemble, type Edge } from './assembly.js'
import type { ServerConsole } from './console.js'
import { storageBackendOf } from './defaults.js'
import { openFoundation } from './open-foundation.js'
import type { ServerOptions } from './options.js'
import { type Origin, originFrom } from './origin.js'

export interface RunningServer {
  /** The URL of the server, or of the one that passes requests on to it; undefined when neither has a port. */
  readonly url: string | undefined
  readonly port: number
  readonly pki: Pki
  readonly handler: Handler
  readonly faults: ServerFaults
  readonly recorder: FlightRecorder | undefined
  readonly webConsole: ServerConsole | undefined
  readonly listener: ListenerPart | undefined
  reload(): Promise<void>
  stop(): Promise<void>
  /** Takes what another server needs to continue from here. */
  origin(): Promise<Origin>
  /** Stops everything but the listener, so that a server with another state can take over. Watches end with 410. */
  retire(): Promise<void>
}

/** Rejects with a UserError for problems that the user can fix. `origin` is what the server takes over from another one. */
export async function startServer(options: ServerOptions, edge: Edge, origin?: Origin): Promise<RunningServer> {
  if (options.testApi && storageBackendOf(options) === 'etcd3')
    throw new UserError('--test-api cannot be used with etcd: snapshots need --storage-backend=memory or lmdb')
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
    const { primary } = edge
    const faults = edge.faults ?? new ServerFaults(clock)
    const foundation = await openFoundation(options, { version, features, clock, log, faults, running, served, origin, primary })
    const { handler, parts, port, recorder, webConsole, listener, shutdown } = assemble(options, foundation, edge)
    await running.start(parts)
    foundation.registry.forgetImages()
    const url = port() === 0 ? undefined : urlOf(options, port())
    if (listener && url) log.info(`Serving securely on ${url.slice('https://'.length)}`)
    return {
      url,
      port: port(),
      pki: foundation.pki,
      handler,
      faults,
      recorder,
      webConsole,
      listener,
      async reload() {
        await running.reload()
        log.info('Read the configuration files and certificates again')
      },
      async stop() {
        log.info('Stopping')
        await running.stop()
        log.info('Stopped')
      },
      origin: () => originFrom(foundation),
      async retire() {
        await shutdown.replaced(expired('The server has been restored to an earlier state, list again'))
        await running.stop(listener)
      }
    }
  } catch (error) {
    // without this, the start would fail with an error that does not name the cause
    const why = registry?.resource('', 'namespaces').cache.whyUnreadable('default')
    await running.stop(edge.listener).catch(() => {})
    throw why ? new UserError(`the namespace "default" in the store cannot be read: ${why.message}`, { cause: error }) : error
  }
}
