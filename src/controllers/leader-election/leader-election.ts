/**
 * Elects the one server that runs the controllers of a shared store: the holder of a Lease, as with kube-controller-manager.
 * The others read the Lease every few seconds, and take it when by their own clock it was not renewed for its duration.
 */
import type { LeaseSpec } from '../../apimachinery/api/generated/coordination-v1.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { microTime } from '../../util/time.js'

/** Reads and writes the Lease. */
export interface Lock {
  /**
   * Writes what `change` returns, unless that is undefined. Retries after a conflict. `present` is undefined when there is no
   * Lease.
   */
  update(change: (present: LeaseSpec | undefined) => LeaseSpec | undefined): Promise<void>
}

/** All times are in milliseconds. */
export interface ElectionTimes {
  readonly leaseDuration: number
  /** A leader that could not renew its Lease for this long stops its work, before another server can begin. */
  readonly renewDeadline: number
  readonly retryPeriod: number
}

/** The defaults of Kubernetes' own components. */
export const usualTimes: ElectionTimes = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 }

export interface ElectionOptions {
  readonly lock: Lock
  /** The identity of this server, which is different in each process. */
  readonly identity: string
  readonly times: ElectionTimes
  readonly clock: Clock
  readonly log: Logger
  /** Called when this server becomes the leader; `stop` is called when it ceases to be. */
  lead(): Promise<{ stop(): Promise<void> }>
}

export class LeaderElection implements Part {
  readonly name = 'leader election'
  readonly #options: ElectionOptions
  /** The Lease as last read, and the time when this server last saw it change. */
  #observed: { readonly record: string; readonly at: number } | undefined
  #renewedAt = 0
  #work: { stop(): Promise<void> } | undefined
  #timer: Timer | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: ElectionOptions) {
    this.#options = options
  }

  /** Resolves when this server knows the current leader. */
  async start(): Promise<void> {
    this.#round = this.#go()
    await this.#round
  }

  async #go(): Promise<void> {
    const { clock, log, identity, times, lead } = this.#options
    try {
      const held = await this.#acquireOrRenew()
      if (held) this.#renewedAt = clock.now()
      else await this.#step()
      if (held && !this.#work && !this.#stopped) {
        log.info(`leader election: ${identity} leads`)
        this.#work = await lead()
      }
    } catch (error) {
      if (clock.now() - this.#renewedAt >= times.renewDeadline) await this.#step()
      log.error(`leader election: ${(error as Error).message}`)
    }
    if (this.#stopped) return
    this.#timer = clock.setTimeout(() => {
      this.#round = this.#go()
    }, times.retryPeriod)
  }

  /** Stops the controllers if they run. */
  async #step(): Promise<void> {
    const work = this.#work
    this.#work = undefined
    if (work) this.#options.log.info(`leader election: ${this.#options.identity} no longer leads`)
    await work?.stop()
  }

  /** Returns true when this server holds the Lease. */
  async #acquireOrRenew(): Promise<boolean> {
    const { lock, identity, times, clock } = this.#options
    let held = false
    await lock.update(present => {
      held = present === undefined || present.holderIdentity === identity || this.#isFree(present)
      if (!held) return undefined
      const now = microTime(clock.now())
      const mine = present?.holderIdentity === identity
      return {
        holderIdentity: identity,
        leaseDurationSeconds: Math.trunc(times.leaseDuration / 1000),
        acquireTime: mine ? present.acquireTime : now,
        renewTime: now,
        leaseTransitions: (present?.leaseTransitions ?? 0) + (present && !mine ? 1 : 0)
      }
    })
    return held
  }

  /** Clocks differ, so the time that this server has seen the Lease unchanged counts, not the time written in the Lease. */
  #isFree(present: LeaseSpec): boolean {
    const now = this.#options.clock.now()
    const record = JSON.stringify(present)
    if (this.#observed?.record !== record) this.#observed = { record, at: now }
    return !present.holderIdentity || now - this.#observed.at > (present.leaseDurationSeconds ?? 0) * 1000
  }

  /** Releases the Lease, so that the next leader need not wait for it to expire. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#round
    this.#timer?.cancel()
    if (!this.#work) return
    await this.#step()
    const { lock, identity, clock, log } = this.#options
    const release = (present: LeaseSpec | undefined): LeaseSpec | undefined =>
      present?.holderIdentity === identity
        ? { ...present, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(clock.now()) }
        : undefined
    await lock.update(release).catch(error => log.error(`leader election: the Lease could not be released: ${error.message}`))
  }
}
