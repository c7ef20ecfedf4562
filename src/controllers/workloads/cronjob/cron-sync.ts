/** One look at a CronJob: what has become of its Jobs, and whether it is time for another. */
import type { CronJob, CronJobStatus, Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { EventRecorder } from '../../../client/events/event-recorder.js'
import type { Draft, Informer, ResourceClient } from '../../../client/stored-types.js'
import { timeZoneProblem } from '../../../kinds/batch/time-zones.js'
import type { Clock } from '../../../util/clock.js'
import { goQuote } from '../../../util/go-format.js'
import { timestamp } from '../../../util/time.js'
import { isFinished, isTrue } from '../job/conditions.js'
import { controllerReference, isControlledBy } from '../owners.js'
import { isNamespaceTerminating, messageOf } from '../pod-control.js'
import { missedTimes, type NextTime, timesOf } from './times.js'
import { WallClock } from './wall-clock.js'

export interface CronNeeds {
  readonly cronJobs: ResourceClient<CronJob & KubeObject>
  readonly jobs: ResourceClient<Job & KubeObject>
  readonly informers: { readonly cronJobs: Informer<CronJob>; readonly jobs: Informer<Job> }
  readonly events: EventRecorder
  readonly clock: Clock
  /** The uids of Jobs whose deletion the informer has not seen yet. */
  readonly deleted: Set<string>
}

/** Clocks that differ a little must not let a time come too early. */
const paddingMs = 100

/** The schedule with the time zone of the CronJob, unless it names one itself. */
export function scheduleOf({ spec: { schedule, timeZone } }: CronJob): string {
  if (schedule.includes('TZ') || timeZone === undefined || timeZoneProblem(timeZone)) return schedule
  return `TZ=${timeZone} ${schedule}`
}

const lastTime = ({ metadata, status }: CronJob) => Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? '')

/** Milliseconds until the next time. */
export function untilNext(cronJob: CronJob, next: NextTime, now: number): number {
  let from = now
  try {
    const { last, count, earliest } = missedTimes(next, lastTime(cronJob), now)
    from = last ?? (count === 'none' ? earliest : now)
  } catch {
    // there may be a time, though there are not two
  }
  return Math.max(0, (next(from) ?? now) + paddingMs - now)
}

type Reference = NonNullable<CronJobStatus['active']>[number]

export class CronSync {
  readonly #needs: CronNeeds
  readonly #now: number
  readonly #cronJob: CronJob & KubeObject
  readonly #jobs: readonly Job[]
  #status: CronJobStatus
  #changed = false

  constructor(needs: CronNeeds, cronJob: CronJob & KubeObject, jobs: readonly Job[]) {
    this.#needs = needs
    this.#now = needs.clock.now()
    this.#cronJob = cronJob
    this.#jobs = jobs
    this.#status = structuredClone(cronJob.status)
  }

  async run(): Promise<number | undefined> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec
    await this.#forgetOld('Complete', successfulJobsHistoryLimit)
    await this.#forgetOld('Failed', failedJobsHistoryLimit)
    let wait: number | undefined
    let failure: unknown
    try {
      wait = await this.#sync()
    } catch (error) {
      failure = error
    }
    if (this.#changed) await this.#write()
    if (failure) throw failure
    return wait
  }

  get #active(): Reference[] {
    return this.#status.active ?? []
  }

  #isActive = (uid: string | undefined): boolean => this.#active.some(one => one.uid === uid)

  #setActive(active: Reference[]): void {
    this.#status.active = active.length > 0 ? active : undefined
    this.#changed = true
  }

  #inactive(uid: string | undefined): void {
    this.#setActive(this.#active.filter(one => one.uid !== uid))
  }

  async #write(): Promise<void> {
    const { cronJobs, informers } = this.#needs
    const next = { ...this.#cronJob, status: this.#status } as Draft<CronJob>
    informers.cronJobs.learn(await cronJobs.subresource('status').update(this.#cronJob, next))
  }

  /** Deletes the oldest of the finished Jobs. */
  async #forgetOld(type: 'Complete' | 'Failed', limit: number | undefined): Promise<void> {
    if (limit === undefined) return
    const finished = this.#jobs.filter(({ status }) => isTrue(status, type)).sort(byStart)
    for (const job of finished.slice(0, Math.max(0, finished.length - limit))) await this.#delete(job)
  }

  async #delete(job: Job): Promise<boolean> {
    const { jobs, events, deleted } = this.#needs
    const uid = job.metadata.uid!
    deleted.add(uid)
    try {
      await jobs.delete(job, { propagationPolicy: 'Background' })
    } catch (error) {
      deleted.delete(uid)
      events.warning(this.#cronJob, 'FailedDelete', `Deleted job: ${messageOf(error)}`)
      return false
    }
    this.#inactive(uid)
    events.normal(this.#cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
    return true
  }

  async #sync(): Promise<number | undefined> {
    const { events } = this.#needs
    const cronJob = this.#cronJob
    for (const job of this.#jobs) await this.#note(job)
    await this.#noteMissing()
    if (cronJob.metadata.deletionTimestamp) return undefined
    const { timeZone, suspend, schedule } = cronJob.spec
    const problem = timeZone === undefined ? undefined : timeZoneProblem(timeZone)
    if (problem) {
      events.warning(cronJob, 'UnknownTimeZone', `invalid timeZone: ${goQuote(timeZone!)}: ${problem}`)
      return undefined
    }
    if (suspend) return undefined
    if (schedule.includes('TZ')) {
      const advice = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'
      const message = `CRON_TZ or TZ used in schedule ${goQuote(schedule)} is not officially supported, ${advice}`
      events.warning(cronJob, 'UnsupportedSchedule', message)
    }
    let next: NextTime
    try {
      next = timesOf(scheduleOf(cronJob))
    } catch (error) {
      const message = `unparseable schedule: ${goQuote(schedule)} : ${messageOf(error)}`
      events.warning(cronJob, 'UnparseableSchedule', message)
      return undefined
    }
    let time: number | undefined
    try {
      time = this.#dueTime(next)
    } catch (error) {
      events.warning(cronJob, 'InvalidSchedule', `invalid schedule: ${schedule} : ${messageOf(error)}`)
      return undefined
    }
    if (time === undefined || this.#isSkipped(time)) return untilNext(this.#noted, next, this.#now)
    return (await this.#start(time)) ? untilNext(this.#noted, next, this.#now) : undefined
  }

  /** The CronJob with the status that is still to be written. */
  get #noted(): CronJob {
    return { ...this.#cronJob, status: this.#status }
  }

  /** Takes note of a Job that has finished, or that somebody else has made. */
  async #note(job: Job): Promise<void> {
    const { cronJobs, events } = this.#needs
    const { name, uid } = job.metadata
    const isActive = this.#isActive(uid)
    if (!isFinished(job)) {
      if (isActive) return
      const present = await cronJobs.get(this.#cronJob)
      if (present.status.active?.some(one => one.uid === uid)) return
      const message = `Saw a job that the controller did not create or forgot: ${name}`
      return events.warning(this.#cronJob, 'UnexpectedJob', message)
    }
    const isComplete = isTrue(job.status, 'Complete')
    if (isActive) {
      this.#inactive(uid)
      const condition = isComplete ? 'Complete' : 'Failed'
      events.normal(this.#cronJob, 'SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`)
    }
    const { completionTime } = job.status
    const last = this.#status.lastSuccessfulTime
    if (!isComplete || !completionTime || (last && Date.parse(last) >= Date.parse(completionTime))) return
    this.#status.lastSuccessfulTime = completionTime
    this.#changed = true
  }

  async #noteMissing(): Promise<void> {
    const { jobs, events } = this.#needs
    const present = new Set(this.#jobs.map(({ metadata }) => metadata.uid))
    for (const { uid, name, namespace } of this.#active) {
      if (present.has(uid) || (await jobs.find({ metadata: { name: name!, namespace } }))) continue
      events.normal(this.#cronJob, 'MissingJob', `Active job went missing: ${name}`)
      this.#inactive(uid)
    }
  }

  /** The last time that has come and has had no Job. */
  #dueTime(next: NextTime): number | undefined {
    const { startingDeadlineSeconds: seconds } = this.#cronJob.spec
    const deadline = seconds === undefined ? Number.NEGATIVE_INFINITY : this.#now - seconds * 1000
    const { last, count } = missedTimes(next, Math.max(deadline, lastTime(this.#noted)), this.#now)
    if (last !== undefined && count === 'many') {
      const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      this.#needs.events.warning(this.#cronJob, 'TooManyMissedTimes', message)
    }
    return last
  }

  #isSkipped(time: number): boolean {
    const { events } = this.#needs
    const { startingDeadlineSeconds: seconds, concurrencyPolicy } = this.#cronJob.spec
    if (seconds !== undefined && time + seconds * 1000 < this.#now) {
      const text = new Date(time).toUTCString().replace('GMT', '+0000')
      events.warning(this.#cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${text}`)
      return true
    }
    const name = this.#nameAt(time)
    if (this.#active.some(one => one.name === name) || this.#status.lastScheduleTime === timestamp(time)) return true
    if (concurrencyPolicy !== 'Forbid' || this.#active.length === 0) return false
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid'
    events.normal(this.#cronJob, 'JobAlreadyActive', message)
    return true
  }

  #nameAt = (time: number): string => `${this.#cronJob.metadata.name}-${Math.floor(time / 60_000)}`

  /** Starts the Job of a time. Returns false when it is there already, and noted. */
  async #start(time: number): Promise<boolean> {
    const { jobs, informers, events } = this.#needs
    if (this.#cronJob.spec.concurrencyPolicy === 'Replace') await this.#replaceActive()
    const draft = this.#draft(time)
    let job: Job
    try {
      job = await jobs.create(draft)
      informers.jobs.learn(job)
      events.normal(this.#cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`)
    } catch (error) {
      if (isNamespaceTerminating(error)) throw error
      if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') {
        events.warning(this.#cronJob, 'FailedCreate', `Error creating job: ${messageOf(error)}`)
        throw error
      }
      // it is this one's, if the status could not be written after its creation
      job = await jobs.get({ metadata: { name: draft.metadata!.name!, namespace: this.#cronJob.metadata.namespace } })
      if (!isControlledBy(job, this.#cronJob) || this.#isActive(job.metadata.uid)) return false
    }
    const { name, namespace, uid, resourceVersion } = job.metadata
    this.#setActive([...this.#active, { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion }])
    this.#status.lastScheduleTime = timestamp(time)
    return true
  }

  async #replaceActive(): Promise<void> {
    const { jobs, events } = this.#needs
    for (const { name, namespace } of this.#active) {
      let job: Job
      try {
        job = await jobs.get({ metadata: { name: name!, namespace } })
      } catch (error) {
        events.warning(this.#cronJob, 'FailedGet', `Get job: ${messageOf(error)}`)
        throw error
      }
      if (!(await this.#delete(job))) throw new Error(`could not replace job ${namespace}/${name}`)
    }
  }

  #draft(time: number): Draft<Job> {
    const { jobTemplate, timeZone } = this.#cronJob.spec
    const { labels, annotations } = jobTemplate.metadata ?? {}
    const scheduled = new WallClock(timeZone).format(time)
    return {
      metadata: {
        name: this.#nameAt(time),
        namespace: this.#cronJob.metadata.namespace,
        labels,
        annotations: { ...annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled },
        ownerReferences: [controllerReference(this.#cronJob)]
      },
      spec: structuredClone(jobTemplate.spec)
    }
  }
}

/** Those that have not started come last. */
function byStart(a: Job, b: Job): number {
  const start = ({ status }: Job) => (status.startTime ? Date.parse(status.startTime) : Number.POSITIVE_INFINITY)
  if (start(a) !== start(b)) return start(a) < start(b) ? -1 : 1
  return a.metadata.name! < b.metadata.name! ? -1 : 1
}
