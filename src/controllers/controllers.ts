/** The controllers of a server, as a part of it. */

import * as refs from '../apimachinery/api/resources.js'
import { usualTimes } from '../client/leader-election/leader-election.js'
import { Client, systemUser } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import { type Part, RunningParts } from '../util/part.js'
import { runClusterControllers } from './cluster-controllers.js'
import { enabledControllers } from './controller-names.js'
import type { ControllersOptions } from './controllers-options.js'
import { leaderElection } from './leader-election/elected-part.js'
import { leaseLock } from './leader-election/lease-lock.js'
import { serverControllers } from './server-controllers.js'
import type { ApiServiceRegistration } from './server-objects/api-services.js'
import { ServerObjects } from './server-objects/server-objects.js'

/** Runs the controllers of a server, and ensures the objects that every server has. */
export class Controllers implements Part {
  readonly name = 'controllers'
  readonly #options: ControllersOptions
  readonly #running = new RunningParts()
  readonly #objects: ServerObjects
  /** The controllers that run in every server. */
  #ofServer: readonly Part[] = []

  #registration: ApiServiceRegistration | undefined

  constructor(options: ControllersOptions) {
    this.#options = options
    const { services, admission, startup, log } = options
    const { registry, network, features, clock } = services
    const clientAs = (manager: string) => new Client(services, admission, { user: systemUser('system:apiserver'), manager })
    this.#objects = new ServerObjects({
      registry,
      client: clientAs('kube-apiserver'),
      serviceCidrs: network.clusterIPRanges,
      serviceCidrClient: clientAs('kubernetes-service-cidr-controller'),
      continues: options.continues,
      isPrepared: options.isPrepared,
      startup,
      features,
      clock,
      log
    })
  }

  /** Whether all versions that the server serves have their APIService. */
  get isRegistered(): boolean {
    return this.#registration?.isComplete ?? false
  }

  /** Makes the controllers before they start, so that health checks know what there is to do. */
  prepare(): void {
    const { services, admission } = this.#options
    const client = new Client(services, admission, { user: systemUser('system:apiserver'), manager: 'kube-apiserver' })
    this.#ofServer = serverControllers(this.#options, client, registration => {
      this.#registration = registration
    })
  }

  /**
   * Ensures the objects that every server has, then starts the enabled controllers. Over a shared store they start only once
   * this server leads.
   */
  async start(): Promise<void> {
    const { services, admission, simulated, log } = this.#options
    const { store } = services
    const enabled = enabledControllers(this.#options.controllers)
    await this.#running.start([this.#objects])
    const clientOf = (name: string) =>
      new Client(services, admission, {
        user: systemUser(`system:serviceaccount:kube-system:${name}`),
        manager: 'kube-controller-manager'
      })
    // kube-apiserver runs these in every server too, so --controllers cannot switch them off
    await this.#running.start(this.#ofServer)
    if (simulated && store.shared) await this.#running.start([await simulated.front()])
    const run = () => runClusterControllers(enabled, clientOf, this.#options)
    const isAlone = !store.shared || enabled.size === 0
    await this.#running.start([isAlone ? ready(await run()) : elected(services, clientOf, run, log)])
  }

  async stop(): Promise<void> {
    await this.#running.stop()
  }
}

const ready = (running: RunningParts): Part => ({ name: 'controllers of the cluster', stop: () => running.stop() })

/** Runs the controllers in only one of the servers that share a store. */
function elected(services: Services, clientOf: (name: string) => Client, run: () => Promise<RunningParts>, log: Logger): Part {
  const lock = leaseLock(services.registry.of(refs.leases), clientOf('leader-election'), 'binnacle-controllers')
  return leaderElection(services, lock, usualTimes, log, run)
}
