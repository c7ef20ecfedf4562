/** Rolls out Deployments: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/ */
import type { Deployment, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { type LabelSelector, labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import type { Draft, Informer } from '../../../client/stored-types.js'
import type { Part } from '../../../util/part.js'
import type { ClusterContext } from '../../simulation/cluster-context.js'
import { candidates, claim, controllerOf, keyOf, namedBy } from '../owners.js'
import { hasEnded } from '../pods.js'
import { Rollout, type RolloutNeeds } from './rollout.js'

export function deploymentController(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf('deployment-controller')
  const deployments: Informer<Deployment> = informers.of('apps/v1', 'Deployment')
  const replicaSets: Informer<ReplicaSet> = informers.of('apps/v1', 'ReplicaSet')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const events = context.recorder('deployment-controller', client)
  const setsOf = candidates(replicaSets)
  const podsOf = pods.index(pod => [controllerOf(pod)?.uid ?? ''])
  const inNamespace = deployments.index(({ metadata }) => [metadata.namespace!])
  const needs: RolloutNeeds = {
    deployments: client.of('apps/v1', 'Deployment'),
    replicaSets: client.of('apps/v1', 'ReplicaSet'),
    informers: { deployments, replicaSets },
    events,
    clock,
    podsOf: set => podsOf(set.metadata.uid!)
  }

  const queue = context.queue({ name: 'deployment', workers: 5, reconcile })
  for (const event of ['add', 'update', 'delete'] as const) {
    deployments.on(event as 'add', deployment => queue.enqueue(keyOf(deployment)))
    replicaSets.on(event as 'add', setChanged)
  }
  replicaSets.on('update', (set, old) => {
    if (controllerOf(old)?.uid !== controllerOf(set)?.uid) setChanged(old)
  })
  // Recreate waits for the last of the old Pods
  pods.on('delete', podGone)
  pods.on('update', (pod, old) => hasEnded(pod.status.phase) && !hasEnded(old.status.phase) && podGone(pod))
  return queue

  function setChanged(set: ReplicaSet): void {
    const owner = controllerOf(set)
    if (owner?.kind === 'Deployment') return queue.enqueue(`${set.metadata.namespace}/${owner.name}`)
    if (owner) return
    for (const deployment of inNamespace(set.metadata.namespace!)) if (selects(deployment, set)) queue.enqueue(keyOf(deployment))
  }

  function podGone(pod: Pod): void {
    const owner = controllerOf(pod)
    if (owner?.kind !== 'ReplicaSet') return
    const set = replicaSets.get({ metadata: { name: owner.name, namespace: pod.metadata.namespace } })
    const deployment = set && controllerOf(set)
    if (deployment?.kind === 'Deployment') queue.enqueue(`${pod.metadata.namespace}/${deployment.name}`)
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const deployment = deployments.get(namedBy(key))
    if (!deployment) return undefined
    const { selector } = deployment.spec
    if (Object.keys(selector ?? {}).length === 0) {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.'
      events.warning(deployment, 'SelectingAll', message)
      const { generation } = deployment.metadata
      if ((deployment.status.observedGeneration ?? 0) >= (generation ?? 0)) return undefined
      const next = { ...deployment, status: { ...deployment.status, observedGeneration: generation } }
      deployments.learn(await needs.deployments.subresource('status').update(next, next as Draft<Deployment>))
      return undefined
    }
    const sets = await claim(setsOf(deployment), {
      owner: deployment,
      matches: set => selects(deployment, set),
      client: needs.replicaSets,
      informer: replicaSets,
      fresh: () => needs.deployments.find(deployment)
    })
    return new Rollout(needs, deployment, sets).run()
  }
}

const selects = ({ spec }: Deployment, { metadata }: ReplicaSet) =>
  labelSelectorMatcher(spec.selector as LabelSelector)(metadata.labels ?? {})
