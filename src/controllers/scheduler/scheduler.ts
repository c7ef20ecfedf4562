/** Binds Pods to Nodes: https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/ */
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { Informer } from '../../client/types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { requiredNodes } from './node-selector.js'

export function scheduler(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientAs('system:kube-scheduler', 'kube-scheduler')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const queue = context.queue({ name: 'scheduler', workers: 1, reconcile })
  const changed = (pod: Pod) => !pod.spec.nodeName && queue.enqueue(keyOf(pod))
  pods.on('add', changed)
  pods.on('update', changed)
  nodes.on('add', () => {
    for (const pod of onNode('')) changed(pod)
  })
  return queue

  async function reconcile(key: string): Promise<undefined> {
    const pod = pods.get(namedBy(key))
    if (!pod || pod.spec.nodeName) return
    const matches = requiredNodes(pod)
    const fits = ({ metadata }: Node) => matches({ name: metadata.name!, labels: metadata.labels ?? {} })
    const [node] = nodes
      .list()
      .filter(fits)
      .sort((a, b) => onNode(a.metadata.name!).length - onNode(b.metadata.name!).length)
    if (!node) return
    const { name, namespace } = pod.metadata
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { kind: 'Node', name: node.metadata.name }
    }
    await client
      .of('v1', 'Pod')
      .subresource('binding')
      .create(pod, binding as never)
  }
}
