/** Deletes Jobs some time after they have finished: https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/ */
import type { Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Informer } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { conditionOf } from '../job/conditions.js'
import { keyOf, namedBy } from '../owners.js'

export function ttlAfterFinishedController(context: ClusterContext): Part {
  const jobs = context.clientOf('ttl-after-finished-controller').of('batch/v1', 'Job')
  const informer: Informer<Job> = context.informers.of('batch/v1', 'Job')
  const queue = context.queue({ name: 'ttl_jobs_to_delete', workers: 5, reconcile })
  const changed = (job: Job) => expiryOf(job) !== undefined && queue.enqueue(keyOf(job))
  informer.on('add', changed)
  informer.on('update', changed)
  return queue

  async function reconcile(key: string): Promise<number | undefined> {
    const known = informer.get(namedBy(key))
    const wait = known && untilExpiry(known)
    if (wait === undefined || wait > 0) return wait
    // the time may have been changed meanwhile
    const job = await jobs.find(namedBy(key))
    const left = job && untilExpiry(job)
    if (left === undefined || left > 0) return left
    await jobs.delete(job!, { propagationPolicy: 'Foreground', preconditions: { uid: job!.metadata.uid } })
    return undefined
  }

  function untilExpiry(job: Job): number | undefined {
    const expiry = expiryOf(job)
    return expiry === undefined ? undefined : Math.max(0, expiry - context.clock.now())
  }
}

/** When the Job is to be deleted; undefined for one that stays. */
function expiryOf({ metadata, spec, status }: Job): number | undefined {
  if (metadata.deletionTimestamp || spec.ttlSecondsAfterFinished === undefined) return undefined
  const finished = ['Complete', 'Failed'].map(type => conditionOf(status, type)).find(one => one?.status === 'True')
  return finished?.lastTransitionTime ? Date.parse(finished.lastTransitionTime) + spec.ttlSecondsAfterFinished * 1000 : undefined
}
