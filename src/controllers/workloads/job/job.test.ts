import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Job, JobSpec } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Draft } from '../../../client/stored-types.js'
import { simulatedCluster } from '../testing/simulated.js'

const cluster = simulatedCluster()
const jobs = () => cluster.client.of('batch/v1', 'Job')
const pods = () => cluster.client.of('v1', 'Pod')
const domain = 'simulate.binnacle.dev'
const forEver = { [`${domain}/exits-after`]: 'never' }
const failing = { [`${domain}/exit-code`]: '3' }

async function create(name: string, spec: Draft<JobSpec>, annotations: Record<string, string> = {}, restartPolicy = 'Never') {
  const template = { metadata: { annotations }, spec: { restartPolicy, containers: [{ name: 'main', image: 'busybox' }] } }
  const job = await jobs().create({ metadata: { name }, spec: { ...spec, template } } as Draft<Job>)
  await cluster.settle()
  return job
}
const podsOf = async (name: string) => (await pods().list({ labelSelector: { 'job-name': name } })).items
const conditions = ({ status }: Job) => status.conditions?.map(one => `${one.type}=${one.status} ${one.reason}: ${one.message}`)
const eventsOf = async (name: string) => {
  const events = await cluster.events({ kind: 'Job', metadata: { name } })
  return events.map(event => event.replace(/-[bcdfghjklmnpqrstvwxz2-9]{5}\b/, '-*****'))
}

describe('a Job', () => {
  test('completes with its Pod, which is counted before it loses its finalizer', async () => {
    await create('simple', {})
    const [pod] = await podsOf('simple')
    assert.deepEqual(pod?.metadata.finalizers, ['batch.kubernetes.io/job-tracking'])
    assert.equal(pod?.metadata.ownerReferences?.[0]?.controller, true)
    const running = await jobs().get('simple')
    assert.deepEqual(
      [running.status.active, running.status.ready, running.status.terminating, running.status.startTime],
      [1, 0, 0, '2026-01-01T00:00:00Z']
    )
    await cluster.pass(3000)
    const { status } = await jobs().get('simple')
    const reached = 'CompletionsReached: Reached expected number of succeeded pods'
    assert.deepEqual(conditions(await jobs().get('simple')), [`SuccessCriteriaMet=True ${reached}`, `Complete=True ${reached}`])
    const { conditions: _, ...counts } = status
    assert.deepEqual(counts, {
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:00:02Z',
      succeeded: 1,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {}
    })
    assert.equal((await podsOf('simple'))[0]?.metadata.finalizers, undefined)
    assert.deepEqual(await eventsOf('simple'), ['SuccessfulCreate: Created pod: simple-*****', 'Completed: Job completed'])
  })

  test('runs as many Pods at a time as it may', async () => {
    await create('three', { completions: 3, parallelism: 2 })
    assert.equal((await jobs().get('three')).status.active, 2)
    await cluster.pass(2000)
    const { status } = await jobs().get('three')
    assert.deepEqual([status.active, status.succeeded], [1, 2])
    await cluster.pass(3000)
    assert.equal((await jobs().get('three')).status.succeeded, 3)
    assert.equal((await podsOf('three')).length, 3)
  })

  test('waits longer after each failure, and fails at its limit', async () => {
    await create('failing', { backoffLimit: 2 }, failing)
    await cluster.pass(10_000)
    assert.equal((await podsOf('failing')).length, 1)
    await cluster.pass(2000)
    assert.equal((await podsOf('failing')).length, 2, 'ten seconds after the first failure')
    await cluster.pass(19_000)
    assert.equal((await podsOf('failing')).length, 2)
    await cluster.pass(7000)
    assert.equal((await podsOf('failing')).length, 3, 'twenty seconds after the second')
    const job = await jobs().get('failing')
    const exceeded = 'BackoffLimitExceeded: Job has reached the specified backoff limit'
    assert.deepEqual(conditions(job), [`FailureTarget=True ${exceeded}`, `Failed=True ${exceeded}`])
    assert.equal(job.status.failed, 3)
    assert.equal((await eventsOf('failing')).at(-1), exceeded)
  })

  test('counts restarts of containers where they are restarted', async () => {
    await create('restarting', { backoffLimit: 1 }, failing, 'OnFailure')
    await cluster.pass(5000)
    const job = await jobs().get('restarting')
    assert.match(conditions(job)!.at(-1)!, /^Failed=True BackoffLimitExceeded/)
    assert.equal(job.status.failed, 1)
    assert.match((await eventsOf('restarting')).join(), /SuccessfulDelete: Deleted pod: restarting-\*{5}/)
  })

  test('numbers the Pods of an indexed Job', async () => {
    await create('indexed', { completions: 3, parallelism: 3, completionMode: 'Indexed' })
    const found = (await podsOf('indexed')).sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1))
    for (const [index, pod] of found.entries()) {
      assert.match(pod.metadata.name!, new RegExp(`^indexed-${index}-.....$`))
      assert.equal(pod.spec.hostname, `indexed-${index}`)
      for (const map of [pod.metadata.labels, pod.metadata.annotations])
        assert.equal(map?.['batch.kubernetes.io/job-completion-index'], String(index))
      const fieldPath = "metadata.labels['batch.kubernetes.io/job-completion-index']"
      const env = [{ name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } }]
      assert.deepEqual(pod.spec.containers?.[0]?.env, env)
    }
    assert.equal(found.length, 3)
    await cluster.pass(3000)
    assert.equal((await jobs().get('indexed')).status.completedIndexes, '0-2')
  })

  test('has a limit for each index, and hands counts on from Pod to Pod', async () => {
    const spec = { completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 1 }
    await create('per-index', spec, failing)
    await cluster.pass(17_000)
    const job = await jobs().get('per-index')
    assert.deepEqual([job.status.failedIndexes, job.status.failed], ['0,1', 4])
    assert.match(conditions(job)!.at(-1)!, /^Failed=True FailedIndexes: Job has failed indexes/)
    const counts = (await podsOf('per-index')).map(
      ({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-index-failure-count']
    )
    assert.deepEqual(counts.sort(), ['0', '0', '1', '1'])
  })

  test('fails when too many indexes have failed', async () => {
    const spec = { completions: 4, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 0, maxFailedIndexes: 1 }
    await create('max-failed', spec, failing)
    await cluster.pass(4000)
    const job = await jobs().get('max-failed')
    assert.equal(job.status.failedIndexes, '0,1', 'Pods that fail together are counted together')
    const text = 'MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes'
    assert.equal(conditions(job)!.at(-1), `Failed=True ${text}`)
  })

  test('follows its Pod failure policy', async () => {
    const onExitCodes = { operator: 'In', values: [3] }
    await create('fail-job', { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } }, failing)
    await create('ignore', { backoffLimit: 0, podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes }] } }, failing)
    await cluster.pass(3000)
    const [pod] = await podsOf('fail-job')
    const message = `Container main for pod default/${pod?.metadata.name} failed with exit code 3 matching FailJob rule at index 0`
    assert.equal(conditions(await jobs().get('fail-job'))!.at(-1), `Failed=True PodFailurePolicy: ${message}`)
    const ignored = await jobs().get('ignore')
    assert.deepEqual([ignored.status.failed, ignored.status.conditions], [undefined, undefined])
    await jobs().delete('ignore', { propagationPolicy: 'Background' })
  })

  test('succeeds early by its success policy, and ends what still runs', async () => {
    const spec = { completions: 3, parallelism: 3, completionMode: 'Indexed', successPolicy: { rules: [{ succeededCount: 1 }] } }
    await create('early', spec, forEver)
    const [first] = await podsOf('early')
    const running = first!.status.containerStatuses![0]!
    const state = { terminated: { exitCode: 0, startedAt: null, finishedAt: null } }
    const status = { ...first!.status, phase: 'Succeeded', containerStatuses: [{ ...running, ready: false, state }] }
    await pods()
      .subresource('status')
      .update(first!, { ...first!, status } as Draft<typeof first & {}>)
    await cluster.pass(4000)
    const job = await jobs().get('early')
    assert.equal(conditions(job)!.at(-1), 'Complete=True SuccessPolicy: Matched rules at index 0')
    assert.deepEqual([job.status.succeeded, job.status.active, job.status.failed], [1, undefined, undefined])
    assert.equal((await podsOf('early')).length, 1)
  })

  test('is suspended and resumed', async () => {
    await create('paused', { suspend: true }, forEver)
    assert.deepEqual(conditions(await jobs().get('paused')), ['Suspended=True JobSuspended: Job suspended'])
    assert.equal((await jobs().get('paused')).status.startTime, undefined)
    await jobs().patch('paused', { spec: { suspend: false } })
    await cluster.settle()
    const resumed = await jobs().get('paused')
    assert.deepEqual(conditions(resumed), ['Suspended=False JobResumed: Job resumed'])
    assert.equal(resumed.status.active, 1)
    await jobs().patch('paused', { spec: { suspend: true } })
    await cluster.pass(2000)
    const suspended = await jobs().get('paused')
    assert.deepEqual(
      [suspended.status.active, suspended.status.failed, suspended.status.startTime],
      [undefined, undefined, undefined]
    )
    assert.deepEqual(await podsOf('paused'), [])
    assert.deepEqual((await eventsOf('paused')).toSorted(), [
      'Resumed: Job resumed',
      'SuccessfulCreate: Created pod: paused-*****',
      'SuccessfulDelete: Deleted pod: paused-*****',
      'Suspended: Job suspended (2)'
    ])
  })

  test('has a deadline', async () => {
    await create('late', { activeDeadlineSeconds: 5 }, forEver)
    await cluster.pass(4000)
    assert.equal((await jobs().get('late')).status.active, 1)
    await cluster.pass(4000)
    const job = await jobs().get('late')
    assert.equal(conditions(job)!.at(-1), 'Failed=True DeadlineExceeded: Job was active longer than specified deadline')
    assert.deepEqual([job.status.failed, job.status.terminating, job.status.active], [1, 0, undefined])
  })

  test('waits for the end of a Pod before it replaces it, where it is told so', async () => {
    const slow = { ...forEver, [`${domain}/stops-after`]: '5s' }
    await create('patient', { podReplacementPolicy: 'Failed' }, slow)
    const [pod] = await podsOf('patient')
    await pods().delete(pod!)
    await cluster.pass(2000)
    const { status } = await jobs().get('patient')
    assert.deepEqual([status.active, status.terminating, status.failed], [undefined, 1, undefined])
    await cluster.pass(18_000)
    const later = await jobs().get('patient')
    assert.deepEqual([later.status.active, later.status.terminating, later.status.failed], [1, 0, 1])
  })

  test('is left alone where another controller manages it', async () => {
    await create('foreign', { managedBy: 'example.com/queue' })
    assert.deepEqual([await podsOf('foreign'), (await jobs().get('foreign')).status], [[], {}])
  })

  test('takes its Pods along when it is deleted, and frees those that it leaves', async () => {
    for (const name of ['gone', 'left']) await create(name, {}, forEver)
    await jobs().delete('gone', { propagationPolicy: 'Background' })
    await jobs().delete('left', { propagationPolicy: 'Orphan' })
    await cluster.pass(2000)
    assert.deepEqual(await podsOf('gone'), [])
    const [left] = await podsOf('left')
    assert.deepEqual([left?.metadata.ownerReferences, left?.metadata.finalizers], [undefined, undefined])
  })

  test('scales its Pods down with its parallelism, and counts none of them as failed', async () => {
    await create('smaller', { completions: 3, parallelism: 3 }, forEver)
    await jobs().patch('smaller', { spec: { parallelism: 1 } })
    await cluster.pass(1000)
    const { status } = await jobs().get('smaller')
    assert.deepEqual([status.active, status.failed, (await podsOf('smaller')).length], [1, undefined, 1])
  })
})
