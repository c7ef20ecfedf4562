import type { HealthCheck, HealthKind } from '../apiserver/health/health.js'
import type { Hook, Startup } from '../controllers/startup.js'
import type { Registry } from '../registry/registry.js'
import type { Store } from '../storage/contract.js'
import type { Encryption } from '../storage/encryption/encryption.js'
import type { Clock } from '../util/clock.js'
import type { ServerOptions } from './options.js'

export interface HealthState {
  readonly store: Store
  /** The stores of --etcd-servers-overrides. */
  readonly others?: readonly Store[]
  /** Undefined when nothing is stored encrypted. */
  readonly encryption?: Pick<Encryption, 'healthCheck' | 'check'> | undefined
  readonly registry: Registry
  readonly startup: Startup
  readonly clock: Clock
  readonly stopping: AbortSignal
  /** When the server's own certificate expires; undefined when it has one that somebody else issued. */
  readonly certificateExpiry: () => number | undefined
  /** Whether every served version has its APIService. */
  readonly isRegistered: () => boolean
}

/** Milliseconds for which the log may block until the server counts as unhealthy. */
const logBlockedMs = 120_000
const defaultTimeoutMs = 2000

/** Returns the checks of /healthz, /livez and /readyz, with kube-apiserver's names and in its order. */
export function healthChecks(options: ServerOptions, state: HealthState): Record<HealthKind, readonly HealthCheck[]> {
  const { store, others = [], encryption, registry, startup, clock, stopping } = state
  const ping: HealthCheck = { name: 'ping', check() {} }
  const log = logCheck(clock)
  const certificate: HealthCheck = {
    name: 'loopback-serving-certificate',
    check() {
      const expiry = state.certificateExpiry()
      if (expiry !== undefined && expiry <= clock.now()) throw new Error('the serving certificate has expired')
    }
  }
  const { etcdHealthcheckTimeout = defaultTimeoutMs, etcdReadycheckTimeout = defaultTimeoutMs } = options
  const etcd = storeCheck('etcd', store, etcdHealthcheckTimeout, clock)
  const etcdReady = storeCheck('etcd-readiness', store, etcdReadycheckTimeout, clock)
  const overrides = others.map((other, i) => storeCheck(`etcd-override-${i}`, other, etcdHealthcheckTimeout, clock))
  const overridesReady = others.map((other, i) => storeCheck(`etcd-override-readiness-${i}`, other, etcdReadycheckTimeout, clock))
  const informers: HealthCheck = {
    name: 'informer-sync',
    check() {
      const waiting: string[] = []
      // the caches of custom resources are filled when they are first used
      for (const { kind, cache, resource } of registry.all())
        if (!kind.virtual && !kind.custom && !cache.ready) waiting.push(resource)
      if (waiting.length > 0) throw new Error(`${waiting.length} informers not started yet: [${waiting.join(' ')}]`)
    }
  }
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check() {
      if (stopping.aborted) throw new Error('process is shutting down')
    }
  }
  const registration: HealthCheck = {
    name: 'autoregister-completion',
    check() {
      if (!state.isRegistered()) throw new Error('missing APIService')
    }
  }
  const posts = startup.expected.map(
    (name): HealthCheck => ({
      name: `poststarthook/${name}`,
      check() {
        if (!startup.isDone(name)) throw new Error('not finished')
      }
    })
  )
  const registered = startup.expected.indexOf(lastHook) + 1
  // kube-apiserver adds OpenAPI's hooks after all others
  const boot = registered > 0 ? [...posts.slice(0, registered), registration, ...posts.slice(registered)] : posts
  const kms: HealthCheck[] = encryption?.healthCheck ? [{ name: encryption.healthCheck, check: () => encryption.check() }] : []
  const graceEnds = clock.now() + (options.livezGracePeriod ?? 0)
  const patient = ({ name, check }: HealthCheck): HealthCheck => ({
    name,
    check: () => (clock.now() > graceEnds ? check() : undefined)
  })
  return {
    healthz: [ping, log, certificate, etcd, ...overrides, ...kms, ...boot],
    livez: [ping, log, certificate, etcd, ...overrides, ...(options.livezGracePeriod ? boot.map(patient) : boot)],
    readyz: [ping, log, etcd, ...overrides, etcdReady, ...overridesReady, ...kms, informers, ...boot, shutdown]
  }
}

const lastHook: Hook = 'kube-apiserver-autoregistration'

/** Fails when the output of the log has accepted no lines for long. */
function logCheck(clock: Clock): HealthCheck {
  let taken = clock.now()
  return {
    name: 'log',
    check() {
      if (!process.stderr.writableNeedDrain) taken = clock.now()
      else if (clock.now() - taken >= logBlockedMs) throw new Error('logging blocked')
    }
  }
}

/**
 * Checks a store that is another process, at most once in the time that its answer may take: there may be many probes a second.
 */
function storeCheck(name: string, store: Store, timeoutMs: number, clock: Clock): HealthCheck {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<void> | undefined
  return {
    name,
    check() {
      if (!answer || !store.shared || clock.now() - asked >= timeoutMs) {
        asked = clock.now()
        answer = store.health(timeoutMs)
        // the next caller learns of the failure, too
        answer.catch(() => {})
      }
      return answer
    }
  }
}
