/**
 * Keeps as many Pods as a ReplicaSet or a ReplicationController asks for:
 * https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/
 */
import type { ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod, ReplicationController } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { type LabelSelector, labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { Informer, ResourceClient } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { candidates, claim, controllerOf, keyOf, namedBy } from '../owners.js'
import { isNamespaceTerminating, PodControl, podOf, slowStart } from '../pod-control.js'
import { byDispensability, isActive, isTerminating, untilAvailable } from '../pods.js'
import { type SetFailure, statusOf } from './status.js'

type Set = (ReplicaSet | ReplicationController) & KubeObject

/** What differs between the two kinds. */
interface SetKind {
  readonly apiVersion: 'apps/v1' | 'v1'
  readonly kind: 'ReplicaSet' | 'ReplicationController'
  /** The name of the controller's ServiceAccount, of its queue, and in the source of its Events. */
  readonly name: 'replicaset-controller' | 'replication-controller'
  readonly queue: 'replicaset' | 'replicationmanager'
}

export const replicaSetController = (context: ClusterContext): Part =>
  setController(context, { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'replicaset-controller', queue: 'replicaset' })

export const replicationController = (context: ClusterContext): Part =>
  setController(context, {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    name: 'replication-controller',
    queue: 'replicationmanager'
  })

/** The most Pods that are created or deleted in one go. */
const burst = 500

const selectorOf = ({ spec }: Set): LabelSelector | undefined => {
  const selector = spec.selector as LabelSelector | Record<string, string> | undefined
  return selector && ('matchLabels' in selector || 'matchExpressions' in selector)
    ? selector
    : { matchLabels: selector as Record<string, string> }
}

function setController(context: ClusterContext, { apiVersion, kind, name, queue: queueName }: SetKind): Part {
  const { informers, clock } = context
  const client = context.clientOf(name)
  const sets = client.of(apiVersion, kind) as ResourceClient<Set>
  const informer = informers.of(apiVersion, kind) as Informer<Set>
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const podControl = new PodControl(client, pods, context.recorder(name, client))
  const podsOf = candidates(pods)
  const siblingsOf = informer.index(set => [controllerOf(set)?.uid ?? ''])
  const inNamespace = informer.index(set => [set.metadata.namespace!])

  const queue = context.queue({ name: queueName, workers: 5, reconcile })
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event as 'add', set => queue.enqueue(keyOf(set)))
    pods.on(event as 'add', podChanged)
  }
  pods.on('update', (pod, old) => {
    // the former owner has lost a Pod
    if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) podChanged(old)
  })
  return queue

  function podChanged(pod: Pod): void {
    const owner = controllerOf(pod)
    if (owner) {
      if (owner.kind === kind) queue.enqueue(`${pod.metadata.namespace}/${owner.name}`)
      return
    }
    for (const set of inNamespace(pod.metadata.namespace!))
      if (labelSelectorMatcher(selectorOf(set))(pod.metadata.labels ?? {})) queue.enqueue(keyOf(set))
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const set = informer.get(namedBy(key))
    if (!set) return undefined
    const matcher = labelSelectorMatcher(selectorOf(set))
    const matches = (pod: Pod) => matcher(pod.metadata.labels ?? {})
    const all = podsOf(set).filter(podControl.isThere)
    let active: readonly Pod[] = await claim(all.filter(isActive), {
      owner: set,
      matches,
      client: podControl.client,
      informer: pods,
      fresh: () => sets.find(set)
    })
    let failure: SetFailure | undefined
    if (!set.metadata.deletionTimestamp)
      try {
        await manage(set, active)
      } catch (error) {
        const reason = active.length < (set.spec.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete'
        if (!isNamespaceTerminating(error)) failure = { error, reason }
      }
    const mine = podsOf(set).filter(pod => controllerOf(pod)?.uid === set.metadata.uid && matches(pod))
    active = mine.filter(pod => isActive(pod) && podControl.isThere(pod))
    const terminating = mine.filter(pod => isTerminating(pod) || (isActive(pod) && !podControl.isThere(pod)))
    const counts = { active, terminating: kind === 'ReplicaSet' ? terminating : undefined }
    await writeStatus(set, counts, failure)
    if (failure) throw failure.error
    const { minReadySeconds = 0 } = set.spec
    return untilAvailable(active, minReadySeconds, clock.now())
  }

  /** Creates or deletes Pods, until there are as many as there should be. */
  async function manage(set: Set, active: readonly Pod[]): Promise<void> {
    const surplus = active.length - (set.spec.replicas ?? 1)
    const count = Math.min(burst, Math.abs(surplus))
    if (surplus < 0) await slowStart(count, () => podControl.create(podOf(set.spec.template!, set), set))
    if (surplus > 0) {
      const results = await Promise.allSettled(dispensable(set, active, count).map(pod => podControl.delete(pod, set)))
      const failed = results.find(result => result.status === 'rejected')
      if (failed) throw failed.reason
    }
  }

  /** The Pods to delete: with those of other sets of the same owner in view, so that a Node keeps no crowd. */
  function dispensable(set: Set, active: readonly Pod[], count: number): readonly Pod[] {
    if (count >= active.length) return active
    const owner = controllerOf(set)
    const siblings = owner ? siblingsOf(owner.uid) : [set]
    const onNode = new Map<string, number>()
    for (const sibling of siblings)
      for (const pod of podsOf(sibling))
        if (isActive(pod)) {
          const node = pod.spec.nodeName ?? ''
          onNode.set(node, (onNode.get(node) ?? 0) + 1)
        }
    const rank = (pod: Pod) => onNode.get(pod.spec.nodeName ?? '') ?? 0
    return active.toSorted(byDispensability(rank, clock.now())).slice(0, count)
  }

  /** Writes the status, also when another write came first. */
  async function writeStatus(
    set: Set,
    counts: { active: readonly Pod[]; terminating: readonly Pod[] | undefined },
    failure: SetFailure | undefined
  ): Promise<void> {
    const status = statusOf(set, counts, failure, clock.now())
    if (!status) return
    const write = async (present: Set) =>
      informer.learn((await sets.subresource('status').update(present, { ...present, status } as Set)) as Set)
    try {
      await write(set)
    } catch (error) {
      if (!(error instanceof StatusError) || (error.code !== 409 && error.code !== 404)) throw error
      const present = await sets.find(set)
      if (present) await write(present)
    }
  }
}
