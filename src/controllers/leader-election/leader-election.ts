/**
 * Of several servers over one store, one runs the controllers: the holder of a Lease, as with kube-controller-manager. The others
 * look at the Lease every few seconds and take it when it was not renewed for its duration by their own clock.
 */
import type { LeaseSpec } from '../../api/generated/coordination-v1.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'

/** The Lease. */
export interface Lock {
  /** Writes what `change` makes of the present state (undefined: there is none) unless it makes nothing; again after a lost race. */
  update(change: (present: LeaseSpec | undefined) => LeaseSpec | undefined): Promise<void>
}

export interface ElectionOptions {
  readonly lock: Lock
  /** Who this server is: different for each process. */
  readonly identity: string
  readonly clock: Clock
  readonly log: Logger
  /** Called when this server has become the leader. `stop` is called when it no longer is. */
  lead(): Promise<{ stop(): Promise<void> }>
}

export const leaseDurationMs = 15_000
/** A leader that could not renew its Lease for so long ends its work, before anyone else begins. */
export const renewDeadlineMs = 10_000
export const retryMs = 2000

export class LeaderElection implements Part {
  readonly name = 'leader election'
  readonly #options: ElectionOptions
  /** The Lease as it was seen last, and when it was seen to change. */
  #observed: { readonly record: string; readonly at: number } | undefined
  #renewedAt = 0
  #work: { stop(): Promise<void> } | undefined
  #timer: Timer | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: ElectionOptions) {
    this.#options = options
  }

  /** Resolves when it is known who leads now. */
  async start(): Promise<void> {
    this.#round = this.#go()
    await this.#round
  }

  async #go(): Promise<void> {
    const { clock, log, identity, lead } = this.#options
    try {
      const held = await this.#acquireOrRenew()
      if (held) this.#renewedAt = clock.now()
      else await this.#step()
      if (held && !this.#work && !this.#stopped) {
        log.info(`leader election: ${identity} leads`)
        this.#work = await lead()
      }
    } catch (error) {
      if (clock.now() - this.#renewedAt >= renewDeadlineMs) await this.#step()
      log.error(`leader election: ${(error as Error).message}`)
    }
    if (this.#stopped) return
    this.#timer = clock.setTimeout(() => {
      this.#round = this.#go()
    }, retryMs)
  }

  /** Ends the work, if there is any. */
  async #step(): Promise<void> {
    const work = this.#work
    this.#work = undefined
    if (work) this.#options.log.info(`leader election: ${this.#options.identity} no longer leads`)
    await work?.stop()
  }

  /** True when the Lease is this server's for a while. */
  async #acquireOrRenew(): Promise<boolean> {
    const { lock, identity, clock } = this.#options
    let held = false
    await lock.update(present => {
      held = present === undefined || present.holderIdentity === identity || this.#isFree(present)
      if (!held) return undefined
      const now = microTime(clock.now())
      const mine = present?.holderIdentity === identity
      return {
        holderIdentity: identity,
        leaseDurationSeconds: leaseDurationMs / 1000,
        acquireTime: mine ? present.acquireTime : now,
        renewTime: now,
        leaseTransitions: (present?.leaseTransitions ?? 0) + (present && !mine ? 1 : 0)
      }
    })
    return held
  }

  /** Clocks differ: what counts is how long the Lease has been the same here, not what time stands in it. */
  #isFree(present: LeaseSpec): boolean {
    const now = this.#options.clock.now()
    const record = JSON.stringify(present)
    if (this.#observed?.record !== record) this.#observed = { record, at: now }
    return !present.holderIdentity || now - this.#observed.at > (present.leaseDurationSeconds ?? 0) * 1000
  }

  /** Gives the Lease back, so that the next leader need not wait for its end. */
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

const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z')
