/** Runs DaemonSets: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/ */
import { isDeepStrictEqual } from 'node:util'
import type { DaemonSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Node, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { type LabelSelector, labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import type { Informer } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { ControllerHistory } from '../controller-history.js'
import { candidates, claim, controllerOf, isControlledBy, keyOf, namedBy } from '../owners.js'
import { PodControl } from '../pod-control.js'
import { type DaemonNeeds, DaemonSync } from './daemon-sync.js'
import { FailedPods } from './failed-pods.js'

const name = 'daemonset-controller'

export function daemonSetController(context: ClusterContext): Part {
  const { informers, clock } = context
  // its ServiceAccount is not named like its Events
  const client = context.clientOf('daemon-set-controller')
  const informer: Informer<DaemonSet> = informers.of('apps/v1', 'DaemonSet')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const events = context.recorder(name, client)
  const podControl = new PodControl(client, pods, events)
  const podsOf = candidates(pods)
  const inNamespace = informer.index(({ metadata }) => [metadata.namespace!])
  const needs: DaemonNeeds = {
    sets: client.of('apps/v1', 'DaemonSet'),
    informer,
    podControl,
    history: new ControllerHistory(client, context),
    events,
    clock,
    failed: new FailedPods(),
    podsOf: set => podsOf(set).filter(pod => isControlledBy(pod, set))
  }

  const queue = context.queue({ name: 'daemonset', workers: 2, reconcile })
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event as 'add', set => queue.enqueue(keyOf(set)))
    pods.on(event as 'add', podChanged)
  }
  pods.on('update', (pod, old) => {
    if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) podChanged(old)
  })
  nodes.on('add', enqueueAll)
  nodes.on('delete', enqueueAll)
  nodes.on('update', (node, old) => {
    const isSame =
      isDeepStrictEqual(node.metadata.labels, old.metadata.labels) && isDeepStrictEqual(node.spec.taints, old.spec.taints)
    if (!isSame) enqueueAll()
  })
  return queue

  function enqueueAll(): void {
    for (const set of informer.list()) queue.enqueue(keyOf(set))
  }

  function podChanged(pod: Pod): void {
    const owner = controllerOf(pod)
    if (owner?.kind === 'DaemonSet') queue.enqueue(`${pod.metadata.namespace}/${owner.name}`)
    if (owner) return
    for (const set of inNamespace(pod.metadata.namespace!)) if (selectorOf(set)(pod.metadata.labels)) queue.enqueue(keyOf(set))
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const set = informer.get(namedBy(key))
    if (!set) return undefined
    if (Object.keys(set.spec.selector ?? {}).length === 0) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.'
      events.warning(set, 'SelectingAll', message)
      return undefined
    }
    if (set.metadata.deletionTimestamp) return undefined
    const selects = selectorOf(set)
    const fresh = () => needs.sets.find(set)
    const matches = ({ metadata }: { metadata: { labels?: Record<string, string> | undefined } }) => selects(metadata.labels)
    const revisions = await needs.history.list(set, matches, fresh)
    await claim(podsOf(set), { owner: set, matches, client: podControl.client, informer: pods, fresh })
    return new DaemonSync(needs, set, nodes.list()).run(revisions)
  }
}

function selectorOf({ spec }: DaemonSet): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  const matcher = labelSelectorMatcher(spec.selector as LabelSelector)
  return labels => matcher(labels ?? {})
}
