/** Runs Jobs: https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
import type { Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { type LabelSelector, labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import type { Informer } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { candidates, claim, controllerOf, keyOf, namedBy } from '../owners.js'
import { PodControl } from '../pod-control.js'
import { isFinished } from './conditions.js'
import { isTracked, trackingFinalizer } from './job-pods.js'
import { type JobNeeds, JobSync } from './job-sync.js'
import { PodTracking } from './pod-tracking.js'

const name = 'job-controller'
/** What a Job that this controller runs may say in `managedBy`. */
const managedHere = `kubernetes.io/${name}`

/**
 * What becomes of Pods within this time is looked at in one go, as in kube-controller-manager: of Pods that fail together, none is replaced
 * before the others count.
 */
const batchMs = 1000

export function jobController(context: ClusterContext): Part[] {
  const { informers, clock } = context
  const client = context.clientOf(name)
  const jobs: Informer<Job> = informers.of('batch/v1', 'Job')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const events = context.recorder(name, client)
  const podControl = new PodControl(client, pods, events)
  const tracking = new PodTracking(podControl.client, pods)
  const podsOf = candidates(pods)
  const inNamespace = jobs.index(({ metadata }) => [metadata.namespace!])
  const needs: JobNeeds = {
    jobs: client.of('batch/v1', 'Job'),
    informer: jobs,
    podControl,
    tracking,
    events,
    clock,
    failures: new Map()
  }

  const queue = context.queue({ name: 'job', workers: 5, reconcile })
  /** Pods that no Job counts any more. */
  const orphans = context.queue({ name: 'job_orphan_pod', workers: 5, reconcile: releaseOrphan })
  jobs.on('add', job => queue.enqueue(keyOf(job)))
  jobs.on('update', (job, old) => {
    if (isFinished(job)) forget(job)
    else if (job.metadata.generation === old.metadata.generation) queue.enqueueAfter(keyOf(job), batchMs)
    else queue.enqueue(keyOf(job))
  })
  jobs.on('delete', job => {
    queue.enqueue(keyOf(job))
    forget(job)
  })
  for (const event of ['add', 'update', 'delete'] as const) pods.on(event as 'add', podChanged)
  pods.on('update', (pod, old) => {
    if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) podChanged(old)
  })
  return [queue, orphans]

  function forget(job: Job): void {
    needs.failures.delete(job.metadata.uid!)
    for (const pod of podsOf(job)) if (isTracked(pod)) orphans.enqueue(keyOf(pod))
  }

  function jobOf(pod: Pod): Job | undefined {
    const owner = controllerOf(pod)
    if (owner?.kind !== 'Job') return undefined
    const job = jobs.get({ metadata: { name: owner.name, namespace: pod.metadata.namespace } })
    return job?.metadata.uid === owner.uid ? job : undefined
  }

  function podChanged(pod: Pod): void {
    const job = jobOf(pod)
    if (job) queue.enqueueAfter(keyOf(job), batchMs)
    const owner = controllerOf(pod)
    const isUnwatched = owner ? !!pod.metadata.deletionTimestamp && (!job || isFinished(job)) : true
    if (isUnwatched && isTracked(pod)) orphans.enqueue(keyOf(pod))
    if (owner) return
    for (const one of inNamespace(pod.metadata.namespace!)) if (selects(one, pod)) queue.enqueueAfter(keyOf(one), batchMs)
  }

  async function releaseOrphan(key: string): Promise<void> {
    const pod = pods.get(namedBy(key))
    if (!pod) return
    const owner = controllerOf(pod)
    if (owner) {
      if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return
      const job = jobOf(pod)
      if (job && (isManagedElsewhere(job) || !isFinished(job))) return
    }
    await tracking.release(pod)
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const job = jobs.get(namedBy(key))
    if (!job || isManagedElsewhere(job) || isFinished(job)) return undefined
    const claimed = await claim(podsOf(job), {
      owner: job,
      matches: pod => selects(job, pod),
      client: podControl.client,
      informer: pods,
      fresh: () => needs.jobs.find(job),
      finalizers: [trackingFinalizer]
    })
    const uids = new Set(claimed.map(({ metadata }) => metadata.uid))
    // as they are now: what has been learned of them belongs to this state
    const present = podsOf(job).filter(({ metadata }) => uids.has(metadata.uid))
    return new JobSync(needs, job, present).run()
  }
}

const selects = ({ spec }: Job, { metadata }: Pod) => labelSelectorMatcher(spec.selector as LabelSelector)(metadata.labels ?? {})

const isManagedElsewhere = ({ spec }: Job) => spec.managedBy !== undefined && spec.managedBy !== managedHere
