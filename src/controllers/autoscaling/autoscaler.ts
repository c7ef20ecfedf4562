/** Scales workloads by their metrics: https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/ */
import type { HorizontalPodAutoscaler } from '../../apimachinery/api/generated/autoscaling-v2.js'
import type { Namespace, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { ScaleHistory } from './history.js'
import { usageFrom } from './metrics.js'
import { type Memory, Scaling, type ScalingNeeds } from './scaling.js'

/** Each autoscaler is looked at so often, and at once when it is new or asks for something else. */
const syncMs = 15_000

export function horizontalPodAutoscaler(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf('horizontal-pod-autoscaler')
  const autoscalers: Informer<HorizontalPodAutoscaler & KubeObject> = informers.of('autoscaling/v2', 'HorizontalPodAutoscaler')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const namespaces: Informer<Namespace> = informers.of('v1', 'Namespace')
  const podsIn = pods.index(({ metadata }) => [metadata.namespace!])
  const inNamespace = autoscalers.index(({ metadata }) => [metadata.namespace!])
  /** By uid. */
  const memories = new Map<string, Memory>()
  const needs: ScalingNeeds = {
    client,
    clock,
    events: context.recorder('horizontal-pod-autoscaler', client),
    learn: autoscaler => autoscalers.learn(autoscaler),
    podsIn,
    usageOf: usageFrom(context.behavior),
    namespace: name => namespaces.get(name),
    selectorsIn: namespace =>
      inNamespace(namespace).flatMap(one => {
        const selects = memories.get(one.metadata.uid!)?.selects
        return selects ? [{ key: keyOf(one), selects }] : []
      })
  }

  const queue = context.queue({ name: 'horizontalpodautoscaler', workers: 5, reconcile })
  autoscalers.on('add', autoscaler => queue.enqueue(keyOf(autoscaler)))
  autoscalers.on('update', (autoscaler, old) => {
    if (autoscaler.metadata.generation !== old.metadata.generation) queue.enqueue(keyOf(autoscaler))
  })
  autoscalers.on('delete', ({ metadata }) => memories.delete(metadata.uid!))
  return queue

  async function reconcile(key: string): Promise<number | undefined> {
    const autoscaler = autoscalers.get(namedBy(key))
    if (!autoscaler) return undefined
    const uid = autoscaler.metadata.uid!
    const memory = memories.get(uid) ?? { history: new ScaleHistory() }
    memories.set(uid, memory)
    await new Scaling(needs, autoscaler, memory).run()
    return syncMs
  }
}
