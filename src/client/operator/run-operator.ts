/** Runs an operator: caches, leader election, reconcilers, and its endpoints. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, systemClock } from '../../util/clock.js'
import { holdingProcess } from '../../util/holding-process.js'
import { Metrics, showsAll } from '../../util/instruments/metrics.js'
import type { Logger } from '../../util/logger.js'
import { checkMembers, isMap, type Shape, type ValueType, valueTypes } from '../../util/members.js'
import { EventNames } from '../events/event-names.js'
import { EventRecorder } from '../events/event-recorder.js'
import { clientLease } from '../leader-election/client-lease.js'
import { LeaderElection } from '../leader-election/leader-election.js'
import type { KubeClient } from '../types.js'
import { Caches } from './cache.js'
import { ControllerMetrics, ControllerQueues } from './controller-metrics.js'
import { type HealthCheck, healthServer, type Listening, listen, metricsServer } from './endpoints.js'
import { type Installed, install } from './install.js'
import { defineOperator, electionOptions, electionTimes, hasWebhooks, namespaceOf, type Operator } from './operator.js'
import { ReconcilerRunner } from './reconciler-runner.js'
import { countRequests } from './request-metrics.js'
import { type RunningWebhooks, runWebhooks, type WebhookOptions } from './run-webhooks.js'

/**
 * Where an endpoint of the operator listens.
 *
 * @example
 * const metrics: EndpointOptions = { port: 8080, host: '0.0.0.0' }
 */
export interface EndpointOptions {
  /** 0 for any that is free. */
  readonly port: number
  /** The address; 127.0.0.1. */
  readonly host?: string | undefined
}

/**
 * Where the operator tells how it is, and checks beside its own.
 *
 * @example
 * const health: HealthOptions = { port: 8081, host: '0.0.0.0', ready: { database: () => pool.ping() } }
 */
export interface HealthOptions extends EndpointOptions {
  /** Checks of /healthz: while one fails, the kubelet restarts the container. */
  readonly live?: Readonly<Record<string, HealthCheck>> | undefined
  /** Checks of /readyz: while one fails, webhooks are not sent to the Pod. */
  readonly ready?: Readonly<Record<string, HealthCheck>> | undefined
}

/**
 * Options of `runOperator`.
 *
 * @example
 * const options: RunOptions = { client: server.client(), install: true }
 */
export interface RunOptions {
  /** Reaches the cluster, or a server in the process. */
  readonly client: KubeClient
  /** Stops the operator. */
  readonly signal?: AbortSignal | undefined
  /** The namespace of the operator's own objects; that of the Pod ($POD_NAMESPACE), or that of the operator. */
  readonly namespace?: string | undefined
  /** Identifies the replica in the Lease; the host's name and a random part. */
  readonly identity?: string | undefined
  /** False for a single replica that need not be elected, as in most tests; as the operator says. */
  readonly leaderElection?: boolean | undefined
  /** No endpoint, when left out. */
  readonly health?: HealthOptions | undefined
  /** No endpoint, when left out. */
  readonly metrics?: EndpointOptions | undefined
  /** Where the webhooks listen. Not at all, when left out; with `install`, on a free port. */
  readonly webhooks?: WebhookOptions | undefined
  /**
   * Whether the operator first applies what it needs to work, for tests and for development: its namespace, its definitions, and the configurations of its webhooks, by the address at which
   * this process listens. False: somebody applies its manifests (`binnacle generate`).
   */
  readonly install?: boolean | undefined
  /** Milliseconds for reconciles that still run when the operator stops; 30 s. */
  readonly gracefulShutdownTimeout?: number | undefined
  readonly clock?: Clock | undefined
  /** The console. */
  readonly log?: Logger | undefined
}

/**
 * An operator that runs.
 *
 * @example
 * const running = runOperator(operator, { client: server.client() })
 * await running.ready
 * await running.stop()
 */
export interface RunningOperator {
  /** Resolves when the operator has what it needs to work: its caches are there and its endpoints listen. Rejects when it stops before. */
  readonly ready: Promise<void>
  /** Resolves when this replica reconciles. Rejects when it stops before. */
  readonly elected: Promise<void>
  /** Resolves when the operator was stopped; rejects when it stopped by itself, because it has lost the Lease or cannot go on. */
  readonly stopped: Promise<void>
  /** Where its endpoints listen, once it is ready. */
  readonly urls: {
    readonly health?: string | undefined
    readonly metrics?: string | undefined
    readonly webhooks?: string | undefined
  }
  /** The metrics in Prometheus' text format. */
  metrics(): Promise<string>
  /** Stops: reconciles that run come to their end, and the Lease is given back. Rejects when they take longer than the `gracefulShutdownTimeout`. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const { text, boolean, number, object, function: fn } = valueTypes
const checks: ValueType = {
  what: 'an object whose values are functions',
  is: value => isMap(value) && Object.values(value).every(fn.is)
}
const port: ValueType = {
  what: 'a port from 0 to 65535',
  is: value => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535
}
const endpointShape: Shape = { members: { port, host: text }, required: ['port'], isData: true }
const shapes: Readonly<Record<string, Shape>> = {
  health: { ...endpointShape, members: { ...endpointShape.members, live: checks, ready: checks } },
  metrics: endpointShape,
  webhooks: { ...endpointShape, members: { ...endpointShape.members, certificates: text } }
}
const runShape: Shape = {
  members: {
    ...{
      client: object,
      signal: object,
      namespace: text,
      identity: text,
      leaderElection: boolean,
      health: object,
      metrics: object
    },
    ...{ webhooks: object, install: boolean, gracefulShutdownTimeout: number, clock: object, log: object }
  },
  required: ['client'],
  isData: true
}

const usualShutdownMs = 30_000
const loopback = '127.0.0.1'

/**
 * Runs an operator until it is stopped. It waits for its caches, then for its election, and then reconciles. Throws a UserError for options that are wrong.
 *
 * @example
 * const server = createServer({ listen: false })
 * await server.start()
 * await using running = runOperator(operator, { client: server.client(), install: true, leaderElection: false })
 * await running.elected
 */
export function runOperator(operator: Operator, options: RunOptions): RunningOperator {
  defineOperator(operator)
  checkMembers(options, runShape, 'run.')
  for (const [name, shape] of Object.entries(shapes)) {
    const given = options[name as 'metrics']
    if (given) checkMembers(given, shape, `run.${name}.`)
  }
  return new OperatorRun(operator, options)
}

/** A promise and what settles it. Nobody need wait for it. */
class Settled {
  resolve!: () => void
  reject!: (error: unknown) => void
  readonly promise = new Promise<void>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor() {
    this.promise.catch(() => {})
  }
}

class OperatorRun implements RunningOperator {
  readonly #operator: Operator
  readonly #client: KubeClient
  readonly #options: RunOptions
  readonly #clock: Clock
  readonly #log: Logger
  readonly #namespace: string
  readonly #metrics = new Metrics(showsAll, false)
  readonly #caches: Caches
  readonly #recorder: EventRecorder
  readonly #runners: readonly ReconcilerRunner[]
  readonly #ready = new Settled()
  readonly #elected = new Settled()
  readonly #stopped = new Settled()
  readonly #listening: Listening[] = []
  #urls: RunningOperator['urls'] = {}
  #webhooks: RunningWebhooks | undefined
  #installed: Installed | undefined
  #election: LeaderElection | undefined
  #isLeading = false
  /** Milliseconds for reconciles that still run when the operator stops. */
  #graceMs: number
  #hasCaches = false
  #stopping: Promise<void> | undefined
  readonly #opening: Promise<void>
  readonly #uncount: () => void
  readonly #unwatch: (() => void) | undefined

  constructor(operator: Operator, options: RunOptions) {
    const { client, clock = systemClock, log = console, signal } = options
    this.#operator = operator
    this.#options = options
    this.#graceMs = options.gracefulShutdownTimeout ?? usualShutdownMs
    this.#client = client
    this.#clock = clock
    this.#log = log
    this.#namespace = options.namespace ?? process.env.POD_NAMESPACE ?? namespaceOf(operator)
    this.#uncount = countRequests(client, this.#metrics)
    this.#caches = new Caches(`operator ${operator.name}`, log)
    const names = new EventNames(Math.trunc(Math.random() * 1_000_000))
    this.#recorder = new EventRecorder({ component: operator.name, client, clock, log, names })
    this.#runners = this.#makeRunners()
    this.#unwatch = clock.watchWork?.(() => this.#recorder.isBusy || this.#runners.some(runner => runner.isBusy))
    void holdingProcess(this.stopped).catch(() => {})
    this.#opening = this.#open().then(
      () => this.#begin(),
      error => this.#fail(error)
    )
    if (signal?.aborted) void this.stop().catch(() => {})
    else signal?.addEventListener('abort', () => void this.stop().catch(() => {}), { once: true })
  }

  get ready(): Promise<void> {
    return this.#ready.promise
  }

  get elected(): Promise<void> {
    return this.#elected.promise
  }

  get stopped(): Promise<void> {
    return this.#stopped.promise
  }

  get urls(): RunningOperator['urls'] {
    return this.#urls
  }

  metrics(): Promise<string> {
    return this.#metrics.text()
  }

  #makeRunners(): ReconcilerRunner[] {
    const { reconcilers, cache = [] } = this.#operator
    for (const cached of cache) this.#caches.declare(cached)
    // what is kept of a kind has to be known before somebody needs the kind
    for (const reconciler of reconcilers) for (const cached of reconciler.cache ?? []) this.#caches.declare(cached)
    const queues = new ControllerQueues(this.#metrics)
    const metrics = new ControllerMetrics(this.#metrics)
    return reconcilers.map(
      reconciler =>
        new ReconcilerRunner(reconciler, {
          client: this.#client,
          caches: this.#caches,
          recorder: this.#recorder,
          clock: this.#clock,
          log: this.#log,
          counts: (name, queue) => queues.add(name, queue),
          reconciles: name => metrics.add(name, reconciler.workers ?? 1),
          fatal: error => this.#fail(error)
        })
    )
  }

  async #open(): Promise<void> {
    const { health, metrics, install: installs } = this.#options
    if (health) await this.#serveHealth(health)
    if (metrics) {
      const listening = await listen(metricsServer(this.#metrics), { port: metrics.port, host: metrics.host ?? loopback })
      this.#listening.push(listening)
      this.#urls = { ...this.#urls, metrics: listening.url }
    }
    const webhooks = this.#options.webhooks ?? (installs ? { port: 0 } : undefined)
    if (hasWebhooks(this.#operator) && webhooks) await this.#openWebhooks(webhooks)
    if (installs) this.#installed = await install(this.#client, this.#operator, this.#namespace, this.#webhooks?.reach)
    await this.#webhooks?.inject()
  }

  async #openWebhooks(webhooks: WebhookOptions): Promise<void> {
    this.#webhooks = await runWebhooks(this.#operator, webhooks, {
      client: this.#client,
      namespace: this.#namespace,
      isAlone: this.#options.install === true,
      clock: this.#clock,
      log: this.#log,
      metrics: this.#metrics
    })
    this.#urls = { ...this.#urls, webhooks: this.#webhooks.url }
  }

  #begin(): void {
    if (this.#stopping) return
    this.#caches.start(this.#client)
    void this.#awaitCaches()
    const election = electionOptions(this.#operator)
    if (election && this.#options.leaderElection !== false) this.#elect(election)
    else this.#lead()
  }

  async #awaitCaches(): Promise<void> {
    await this.#caches.synced()
    if (this.#stopping) return
    this.#hasCaches = true
    this.#ready.resolve()
    if (this.#isLeading) this.#work()
  }

  async #serveHealth({ live, ready, ...where }: HealthOptions): Promise<void> {
    const healthz = {
      'leader-election': () => {
        const problem = this.#election?.problem(20_000)
        if (problem !== undefined) throw new Error(problem)
      },
      ...live
    }
    const readyz = {
      webhooks: () => {
        if (hasWebhooks(this.#operator) && this.#options.webhooks && !this.#webhooks)
          throw new Error('the webhooks do not listen yet')
      },
      caches: () => {
        if (!this.#hasCaches) throw new Error('the objects are not there yet')
      },
      shutdown: () => {
        if (this.#stopping) throw new Error('the operator stops')
      },
      ...ready
    }
    const listening = await listen(healthServer({ healthz, readyz }), { port: where.port, host: where.host ?? loopback })
    this.#listening.push(listening)
    this.#urls = { ...this.#urls, health: listening.url }
  }

  #elect({ name, releaseOnStop }: NonNullable<ReturnType<typeof electionOptions>>): void {
    const status = this.#metrics
      .gauge({ name: 'leader_election_master_status', help: 'Whether this replica leads.', labels: ['name'] })
      .of(name)
    status.set(0)
    this.#election = new LeaderElection({
      lock: clientLease(this.#client, name, this.#namespace),
      identity: this.#options.identity ?? `${hostname()}_${randomUUID()}`,
      times: electionTimes(this.#operator),
      clock: this.#clock,
      log: this.#log,
      fraction: Math.random,
      releases: releaseOnStop,
      changed: leader => this.#log.info(`operator ${this.#operator.name}: ${leader || 'nobody'} leads`),
      lead: async () => {
        status.set(1)
        this.#lead()
        return {
          stop: async () => {
            await this.#stopRunners()
            status.set(0)
          }
        }
      },
      lost: () => this.#lose()
    })
    void this.#election.start()
  }

  #lead(): void {
    this.#isLeading = true
    if (this.#hasCaches) this.#work()
  }

  #work(): void {
    for (const runner of this.#runners) runner.begin()
    this.#elected.resolve()
  }

  async #stopRunners(): Promise<void> {
    this.#isLeading = false
    await Promise.all(this.#runners.map(runner => runner.stop()))
  }

  /** Another replica may lead: what this one has begun must not go on, nor hold it up. */
  #lose(): void {
    const why = new Error(`the operator ${this.#operator.name} has lost its Lease`)
    for (const runner of this.#runners) runner.abandon(why)
    this.#graceMs = 0
    this.#fail(why)
  }

  #fail(error: unknown): void {
    if (this.#stopping) return
    this.#log.error(`operator ${this.#operator.name}: ${error instanceof Error ? error.message : error}`)
    void this.#stop(error)
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  #stop(cause?: unknown): Promise<void> {
    this.#stopping ??= this.#end(cause).then(
      () => (cause === undefined ? this.#stopped.resolve() : this.#stopped.reject(cause)),
      error => {
        this.#stopped.reject(cause ?? error)
        if (cause === undefined) throw error
      }
    )
    return this.#stopping
  }

  async #end(cause: unknown): Promise<void> {
    const why = cause ?? new Error('the operator was stopped')
    this.#ready.reject(why)
    this.#elected.reject(why)
    // everything else goes on until the reconciles have ended
    const work = this.#opening.then(() => Promise.all([this.#election?.stop(), this.#stopRunners()]))
    let timer: { cancel(): void } | undefined
    const tooLong = new Promise<void>((resolve, reject) => {
      if (this.#graceMs === 0) return resolve()
      timer = this.#clock.setTimeout(() => reject(new Error(`reconciles still ran after ${this.#graceMs} ms`)), this.#graceMs)
    })
    try {
      await Promise.race([work, tooLong])
    } finally {
      timer?.cancel()
      for (const runner of this.#runners) runner.abandon(why)
      this.#caches.stop()
      await this.#installed?.remove()
      await Promise.all([this.#recorder.stop(), this.#webhooks?.stop(), ...this.#listening.map(listening => listening.close())])
      this.#unwatch?.()
      this.#uncount()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
