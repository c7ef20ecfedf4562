/** Gives each Node a range for the addresses of its Pods. */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { nodeReference } from './node-lifecycle.js'
import { mostRanges, podRange } from './pod-range.js'

export function nodeIpamController(context: ClusterContext): Part {
  const client = context.clientOf('node-controller')
  const events = context.recorder('cidrAllocator', client)
  const nodes: Informer<Node & KubeObject> = context.informers.of('v1', 'Node')
  const withRange = nodes.index(({ spec }) => (spec.podCIDR ? [spec.podCIDR] : []))
  /** The number of the range that is looked at next: one that has become free is not given away again soon. */
  let next = 0
  const queue = context.queue({ name: 'cidrallocator_node', workers: 1, reconcile })
  for (const event of ['add', 'update'] as const)
    nodes.on(event as 'add', ({ metadata, spec }) => spec.podCIDR || queue.enqueue(metadata.name!))
  return queue

  async function reconcile(name: string): Promise<void> {
    const node = nodes.get(name)
    if (!node || node.metadata.deletionTimestamp || node.spec.podCIDR) return
    const range = freeRange()
    if (!range) {
      const about = nodeReference(name, node.metadata.uid)
      events.normal(about, 'CIDRNotAvailable', `Node ${name} status is now: CIDRNotAvailable`)
      throw new Error(
        'failed to allocate cidr from cluster cidr at idx:0: CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range'
      )
    }
    const patch = { spec: { podCIDR: range, podCIDRs: [range] } } as Draft<Node & KubeObject>
    nodes.learn(await client.of('v1', 'Node').patch(name, patch, { type: 'strategic' }))
  }

  function freeRange(): string | undefined {
    for (let tries = 0; tries < mostRanges; tries++) {
      const range = podRange(next)
      next = (next + 1) % mostRanges
      if (withRange(range).length === 0) return range
    }
    return undefined
  }
}
