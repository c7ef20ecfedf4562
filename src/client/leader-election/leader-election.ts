/**
 * Elects the one of several processes that works: the holder of a Lease, as client-go's leader election does. The others read the Lease every few
 * seconds, and take it when by their own clock it was not renewed for its duration.
 */
import type { LeaseSpec } from '../../apimachinery/api/generated/coordination-v1.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { microTime } from '../../util/time.js'
import { UserError } from '../../util/user-error.js'

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
  /** A leader that could not renew its Lease for this long stops its work, before another one can begin. */
  readonly renewDeadline: number
  readonly retryPeriod: number
}

/** The defaults of Kubernetes' own components. */
export const usualTimes: ElectionTimes = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 }

/** Those who do not lead try again after up to 2.2 retry periods, so that they do not all come at once. */
const jitterFactor = 1.2

/** Throws a UserError for times with which two could lead. */
export function checkElectionTimes({ leaseDuration, renewDeadline, retryPeriod }: ElectionTimes): void {
  if (!(retryPeriod > 0)) throw new UserError('retryPeriod must be greater than 0')
  if (!(leaseDuration > renewDeadline)) throw new UserError('leaseDuration must be greater than renewDeadline')
  if (!(renewDeadline > jitterFactor * retryPeriod))
    throw new UserError(`renewDeadline must be greater than ${jitterFactor} times retryPeriod`)
}

export interface ElectionOptions {
  readonly lock: Lock
  /** The identity of this process, which is different in each. */
  readonly identity: string
  readonly times: ElectionTimes
  readonly clock: Clock
  readonly log: Logger
  /** Called when this process becomes the leader; `stop` is called when it ceases to be. */
  lead(): Promise<{ stop(): Promise<void> }>
  /** Called when a leader has lost the Lease, while its work is being stopped: this process does not stand for election again. Without it, it does. */
  lost?(): void
  /** Called with the identity of each leader that comes to be known. */
  changed?(leader: string): void
  /** A number from 0 to 1 for the jitter of those who do not lead. Without it, there is none. */
  fraction?(): number
  /** Whether a leader that stops gives the Lease back; true. */
  readonly releases?: boolean | undefined
}

export class LeaderElection implements Part {
  readonly name = 'leader election'
  readonly #options: ElectionOptions
  /** The Lease as last read, and the time when this process last saw it change. */
  #observed: { readonly record: string; readonly at: number } | undefined
  #leader = ''
  /** When the attempt began that last got or renewed the Lease. */
  #renewedAt = 0
  #work: Promise<{ stop(): Promise<void> }> | undefined
  #stopping: Promise<void> = Promise.resolve()
  /** Falls due when the Lease was not renewed in time. */
  #overdue: Timer | undefined
  #timer: Timer | undefined
  #round: Promise<void> = Promise.resolve()
  #ended = false

  constructor(options: ElectionOptions) {
    checkElectionTimes(options.times)
    if (options.identity === '') throw new UserError('the identity of a candidate is empty')
    this.#options = options
  }

  get isLeader(): boolean {
    return this.#work !== undefined
  }

  /** The identity of the last known leader; '' while there is none. */
  get leader(): string {
    return this.#leader
  }

  /** What is wrong with a leader that has not renewed its Lease for so long that it should have stopped; for health checks. */
  problem(tolerance = 0): string | undefined {
    const { clock, times } = this.#options
    const age = clock.now() - this.#renewedAt
    return this.isLeader && age > times.leaseDuration + tolerance ? `the Lease was not renewed for ${age} ms` : undefined
  }

  /** Resolves when this process knows the current leader. */
  async start(): Promise<void> {
    this.#round = this.#go()
    await this.#round
    await this.#work?.catch(() => {})
  }

  async #go(): Promise<void> {
    const { clock, log, times, fraction } = this.#options
    const began = clock.now()
    try {
      const held = await within(clock, times.renewDeadline, this.#acquireOrRenew())
      if (this.#ended) return
      if (held) this.#hold(began)
      else await this.#lose()
    } catch (error) {
      log.error(`leader election: ${(error as Error).message}`)
    }
    if (this.#ended) return
    const jitter = this.isLeader ? 0 : (fraction?.() ?? 0) * jitterFactor
    this.#timer = clock.setTimeout(
      () => {
        this.#round = this.#go()
      },
      times.retryPeriod * (1 + jitter)
    )
  }

  #hold(since: number): void {
    const { clock, log, identity, times, lead } = this.#options
    this.#renewedAt = since
    this.#overdue?.cancel()
    const overdue = clock.setTimeout(
      async () => {
        await answersUnderWay()
        if (this.#overdue === overdue) await this.#lose()
      },
      Math.max(0, since + times.renewDeadline - clock.now())
    )
    this.#overdue = overdue
    if (this.#work) return
    log.info(`leader election: ${identity} leads`)
    const work = this.#stopping.then(lead)
    this.#work = work
    work.catch(error => {
      log.error(`leader election: ${(error as Error).message}`)
      // the next renewal begins again
      if (this.#work === work) this.#work = undefined
    })
  }

  /** Stops the work, if there is any. */
  async #lose(): Promise<void> {
    if (!this.#work) return
    const { log, identity, lost } = this.#options
    log.info(`leader election: ${identity} no longer leads`)
    if (lost) this.#end()
    const stopping = this.#stopWork()
    // what still runs must not keep the process from ending: another leads
    lost?.()
    await stopping
  }

  #stopWork(): Promise<void> {
    const work = this.#work
    this.#work = undefined
    this.#overdue?.cancel()
    if (work)
      this.#stopping = work.then(
        running => running.stop(),
        () => {}
      )
    return this.#stopping
  }

  /** Returns true when this process holds the Lease. */
  async #acquireOrRenew(): Promise<boolean> {
    const { lock, identity, times, clock } = this.#options
    let held = false
    let leader = ''
    await lock.update(present => {
      held = present === undefined || present.holderIdentity === identity || this.#isFree(present)
      leader = held ? identity : (present?.holderIdentity ?? '')
      // one that has stopped meanwhile must not take the Lease
      if (!held || this.#ended) return undefined
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
    if (leader !== this.#leader) {
      this.#leader = leader
      this.#options.changed?.(leader)
    }
    return held
  }

  /** Clocks differ, so the time that this process has seen the Lease unchanged counts, not the time written in the Lease. */
  #isFree(present: LeaseSpec): boolean {
    const now = this.#options.clock.now()
    const record = JSON.stringify(present)
    if (this.#observed?.record !== record) this.#observed = { record, at: now }
    return !present.holderIdentity || now - this.#observed.at >= (present.leaseDurationSeconds ?? 0) * 1000
  }

  #end(): void {
    this.#ended = true
    this.#timer?.cancel()
    this.#overdue?.cancel()
  }

  /** Ends the work, then releases the Lease, so that the next leader need not wait for it to expire. */
  async stop(): Promise<void> {
    const wasLeading = this.isLeader && !this.#ended
    this.#end()
    await this.#round
    await this.#stopWork()
    if (!wasLeading || this.#options.releases === false) return
    const { lock, identity, clock, log, times } = this.#options
    const release = (present: LeaseSpec | undefined): LeaseSpec | undefined => {
      if (present?.holderIdentity !== identity) return undefined
      const now = microTime(clock.now())
      return { ...present, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now }
    }
    try {
      await within(clock, times.renewDeadline, lock.update(release))
    } catch (error) {
      log.error(`leader election: the Lease could not be released: ${(error as Error).message}`)
    }
  }
}

/** How many turns of the event loop an answer within the process may take. */
const turns = 20

/** Lets answers arrive that were only outrun by a clock that jumped: that of a test, or of a process that was suspended. */
async function answersUnderWay(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** Rejects when the work takes too long. The work itself goes on. */
function within<T>(clock: Clock, milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(async () => {
      await answersUnderWay()
      reject(new Error(`no answer within ${milliseconds} ms`))
    }, milliseconds)
    work.then(resolve, reject).finally(() => timer.cancel())
  })
}
