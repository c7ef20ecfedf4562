/**
 * Elects the holders of Leases from the LeaseCandidates of components (KEP-4355): asks all candidates for a sign of life, then
 * writes the best one of those that answered into the Lease.
 */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { LeaseCandidate } from '../../apimachinery/api/generated/coordination-v1beta1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { oldestEmulationVersion } from '../../kinds/coordination/coordinated-strategy.js'
import type { Client } from '../../registry/client.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { microTime } from '../../util/time.js'
import { Controller } from '../controller.js'
import {
  bestCandidate,
  candidateValidMs,
  electionStrategy,
  isCandidateExpired,
  isLeaseExpired,
  owesAnswer,
  time
} from './candidates.js'

const name = 'leader-election-controller'
const checkAgainMs = 5000
/** Milliseconds that candidates have to answer. */
const electionMs = 5000
const leaseSeconds = 5

export function coordinatedElection(services: Services, client: Client, log: Logger): Part {
  const { registry, clock, queues } = services
  const election = new CoordinatedElection(services, client, log)
  const candidates = registry.of(refs.leaseCandidates)
  const controller = new Controller({
    name,
    watches: [{ resource: registry.of(refs.leases), keyOf: key => key }],
    reconcile: key => election.reconcile(key),
    workers: 1,
    clock,
    queues,
    log
  })
  let handle: WatchHandle | undefined
  return {
    name,
    async start() {
      await candidates.cache.load()
      await controller.start()
      handle = follow(candidates.cache, {
        changed({ current, previous }) {
          const { metadata, spec } = candidates.peek((current ?? previous)!)
          // the request to renew is written by the election that is under way
          if (!owesAnswer({ metadata, spec } as LeaseCandidate)) controller.enqueue(`${metadata.namespace}/${spec.leaseName}`)
        }
      })
    },
    async stop() {
      handle?.close()
      await controller.stop()
    }
  }
}

class CoordinatedElection {
  readonly #services: Services
  readonly #client: Client
  readonly #log: Logger
  readonly #leases: Resource<Lease>
  readonly #candidates: Resource<LeaseCandidate>

  constructor(services: Services, client: Client, log: Logger) {
    this.#services = services
    this.#client = client
    this.#log = log
    this.#leases = services.registry.of(refs.leases)
    this.#candidates = services.registry.of(refs.leaseCandidates)
  }

  /** Takes the next step of the election for a Lease, as the objects are now: nothing else is remembered. */
  async reconcile(key: string): Promise<number | undefined> {
    const slash = key.indexOf('/')
    const [namespace, lease] = [key.slice(0, slash), key.slice(slash + 1)]
    const now = this.#services.clock.now()
    const candidates = this.#candidates
      .list(namespace)
      .filter(candidate => candidate.spec.leaseName === lease && !isCandidateExpired(candidate, now))
    if (candidates.length === 0) return undefined
    try {
      if (this.#isNeeded(candidates, this.#leases.read(namespace, lease), now))
        await this.#elect(namespace, lease, candidates, now)
    } catch (error) {
      this.#log.error(`leader election of ${key}: ${error instanceof Error ? error.message : error}`)
    }
    return checkAgainMs
  }

  #isNeeded(candidates: readonly LeaseCandidate[], lease: Lease | undefined, now: number): boolean {
    if (!lease || isLeaseExpired(lease, now) || !lease.spec.holderIdentity) return true
    // keeps the candidates from expiring
    if (candidates.some(({ spec }) => time(spec.renewTime) + candidateValidMs / 2 < now)) return true
    if (electionStrategy(candidates) !== oldestEmulationVersion) return false
    const best = bestCandidate(candidates)
    return best !== undefined && best.metadata.name !== lease.spec.holderIdentity
  }

  async #elect(namespace: string, lease: string, candidates: readonly LeaseCandidate[], now: number): Promise<void> {
    if (await this.#isWaiting(candidates, now)) return
    const answered = candidates.filter(({ spec }) => time(spec.renewTime) + electionMs > now)
    if (answered.length === 0) throw new Error('no available candidates')
    const strategy = electionStrategy(answered)
    const holder = strategy === oldestEmulationVersion ? bestCandidate(answered)?.metadata.name : undefined
    if (strategy === oldestEmulationVersion && holder === undefined) throw new Error('no candidate has versions')
    await this.#write(namespace, lease, strategy, holder)
  }

  /** Asks the candidates that have to show that they are alive, and returns whether any still has time to answer. */
  async #isWaiting(candidates: readonly LeaseCandidate[], now: number): Promise<boolean> {
    let isWaiting = false
    const asked: Promise<unknown>[] = []
    for (const candidate of candidates) {
      const pinged = time(candidate.spec.pingTime)
      const isSilent = owesAnswer(candidate)
      if (isSilent && pinged + electionMs > now) {
        isWaiting = true
        continue
      }
      if (time(candidate.spec.renewTime) + electionMs > now) continue
      // a candidate that did not answer the last request gets no other one
      if (Number.isNaN(pinged) || (!isSilent && pinged + electionMs < now)) {
        asked.push(this.#ask(candidate, now))
        isWaiting = true
      }
    }
    await Promise.all(asked)
    return isWaiting
  }

  #ask({ metadata }: LeaseCandidate, now: number): Promise<unknown> {
    return this.#client.update(this.#candidates, metadata.namespace!, metadata.name!, ({ spec }) => {
      spec.pingTime = microTime(now)
    })
  }

  async #write(namespace: string, name: string, strategy: string, holder: string | undefined): Promise<void> {
    const { clock } = this.#services
    const renewal = () => ({ leaseDurationSeconds: leaseSeconds, renewTime: microTime(clock.now()) })
    try {
      const spec = { strategy, ...renewal(), ...(holder === undefined ? {} : { holderIdentity: holder }) }
      await this.#client.create(this.#leases, namespace, { metadata: { name, namespace }, spec } as never)
      this.#log.info(`leader election: created Lease ${namespace}/${name} for ${holder ?? 'a holder that others elect'}`)
      return
    } catch (error) {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
    }
    await this.#client.update(this.#leases, namespace, name, (lease: Lease) => {
      const { spec } = lease
      const present = spec.holderIdentity || undefined
      const isFree = present === undefined || isLeaseExpired(lease, clock.now())
      spec.strategy = strategy
      if (holder === undefined || holder === present) return
      if (!isFree) {
        // the present holder gives the Lease up when it sees this
        spec.preferredHolder = holder
        return
      }
      Object.assign(spec, renewal(), { holderIdentity: holder })
      delete spec.preferredHolder
      delete spec.acquireTime
    })
  }
}
