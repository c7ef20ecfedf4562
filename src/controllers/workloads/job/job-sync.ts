/** One look at a Job: counts its Pods, creates and deletes some, and reports. */
import type { Job, JobCondition, JobStatus } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import type { EventRecorder } from '../../../client/events/event-recorder.js'
import type { Draft, Informer, ResourceClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import { timestamp } from '../../../util/time.js'
import { isNamespaceTerminating, type PodControl, slowStart } from '../pod-control.js'
import { byStage, isActive, isReady, isTerminating } from '../pods.js'
import { type Failures, failuresWith, finishedAt, remaining } from './backoff.js'
import { condition, conditionOf, isTrue, setCondition } from './conditions.js'
import { IndexSet } from './index-set.js'
import {
  allFailuresOf,
  byIndex,
  failsIndex,
  hasFailed,
  hasValidIndex,
  indexesOf,
  indexOf,
  isIndexed,
  isSuspended,
  isTracked,
  newPod,
  replacesFailedOnly
} from './job-pods.js'
import type { PodTracking } from './pod-tracking.js'
import { failureRule, successRule } from './policies.js'

export interface JobNeeds {
  readonly jobs: ResourceClient<Job & KubeObject>
  readonly informer: Informer<Job>
  readonly podControl: PodControl
  readonly tracking: PodTracking
  readonly events: EventRecorder
  readonly clock: Clock
  /** Failures of Jobs by their uids. */
  readonly failures: Map<string, Failures>
}

/** The most Pods that are created, deleted or counted in one go. */
const burst = 500
/** A Job looks again no sooner than this after it has had to wait. */
const leastWaitMs = 1000

export class JobSync {
  readonly #needs: JobNeeds
  readonly #now: number
  /** As it is after the last write. */
  #job: Job & KubeObject
  #status: JobStatus
  /** The Pods of the Job, those that have just been deleted with the time of that. */
  readonly #pods: Pod[]
  /** The uids of those that have the finalizer. */
  readonly #tracked: ReadonlySet<string>
  #active: Pod[]
  #activeCount: number
  #ready: number
  #terminating: number
  readonly #uncounted: { readonly succeeded: ReadonlySet<string>; readonly failed: ReadonlySet<string> }
  #succeeded: number
  #failed: number
  #before = IndexSet.empty
  #succeededIndexes = IndexSet.empty
  #failedIndexes: IndexSet | undefined
  /** Failed Pods by index, which stay until their successor is there: it takes over their counts. */
  readonly #awaited = new Map<number, Pod>()
  readonly #failures: Failures
  #finished: JobCondition | undefined
  #changed = false
  #wakeAt = Number.POSITIVE_INFINITY

  constructor(needs: JobNeeds, job: Job & KubeObject, pods: readonly Pod[]) {
    this.#needs = needs
    this.#now = needs.clock.now()
    this.#job = job
    this.#status = structuredClone(job.status)
    const { status } = job
    this.#pods = pods.map(pod => needs.podControl.asKnown(pod, this.#now))
    if (isIndexed(job)) this.#pods.sort(byIndex)
    const isFinal = (pod: Pod) => !isTracked(pod) || needs.tracking.isReleased(pod)
    this.#tracked = new Set(this.#pods.filter(pod => !isFinal(pod)).map(({ metadata }) => metadata.uid!))
    this.#active = this.#pods.filter(isActive)
    this.#activeCount = this.#active.length
    this.#ready = this.#active.filter(isReady).length
    this.#terminating = this.#pods.filter(isTerminating).length
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
    this.#status.uncountedTerminatedPods ??= {}
    this.#uncounted = { succeeded: new Set(succeeded), failed: new Set(failed) }
    const fresh = (uncounted: ReadonlySet<string>) => (pod: Pod) =>
      this.#isTracked(pod) && !uncounted.has(pod.metadata.uid!) && hasValidIndex(pod, job)
    const newSucceeded = this.#pods.filter(fresh(this.#uncounted.succeeded)).filter(pod => pod.status.phase === 'Succeeded')
    const newFailed = this.#pods.filter(fresh(this.#uncounted.failed)).filter(pod => hasFailed(pod, job))
    this.#succeeded = (status.succeeded ?? 0) + newSucceeded.length + succeeded.length
    this.#failed = (status.failed ?? 0) + newFailed.filter(pod => failureRule(job, pod).counts).length + failed.length
    this.#failures = failuresWith(needs.failures.get(job.metadata.uid!) ?? { count: 0, last: 0 }, newSucceeded, newFailed)
  }

  /** Resolves with the milliseconds after which the Job has to be looked at again. */
  async run(): Promise<number | undefined> {
    if (!this.#status.startTime && !isSuspended(this.#job)) this.#status.startTime = timestamp(this.#now)
    this.#finished = this.#outcome()
    let failure: unknown
    try {
      if (this.#finished) await this.#end()
      else await this.#goOn()
    } catch (error) {
      failure = error
    }
    this.#setCounts()
    await this.#track()
    if (failure) throw failure
    return Number.isFinite(this.#wakeAt) ? Math.max(0, this.#wakeAt - this.#now) : undefined
  }

  #isTracked = ({ metadata }: Pod): boolean => this.#tracked.has(metadata.uid!)

  #failureTarget = (reason: string, message: string) => condition('FailureTarget', 'True', reason, message, this.#now)

  /** How the Job ends, if it does now. What an earlier look has found stands. */
  #outcome(): JobCondition | undefined {
    const outcome = this.#policyOutcome() ?? this.#limitOutcome()
    return isIndexed(this.#job) ? this.#indexOutcome(outcome) : outcome
  }

  #policyOutcome(): JobCondition | undefined {
    const status = this.#job.status
    if (isTrue(status, 'SuccessCriteriaMet')) return conditionOf(status, 'SuccessCriteriaMet')
    const target = conditionOf(status, 'FailureTarget')
    if (target?.status === 'True') return condition('Failed', 'True', target.reason!, target.message!, this.#now)
    for (const pod of this.#pods) {
      const message = hasFailed(pod, this.#job) ? failureRule(this.#job, pod).message : undefined
      if (message !== undefined) return this.#failureTarget('PodFailurePolicy', message)
    }
    return undefined
  }

  #limitOutcome(): JobCondition | undefined {
    const { backoffLimit = 6, activeDeadlineSeconds: seconds } = this.#job.spec
    if (this.#failed > backoffLimit || this.#hasRestartedTooOften(backoffLimit))
      return this.#failureTarget('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
    if (seconds === undefined || isSuspended(this.#job)) return undefined
    const deadline = Date.parse(this.#status.startTime!) + seconds * 1000
    if (deadline <= this.#now) return this.#failureTarget('DeadlineExceeded', 'Job was active longer than specified deadline')
    this.#wakeUp(deadline)
    return undefined
  }

  #hasRestartedTooOften(limit: number): boolean {
    if (this.#job.spec.template.spec?.restartPolicy !== 'OnFailure') return false
    let restarts = 0
    for (const { status } of this.#pods) {
      if (status.phase !== 'Running' && status.phase !== 'Pending') continue
      for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
        restarts += restartCount
    }
    return limit === 0 ? restarts > 0 : restarts >= limit
  }

  #indexOutcome(outcome: JobCondition | undefined): JobCondition | undefined {
    const { completions = 0, backoffLimitPerIndex, maxFailedIndexes } = this.#job.spec
    const countable = this.#pods.filter(pod => isTracked(pod) && hasValidIndex(pod, this.#job))
    this.#before = IndexSet.parse(this.#job.status.completedIndexes, completions)
    const succeeded = countable.filter(({ status }) => status.phase === 'Succeeded')
    this.#succeededIndexes = this.#before.with(indexesOf(succeeded))
    this.#succeeded = this.#succeededIndexes.size
    let next = outcome
    if (backoffLimitPerIndex !== undefined) {
      const failed = countable.filter(pod => failsIndex(pod, this.#job))
      this.#failedIndexes = IndexSet.parse(this.#job.status.failedIndexes, completions).with(indexesOf(failed))
      const { size } = this.#failedIndexes
      if (maxFailedIndexes !== undefined && size > maxFailedIndexes) {
        const message = 'Job has exceeded the specified maximal number of failed indexes'
        next ??= this.#failureTarget('MaxFailedIndexesExceeded', message)
      } else if (size > 0 && size + this.#succeeded >= completions)
        next ??= this.#failureTarget('FailedIndexes', 'Job has failed indexes')
      this.#findAwaited()
    }
    if (next) return next
    const rule = successRule(this.#job, this.#succeededIndexes)
    return rule === undefined ? undefined : condition('SuccessCriteriaMet', 'True', 'SuccessPolicy', rule, this.#now)
  }

  #findAwaited(): void {
    const running = indexesOf(this.#active)
    for (const pod of this.#pods) {
      if (!this.#isTracked(pod) || !hasValidIndex(pod, this.#job) || !hasFailed(pod, this.#job)) continue
      const index = indexOf(pod)!
      if (this.#succeededIndexes.has(index) || this.#failedIndexes!.has(index) || running.has(index)) continue
      const other = this.#awaited.get(index)
      const isLater = !other || (allFailuresOf(other) <= allFailuresOf(pod) && finishedAt(other) <= finishedAt(pod))
      if (isLater) this.#awaited.set(index, pod)
    }
  }

  /** Deletes what still runs. Its finalizers are removed when it has been counted. */
  async #end(): Promise<void> {
    const results = await Promise.allSettled(
      this.#active.map(async pod => {
        await this.#needs.podControl.delete(pod, this.#job)
        this.#left(pod)
      })
    )
    // the Job has not ended while Pods of it run
    if (this.#activeCount > 0) this.#finished = undefined
    throwFirst(results)
  }

  #left(pod: Pod): void {
    this.#activeCount--
    this.#terminating++
    if (isReady(pod)) this.#ready--
  }

  async #goOn(): Promise<void> {
    const { completions } = this.#job.spec
    let failure: unknown
    const isManaged = !this.#job.metadata.deletionTimestamp
    if (isManaged)
      try {
        await this.#manage()
      } catch (error) {
        failure = error
      }
    const isEnough = completions === undefined ? this.#succeeded > 0 : this.#succeeded >= completions
    if (isEnough && this.#activeCount === 0) {
      const message = 'Reached expected number of succeeded pods'
      this.#finished = condition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, this.#now)
    } else if (isManaged) this.#noteSuspension()
    if (failure) throw failure
  }

  #noteSuspension(): void {
    const { events } = this.#needs
    const suspended = isSuspended(this.#job)
    const [word, value] = suspended ? (['Suspended', 'True'] as const) : (['Resumed', 'False'] as const)
    const message = `Job ${word.toLowerCase()}`
    if (!setCondition(this.#status, condition('Suspended', value, `Job${word}`, message, this.#now))) return
    this.#changed = true
    events.normal(this.#job, word, message)
    // the time that the Job was suspended does not count
    this.#status.startTime = suspended ? undefined : timestamp(this.#now)
  }

  get #wanted(): number {
    const { completions, parallelism = 1 } = this.#job.spec
    if (completions === undefined) return this.#succeeded > 0 ? this.#activeCount : parallelism
    return Math.max(0, Math.min(parallelism, completions - this.#succeeded))
  }

  /** Creates or deletes Pods, until as many run as should. */
  async #manage(): Promise<void> {
    if (isSuspended(this.#job)) return this.#remove(this.#surplus(this.#activeCount))
    const wanted = this.#wanted
    const surplus = this.#surplus(Math.max(0, this.#activeCount - wanted)).slice(0, burst)
    if (surplus.length > 0) return this.#remove(surplus)
    const missing = wanted - this.#activeCount - (replacesFailedOnly(this.#job) ? this.#terminating : 0)
    if (missing > 0) await this.#create(Math.min(missing, burst))
  }

  /** Pods to delete: those without an index or with one that another has, and so many others that it is `least`. */
  #surplus(least: number): Pod[] {
    const { completions = 0 } = this.#job.spec
    const sorted = this.#active.toSorted(byStage)
    if (!isIndexed(this.#job)) return sorted.slice(0, least)
    const kept = new Set<number>()
    const isSpare = (pod: Pod) => {
      const index = indexOf(pod)
      if (index === undefined || index >= completions || kept.has(index)) return true
      kept.add(index)
      return false
    }
    // of those with the same index, the one that has come furthest stays
    const spare = new Set(sorted.toReversed().filter(isSpare).reverse())
    const others = sorted.filter(pod => !spare.has(pod))
    return [...spare, ...others.slice(0, Math.max(0, least - spare.size))]
  }

  async #remove(pods: readonly Pod[]): Promise<void> {
    const { tracking, podControl } = this.#needs
    const results = await Promise.allSettled(
      pods.map(async pod => {
        // it does not count, neither as failed nor as succeeded
        await tracking.release(pod)
        await podControl.delete(pod, this.#job)
        this.#left(pod)
      })
    )
    throwFirst(results)
  }

  async #create(missing: number): Promise<void> {
    const perIndex = this.#job.spec.backoffLimitPerIndex !== undefined
    const wait = perIndex ? 0 : remaining(this.#failures, this.#now)
    if (wait > 0) return this.#wakeUp(this.#now + Math.max(leastWaitMs, wait))
    if (!isIndexed(this.#job)) return this.#createAt(Array.from({ length: missing }, () => undefined))
    const indexes = this.#pendingIndexes(missing)
    const waits = indexes.map(index => (perIndex ? this.#waitOf(index) : 0))
    const due = indexes.filter((_, position) => waits[position] === 0)
    if (due.length > 0 || indexes.length === 0) return this.#createAt(due)
    this.#wakeUp(this.#now + Math.max(leastWaitMs, Math.min(...waits)))
  }

  #pendingIndexes(count: number): number[] {
    const taken = replacesFailedOnly(this.#job) ? [...this.#active, ...this.#pods.filter(isTerminating)] : this.#active
    const present = this.#succeededIndexes.with(indexesOf(taken)).union(this.#failedIndexes ?? IndexSet.empty)
    return present.firstMissing(count, this.#job.spec.completions!)
  }

  #waitOf(index: number): number {
    const failed = this.#awaited.get(index)
    return failed ? remaining({ count: allFailuresOf(failed) + 1, last: finishedAt(failed) }, this.#now) : 0
  }

  async #createAt(indexes: readonly (number | undefined)[]): Promise<void> {
    const { podControl } = this.#needs
    let next = 0
    await slowStart(indexes.length, async () => {
      const index = indexes[next++]
      const replaced = index === undefined ? undefined : this.#awaited.get(index)
      try {
        await podControl.create(newPod(this.#job, index, replaced), this.#job)
        this.#activeCount++
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error
      }
    })
  }

  #setCounts(): void {
    const { active, ready, terminating } = this.#job.status
    const status = this.#status
    this.#changed ||= this.#activeCount !== (active ?? 0) || this.#ready !== ready || this.#terminating !== terminating
    status.active = this.#activeCount || undefined
    status.ready = this.#ready
    status.terminating = this.#terminating
  }

  /** Counts Pods that have ended: notes their uids, removes their finalizers, and then adds them to the counts. A crash on the way loses none. */
  async #track(): Promise<void> {
    const { tracking, events } = this.#needs
    const tracked = new Set(this.#tracked)
    this.#settle(tracked)
    const { released, isFull } = this.#count()
    if (isIndexed(this.#job)) this.#setIndexes()
    this.#announce()
    if (this.#changed) {
      await this.#write()
      this.#needs.failures.set(this.#job.metadata.uid!, this.#failures)
    }
    const results = await Promise.allSettled(
      released.map(async pod => {
        await tracking.release(pod)
        tracked.delete(pod.metadata.uid!)
      })
    )
    this.#settle(tracked)
    const failed = results.find(result => result.status === 'rejected')
    if (failed) {
      if (this.#changed) await this.#write()
      throw failed.reason
    }
    const isOver = !isFull && this.#finish()
    if (this.#changed) await this.#write()
    if (!isOver) return
    const { type, reason, message } = this.#finished!
    if (type !== 'Complete') return events.warning(this.#job, reason!, message!)
    if ((this.#status.succeeded ?? 0) > (this.#job.spec.completions ?? Number.POSITIVE_INFINITY))
      events.warning(this.#job, 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached')
    events.normal(this.#job, 'Completed', 'Job completed')
  }

  /** Moves Pods that have lost their finalizer from the uncounted to the counts. */
  #settle(tracked: ReadonlySet<string>): void {
    const status = this.#status
    const uncounted = status.uncountedTerminatedPods!
    for (const field of ['succeeded', 'failed'] as const) {
      const uids = uncounted[field] ?? []
      const left = uids.filter(uid => tracked.has(uid))
      if (left.length === uids.length) continue
      this.#changed = true
      status[field] = (status[field] ?? 0) + uids.length - left.length
      uncounted[field] = left.length > 0 ? left : undefined
    }
  }

  /** Adds Pods that have ended to the uncounted. Returns those that are free to go, and whether there are more. */
  #count(): { released: Pod[]; isFull: boolean } {
    const uncounted = this.#status.uncountedTerminatedPods!
    const indexed = isIndexed(this.#job)
    const newIndexes: number[] = []
    const released: Pod[] = []
    const isFailure = this.#finished && this.#finished.type !== 'SuccessCriteriaMet'
    let size = (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0)
    const note = (field: 'succeeded' | 'failed', pod: Pod) => {
      uncounted[field] = [...(uncounted[field] ?? []), pod.metadata.uid!]
      this.#changed = true
      size++
    }
    let isFull = false
    for (const pod of this.#pods) {
      if (!this.#isTracked(pod) || !this.#mayGo(pod)) continue
      released.push(pod)
      const { uid } = pod.metadata
      const index = indexOf(pod)
      const isValid = hasValidIndex(pod, this.#job)
      if (pod.status.phase === 'Succeeded' && !this.#uncounted.failed.has(uid!)) {
        if (!indexed && !this.#uncounted.succeeded.has(uid!)) note('succeeded', pod)
        if (indexed && isValid && !this.#before.has(index!)) {
          newIndexes.push(index!)
          this.#changed = true
        }
        // all that runs on when the Job has failed has failed, too
      } else if (hasFailed(pod, this.#job) || isFailure) {
        const counts = failureRule(this.#job, pod).counts
        if (counts && isValid && !this.#uncounted.failed.has(uid!)) note('failed', pod)
      }
      isFull = newIndexes.length + size >= burst
      if (isFull) break
    }
    this.#succeededIndexes = this.#succeededIndexes.with(newIndexes)
    return { released, isFull }
  }

  #mayGo(pod: Pod): boolean {
    if (this.#job.metadata.deletionTimestamp || this.#finished || pod.status.phase === 'Succeeded') return true
    if (!hasFailed(pod, this.#job)) return false
    const index = indexOf(pod)
    return index === undefined || this.#awaited.get(index)?.metadata.uid !== pod.metadata.uid
  }

  #setIndexes(): void {
    const status = this.#status
    const completed = this.#succeededIndexes.toString()
    const failed = this.#failedIndexes?.toString()
    this.#changed ||= completed !== (status.completedIndexes ?? '') || failed !== status.failedIndexes
    status.succeeded = this.#succeededIndexes.size || undefined
    status.completedIndexes = completed || undefined
    status.failedIndexes = failed
  }

  /** Says how the Job will end, before its Pods have ended. */
  #announce(): void {
    const finished = this.#finished
    if (!finished || finished.type === 'Failed') return
    if (!isTrue(this.#status, finished.type)) {
      this.#status.conditions = [...(this.#status.conditions ?? []), finished]
      this.#changed = true
    }
    const type = finished.type === 'FailureTarget' ? 'Failed' : 'Complete'
    this.#finished = condition(type, 'True', finished.reason!, finished.message!, this.#now)
  }

  /** Returns whether the Job is over: all its Pods have ended and are counted. */
  #finish(): boolean {
    const { succeeded, failed } = this.#status.uncountedTerminatedPods!
    if (!this.#finished || succeeded || failed || this.#terminating > 0) return false
    setCondition(this.#status, this.#finished)
    if (this.#finished.type === 'Complete') this.#status.completionTime = this.#finished.lastTransitionTime
    this.#changed = true
    return true
  }

  async #write(): Promise<void> {
    const { jobs, informer } = this.#needs
    const written = await jobs.subresource('status').update(this.#job, { ...this.#job, status: this.#status } as Draft<Job>)
    informer.learn(written)
    this.#job = written as Job & KubeObject
    this.#status = structuredClone(written.status)
    this.#status.uncountedTerminatedPods ??= {}
    this.#changed = false
  }

  #wakeUp(time: number): void {
    this.#wakeAt = Math.min(this.#wakeAt, time)
  }
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}
