/** Tells kubelets by an annotation for how many seconds they may keep Secrets and ConfigMaps: the longer, the larger the cluster. */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'

export const ttlAnnotation = 'node.alpha.kubernetes.io/ttl'

/** The steps overlap, so that a cluster that grows and shrinks a little stays on its step. */
const steps = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: Number.POSITIVE_INFINITY, seconds: 300 }
] as const

/** The step for so many Nodes, when the present step is this one. */
export function stepFor(count: number, present: number): number {
  let step = present
  while (count > steps[step]!.most) step++
  while (count < steps[step]!.least) step--
  return step
}

export function ttlController(context: ClusterContext): Part {
  const client = context.clientOf('ttl-controller')
  const nodes: Informer<Node & KubeObject> = context.informers.of('v1', 'Node')
  let count = 0
  let step = 0
  const queue = context.queue({ name: 'ttlcontroller', workers: 5, reconcile })
  const counted = (change: number) => {
    count += change
    step = stepFor(count, step)
  }
  nodes.on('add', ({ metadata }) => {
    counted(1)
    queue.enqueue(metadata.name!)
  })
  nodes.on('delete', () => counted(-1))
  nodes.on('update', ({ metadata }) => queue.enqueue(metadata.name!))
  return queue

  async function reconcile(name: string): Promise<void> {
    const node = nodes.get(name)
    const seconds = String(steps[step]!.seconds)
    if (!node || node.metadata.annotations?.[ttlAnnotation] === seconds) return
    const patch = { metadata: { annotations: { [ttlAnnotation]: seconds } } }
    nodes.learn(await client.of('v1', 'Node').patch(name, patch, { type: 'strategic' }))
  }
}
