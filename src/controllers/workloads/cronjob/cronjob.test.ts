import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CronJob, CronJobSpec, JobSpec } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Draft } from '../../../client/stored-types.js'
import { simulatedCluster } from '../testing/simulated.js'

const cluster = simulatedCluster()
const cronJobs = () => cluster.client.of('batch/v1', 'CronJob')
const jobs = () => cluster.client.of('batch/v1', 'Job')
const minute = 60_000
const domain = 'simulate.binnacle.dev'

interface Wanted extends Draft<CronJobSpec> {
  readonly job?: Draft<JobSpec>
  readonly annotations?: Record<string, string>
}

async function create(name: string, { job, annotations, ...spec }: Wanted) {
  const template = {
    metadata: { annotations },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] }
  }
  const jobTemplate = { metadata: { labels: { cron: name } }, spec: { ...job, template } }
  await cronJobs().create({ metadata: { name }, spec: { schedule: '* * * * *', ...spec, jobTemplate } } as Draft<CronJob>)
  await cluster.settle()
}
const jobsOf = async (name: string) => (await jobs().list({ labelSelector: { cron: name } })).items
const eventsOf = (name: string) => cluster.events({ kind: 'CronJob', metadata: { name } })
/** As Jobs are named after their time. */
const minutes = () => Math.floor(cluster.clock.now() / minute)
const toNextMinute = () => cluster.pass(minute - (cluster.clock.now() % minute) + 200, 5000)
/** What a test leaves must not start Jobs in the others. */
const end = (name: string) => cronJobs().delete(name, { propagationPolicy: 'Background' })

describe('a CronJob', () => {
  test('starts a Job at each of its times, and keeps the last ones', async () => {
    await create('steady', { successfulJobsHistoryLimit: 2 })
    assert.deepEqual(await jobsOf('steady'), [])
    await toNextMinute()
    const [job] = await jobsOf('steady')
    const name = `steady-${minutes()}`
    assert.equal(job?.metadata.name, name)
    const cronJob = await cronJobs().get('steady')
    const { apiVersion, kind, metadata } = cronJob
    const owner = { apiVersion, kind, name: 'steady', uid: metadata.uid, controller: true, blockOwnerDeletion: true }
    assert.deepEqual(job?.metadata.ownerReferences, [owner])
    const scheduled = new Date(minutes() * minute).toISOString().replace('.000', '')
    assert.deepEqual(job?.metadata.annotations, { 'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled })
    assert.equal(cronJob.status.lastScheduleTime, scheduled)
    const [active] = cronJob.status.active!
    assert.deepEqual([active?.kind, active?.apiVersion, active?.name, active?.uid], ['Job', 'batch/v1', name, job?.metadata.uid])
    await cluster.pass(4000)
    const { status } = await cronJobs().get('steady')
    assert.equal(status.active, undefined)
    assert.equal(status.lastSuccessfulTime, (await jobs().get(name)).status.completionTime)
    assert.deepEqual(await eventsOf('steady'), [
      `SuccessfulCreate: Created job ${name}`,
      `SawCompletedJob: Saw completed job: ${name}, condition: Complete`
    ])
    for (let count = 0; count < 3; count++) await toNextMinute()
    await cluster.pass(3000)
    assert.deepEqual(
      (await jobsOf('steady')).map(one => one.metadata.name),
      [`steady-${minutes() - 1}`, `steady-${minutes()}`]
    )
    assert.ok((await eventsOf('steady')).includes(`SuccessfulDelete: Deleted job ${name}`))
    await end('steady')
  })

  test('starts none while one runs, or ends that one, as its policy says', async () => {
    const annotations = { [`${domain}/exits-after`]: 'never' }
    await create('forbid', { concurrencyPolicy: 'Forbid', annotations })
    await create('replace', { concurrencyPolicy: 'Replace', annotations })
    await toNextMinute()
    const first = minutes()
    await toNextMinute()
    assert.deepEqual(
      (await jobsOf('forbid')).map(one => one.metadata.name),
      [`forbid-${first}`]
    )
    const text = 'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid'
    assert.equal((await eventsOf('forbid')).at(-1), text)
    assert.deepEqual(
      (await jobsOf('replace')).map(one => one.metadata.name),
      [`replace-${first + 1}`]
    )
    assert.deepEqual(await eventsOf('replace'), [
      `SuccessfulCreate: Created job replace-${first}`,
      `SuccessfulDelete: Deleted job replace-${first}`,
      `SuccessfulCreate: Created job replace-${first + 1}`
    ])
    for (const name of ['forbid', 'replace']) await end(name)
  })

  test('makes up for the last missed time when it is resumed, within its deadline', async () => {
    await create('missed', { suspend: true })
    await create('too-late', { suspend: true, schedule: '*/10 * * * *', startingDeadlineSeconds: 30 })
    await cluster.jump((15 - (minutes() % 10) + 10) * minute)
    assert.deepEqual([...(await jobsOf('missed')), ...(await jobsOf('too-late'))], [])
    for (const name of ['missed', 'too-late']) await cronJobs().patch(name, { spec: { suspend: false } })
    await cluster.settle()
    assert.deepEqual(
      (await jobsOf('missed')).map(one => one.metadata.name),
      [`missed-${minutes()}`]
    )
    assert.deepEqual(await jobsOf('too-late'), [])
    for (const name of ['missed', 'too-late']) await end(name)
  })

  test('warns when it has missed many times', async () => {
    await create('many', { suspend: true })
    await cluster.jump(102 * minute)
    await cronJobs().patch('many', { spec: { suspend: false } })
    await cluster.settle()
    const warning = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
    assert.equal((await eventsOf('many'))[0], `TooManyMissedTimes: ${warning}`)
    assert.equal((await jobsOf('many')).length, 1)
    await end('many')
  })

  test('does not make up for the past of a new schedule', async () => {
    await create('new-schedule', { schedule: '0 0 1 1 *' })
    await cluster.jump(3 * minute)
    await cronJobs().patch('new-schedule', { spec: { schedule: '* * * * *' } })
    await cluster.settle()
    assert.deepEqual(await jobsOf('new-schedule'), [])
    await toNextMinute()
    assert.equal((await jobsOf('new-schedule')).length, 1)
    await end('new-schedule')
  })

  test('goes by its time zone', async () => {
    const soon = new Date((minutes() + 61) * minute)
    const [hour, at] = [soon.getUTCHours(), soon.getUTCMinutes()]
    await create('berlin', { schedule: `${at} ${hour} * * *`, timeZone: 'Europe/Berlin' })
    await toNextMinute()
    const [job] = await jobsOf('berlin')
    const scheduled = job!.metadata.annotations!['batch.kubernetes.io/cronjob-scheduled-timestamp']!
    assert.equal(scheduled, `${soon.toISOString().slice(0, 16)}:00+01:00`)
    await end('berlin')
  })

  test('sees that an active Job is gone', async () => {
    await create('vanishing', { schedule: '*/5 * * * *', annotations: { [`${domain}/exits-after`]: 'never' } })
    while ((await jobsOf('vanishing')).length === 0) await toNextMinute()
    const [job] = await jobsOf('vanishing')
    await jobs().delete(job!, { propagationPolicy: 'Background' })
    await cluster.settle()
    assert.equal((await cronJobs().get('vanishing')).status.active, undefined)
    assert.equal((await eventsOf('vanishing')).at(-1), `MissingJob: Active job went missing: ${job?.metadata.name}`)
    await end('vanishing')
  })
})

test('a finished Job is deleted when its time has passed', async () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } }
  await jobs().create({ metadata: { name: 'short' }, spec: { ttlSecondsAfterFinished: 10, template } })
  await cluster.pass(9000)
  assert.equal((await jobs().get('short')).status.succeeded, 1)
  await cluster.pass(5000)
  assert.equal(await jobs().find('short'), undefined)
  assert.deepEqual((await cluster.client.of('v1', 'Pod').list({ labelSelector: 'job-name=short' })).items, [])
})
