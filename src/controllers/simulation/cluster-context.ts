/** What the controllers, the scheduler and the kubelets of a simulated cluster work with. */
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { createClient } from '../../client/client.js'
import { EventNames } from '../../client/events/event-names.js'
import { EventRecorder } from '../../client/events/event-recorder.js'
import { SeriesRecorder } from '../../client/events/series-recorder.js'
import { withoutManagedFields } from '../../client/informer.js'
import { sharedInformers } from '../../client/shared-informers.js'
import type { KubeClient, SharedInformers } from '../../client/stored-types.js'
import type { Transport } from '../../client/transport.js'
import type { Clock } from '../../util/clock.js'
import type { WorkQueues } from '../../util/instruments/work-queues.js'
import type { Logger } from '../../util/logger.js'
import type { Randomness } from '../../util/randomness.js'
import { Controller } from '../controller.js'
import { EventTurns } from './event-turns.js'
import type { SimulateOptions } from './simulate-options.js'

export interface ClusterContextOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly randomness: Randomness
  readonly queues: WorkQueues
  readonly log: Logger
  /** The gates of the controllers; left out, they are at their defaults. */
  readonly features?: Pick<FeatureGates, 'enabled'> | undefined
  /** What containers do, as the program says. */
  readonly behavior?: SimulateOptions['behavior']
}

/** A work queue of keys, as `Controller` has it. */
export interface QueueOptions {
  readonly name: string
  readonly workers?: number
  /** Reconciles one key. Runs again after the returned milliseconds, or after a growing delay when it rejects. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
  reconcile(key: string, signal: AbortSignal): Promise<number | undefined | void>
}

const manager = 'kube-controller-manager'

export class ClusterContext {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Logger
  readonly features: Pick<FeatureGates, 'enabled'>
  readonly behavior: SimulateOptions['behavior']
  /** One informer for each kind, which all parts of the cluster share. */
  readonly informers: SharedInformers
  readonly #transport: Transport
  readonly #queues: WorkQueues
  /**
   * When simulated kubelets last showed to be alive, in milliseconds since 1970, by the names of their Nodes: while a test walks through time, they leave most of
   * the writing out.
   */
  readonly heartbeats = new Map<string, number>()
  /** The kinds whose objects are left to Stages of kwok, such as `v1 Pod`. */
  #staged: ReadonlySet<string> = new Set()
  readonly #whenStaged = new Set<() => void>()
  readonly #controllers: Controller[] = []
  readonly #eventNames = new EventNames()
  readonly #eventTurns: EventTurns
  readonly #recorders = new Set<EventRecorder | SeriesRecorder>()
  #unwatch: (() => void) | undefined
  #open!: () => void
  readonly #opened = new Promise<void>(resolve => (this.#open = resolve))

  constructor(options: ClusterContextOptions) {
    this.clock = options.clock
    this.randomness = options.randomness
    this.log = options.log
    this.features = options.features ?? new FeatureGates()
    this.behavior = options.behavior
    this.#eventTurns = new EventTurns(this.clock, () => this.#controllers.some(({ isBusy }) => isBusy))
    this.#transport = options.transport
    this.#queues = options.queues
    const client = this.clientAs(`system:${manager}`, manager)
    // no controller looks at managed fields
    this.informers = sharedInformers(client, { transform: withoutManagedFields }) as SharedInformers
  }

  /** A client that acts as the controller's ServiceAccount in kube-system, as with --use-service-account-credentials. */
  clientOf(controller: string): KubeClient {
    return this.clientAs(`system:serviceaccount:kube-system:${controller}`, manager)
  }

  clientAs(name: string, fieldManager: string, groups: readonly string[] = []): KubeClient {
    const user = { name, groups: [...groups, 'system:masters', 'system:authenticated'] }
    return createClient(this.#transport, { user, fieldManager }) as KubeClient
  }

  /** Writes Events as `component`, with the client of the component; `host` is the Node on which it runs, if it is on one. */
  recorder(component: string, client: KubeClient, host?: string): EventRecorder {
    const recorder = new EventRecorder({ component, host, client, ...this.#recording })
    this.#recorders.add(recorder)
    return recorder
  }

  get #recording() {
    const turn = (events: number) => this.#eventTurns.next(events)
    return { clock: this.clock, log: this.log, names: this.#eventNames, turn }
  }

  /** Leaves the objects of these kinds to Stages of kwok, and those of others no longer. */
  stage(kinds: Iterable<string>): void {
    this.#staged = new Set(kinds)
    for (const changed of this.#whenStaged) changed()
  }

  isStaged(apiVersion: string, kind: string): boolean {
    return this.#staged.has(`${apiVersion} ${kind}`)
  }

  /** Calls `changed` when other kinds are left to Stages. */
  whenStaged(changed: () => void): void {
    this.#whenStaged.add(changed)
  }

  /** Forgets a recorder of what is gone. It still writes the Events that wait. */
  release(recorder: EventRecorder): void {
    void recorder.finish().then(() => this.#recorders.delete(recorder))
  }

  /** Writes Events of events.k8s.io as `controller`, with its client. */
  seriesRecorder(controller: string, client: KubeClient): SeriesRecorder {
    const recorder = new SeriesRecorder({ controller, host: 'binnacle', client, ...this.#recording })
    this.#recorders.add(recorder)
    return recorder
  }

  /** A work queue, whose work begins when all informers have their objects. */
  queue({ name, workers = 1, reconcile }: QueueOptions): Controller {
    const controller = new Controller({
      name,
      watches: [],
      reconcile: async (key, signal): Promise<number | undefined> => {
        await this.#opened
        if (signal.aborted) return undefined
        try {
          return (await reconcile(key, signal)) ?? undefined
        } finally {
          this.#eventTurns.mayBeQuiet()
        }
      },
      clock: this.clock,
      queues: this.#queues,
      log: this.log,
      workers
    })
    this.#controllers.push(controller)
    return controller
  }

  /** Resolves when the informers have their objects and the queues begin to work. */
  async open(): Promise<void> {
    await this.informers.synced()
    this.#open()
    this.#unwatch = this.clock.watchWork?.(() => this.#isBusy)
  }

  get #isBusy(): boolean {
    if (this.#controllers.some(({ isBusy }) => isBusy)) return true
    for (const { isBusy } of this.#recorders) if (isBusy) return true
    return false
  }

  async close(): Promise<void> {
    this.#unwatch?.()
    this.#open()
    this.informers.stop()
    this.#eventTurns.close()
    await Promise.all([...this.#recorders].map(recorder => recorder.stop()))
  }
}
