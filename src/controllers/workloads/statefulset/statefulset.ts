/** Runs StatefulSets: https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/ */
import type { PersistentVolumeClaim, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { type LabelSelector, labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import type { Informer, ResourceClient } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { ControllerHistory } from '../controller-history.js'
import { candidates, claim, controllerOf, keyOf, namedBy } from '../owners.js'
import { PodControl } from '../pod-control.js'
import { type SetNeeds, SetSync } from './set-sync.js'
import { StatefulPodControl } from './stateful-pod-control.js'
import { isMember, type Stateful as StatefulSet } from './stateful-pods.js'

const name = 'statefulset-controller'

export function statefulSetController(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf(name)
  const sets = client.of('apps/v1', 'StatefulSet') as ResourceClient<StatefulSet>
  const informer = informers.of('apps/v1', 'StatefulSet') as Informer<StatefulSet>
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const claims: Informer<PersistentVolumeClaim> = informers.of('v1', 'PersistentVolumeClaim')
  const events = context.recorder(name, client)
  const podControl = new PodControl(client, pods, events)
  const podsOf = candidates(pods)
  const inNamespace = informer.index(({ metadata }) => [metadata.namespace!])
  const control = new StatefulPodControl(podControl, client, { pods, claims }, events)
  const needs: SetNeeds = { sets, informer, control, history: new ControllerHistory(client, context), clock }

  const queue = context.queue({ name: 'statefulset', workers: 5, reconcile })
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event as 'add', set => queue.enqueue(keyOf(set)))
    pods.on(event as 'add', podChanged)
  }
  pods.on('update', (pod, old) => {
    if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) podChanged(old)
  })
  return queue

  function podChanged(pod: Pod): void {
    const owner = controllerOf(pod)
    if (owner?.kind === 'StatefulSet') queue.enqueue(`${pod.metadata.namespace}/${owner.name}`)
    if (owner) return
    for (const set of inNamespace(pod.metadata.namespace!)) if (selectorOf(set)(pod.metadata.labels)) queue.enqueue(keyOf(set))
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const set = informer.get(namedBy(key))
    if (!set) return undefined
    const selects = selectorOf(set)
    const fresh = () => sets.find(set)
    const revisions = await needs.history.list(set, ({ metadata }) => selects(metadata.labels), fresh)
    const claimed = await claim(podsOf(set), {
      owner: set,
      matches: pod => selects(pod.metadata.labels) && isMember(set, pod),
      client: podControl.client,
      informer: pods,
      fresh
    })
    const uids = new Set(claimed.map(({ metadata }) => metadata.uid))
    const present = podsOf(set).filter(({ metadata }) => uids.has(metadata.uid))
    return new SetSync(needs, set, present, revisions).run()
  }
}

function selectorOf({ spec }: StatefulSet): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  const matcher = labelSelectorMatcher(spec.selector as LabelSelector)
  return labels => matcher(labels ?? {})
}
