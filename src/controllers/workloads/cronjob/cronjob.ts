/** Starts Jobs at their times: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ */
import type { CronJob, Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Informer } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { controllerOf, keyOf, namedBy } from '../owners.js'
import { CronSync, scheduleOf, untilNext } from './cron-sync.js'
import { timesOf } from './times.js'

const name = 'cronjob-controller'

export function cronJobController(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf(name)
  const cronJobs: Informer<CronJob> = informers.of('batch/v1', 'CronJob')
  const jobs: Informer<Job> = informers.of('batch/v1', 'Job')
  const jobsOf = jobs.index(job => [controllerOf(job)?.uid ?? ''])
  const events = context.recorder(name, client)
  const needs = {
    cronJobs: client.of('batch/v1', 'CronJob'),
    jobs: client.of('batch/v1', 'Job'),
    informers: { cronJobs, jobs },
    events,
    clock,
    deleted: new Set<string>()
  }
  /** What is to be looked at now, and what only at the next time of a new schedule: that does not make up for times in the past. */
  const due = new Set<string>()
  const postponed = new Map<string, number>()

  const queue = context.queue({ name: 'cronjob', workers: 5, reconcile })
  const enqueue = (key: string) => {
    due.add(key)
    queue.enqueue(key)
  }
  cronJobs.on('add', cronJob => enqueue(keyOf(cronJob)))
  cronJobs.on('delete', cronJob => enqueue(keyOf(cronJob)))
  cronJobs.on('update', (cronJob, old) => {
    const isRescheduled = cronJob.spec.schedule !== old.spec.schedule || cronJob.spec.timeZone !== old.spec.timeZone
    if (isRescheduled) reschedule(cronJob)
    else enqueue(keyOf(cronJob))
  })
  for (const event of ['add', 'update', 'delete'] as const) jobs.on(event as 'add', jobChanged)
  jobs.on('delete', ({ metadata }) => needs.deleted.delete(metadata.uid!))
  jobs.on('update', (job, old) => {
    if (job.metadata.deletionTimestamp) needs.deleted.delete(job.metadata.uid!)
    if (controllerOf(old)?.uid !== controllerOf(job)?.uid) jobChanged(old)
  })
  return queue

  function jobChanged(job: Job): void {
    const owner = controllerOf(job)
    if (owner?.kind !== 'CronJob') return
    const cronJob = cronJobs.get({ metadata: { name: owner.name, namespace: job.metadata.namespace } })
    if (cronJob?.metadata.uid === owner.uid) enqueue(keyOf(cronJob))
  }

  function reschedule(cronJob: CronJob): void {
    try {
      postponed.set(keyOf(cronJob), untilNext(cronJob, timesOf(scheduleOf(cronJob)), clock.now()))
      queue.enqueue(keyOf(cronJob))
    } catch {
      const message = `unparseable schedule for cronjob: ${cronJob.spec.schedule}`
      events.warning(cronJob, 'UnParseableCronJobSchedule', message)
    }
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const wait = postponed.get(key)
    postponed.delete(key)
    if (!due.delete(key) && wait !== undefined) return wait
    const cronJob = cronJobs.get(namedBy(key))
    if (!cronJob) return undefined
    const present = jobsOf(cronJob.metadata.uid!).filter(({ metadata }) => !needs.deleted.has(metadata.uid!))
    return new CronSync(needs, cronJob, present).run()
  }
}
