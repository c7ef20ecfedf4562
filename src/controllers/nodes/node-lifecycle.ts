/** Watches over Nodes: taints them as their conditions say, and gives up those that have fallen silent. */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { Node, NodeCondition, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { timestamp } from '../../util/time.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { podCondition } from '../workloads/pods.js'
import { NodeHealth, readyOf, unknownConditions } from './node-health.js'
import { executionTaint, hasTaint, notReady, schedulingTaints, taintChanger, unreachable } from './taints.js'
import { Zones, zoneOf } from './zones.js'

/** --node-monitor-period. */
const monitorMs = 5000
/** Keys of the queue, beside the names of Nodes and, with their namespace, of Pods. */
const monitorKey = '(monitor)'
const taintKey = '(taint)'

const excluded = 'node.kubernetes.io/exclude-disruption'
/** The labels that Nodes once had, with those that count now. */
const formerLabels = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch']
] as const

/** A Node as its Events name it. */
export const nodeReference = (name: string, uid: string | undefined) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid }
})

type KnownNode = Node & KubeObject

export function nodeLifecycleController(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf('node-controller')
  const events = context.recorder('node-controller', client)
  const nodes: Informer<KnownNode> = informers.of('v1', 'Node')
  const pods: Informer<Pod & KubeObject> = informers.of('v1', 'Pod')
  const leases: Informer<Lease> = informers.of('coordination.k8s.io/v1', 'Lease')
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const swap = taintChanger(client, nodes, clock)
  const health = new NodeHealth()
  const zones = new Zones()
  /** The uids of the Nodes of which Events have told. */
  const known = new Map<string, string | undefined>()
  /** Those whose Pods could not all be marked. */
  const unmarked = new Set<string>()
  const queue = context.queue({ name: 'node_lifecycle_controller', workers: 8, reconcile })
  for (const event of ['add', 'update'] as const) nodes.on(event as 'add', ({ metadata }) => queue.enqueue(metadata.name!))
  pods.on('add', pod => pod.spec.nodeName && queue.enqueue(keyOf(pod)))
  pods.on('update', (pod, old) => pod.spec.nodeName !== old.spec.nodeName && queue.enqueue(keyOf(pod)))
  queue.enqueue(monitorKey)
  return queue

  async function reconcile(key: string): Promise<number | undefined> {
    if (key === monitorKey) return monitor()
    if (key === taintKey) return taintNext()
    if (key.includes('/')) return podPlaced(key)
    const node = nodes.get(key)
    if (!node) return undefined
    const change = schedulingTaints(node)
    if (change.add.length + change.remove.length > 0) await swap(key, change)
    await correctLabels(node)
    return undefined
  }

  /** A Pod that comes to a Node which is not ready is not ready either. */
  async function podPlaced(key: string): Promise<undefined> {
    const pod = pods.get(namedBy(key))
    const node = pod?.spec.nodeName ? nodes.get(pod.spec.nodeName) : undefined
    const ready = node && health.has(node.metadata.name!) ? readyOf(node) : undefined
    if (pod && ready && ready.status !== 'True') await markNotReady(pod)
  }

  async function correctLabels({ metadata: { name, labels = {} } }: KnownNode): Promise<void> {
    const changes = formerLabels.filter(([label, former]) => labels[label] !== undefined && labels[former] !== labels[label])
    if (changes.length === 0) return
    const corrected = Object.fromEntries(changes.map(([label, former]) => [former, labels[label]!]))
    nodes.learn(await client.of('v1', 'Node').patch(name!, { metadata: { labels: corrected } }, { type: 'strategic' }))
  }

  async function monitor(): Promise<number> {
    const all = nodes.list()
    await notice(all)
    const ready = new Map<string, boolean[]>()
    // one after the other, so that the same comes of it every time
    for (const node of all) {
      const isReady = await look(node)
      if (isReady === undefined || node.metadata.labels?.[excluded] !== undefined) continue
      const zone = zoneOf(node)
      const others = ready.get(zone)
      if (others) others.push(isReady)
      else ready.set(zone, [isReady])
    }
    const turn = zones.update(ready, clock.now())
    if (turn === 'lost') for (const node of all) await markReachable(node)
    if (turn === 'found') health.restart(clock.now())
    queue.enqueue(taintKey)
    return monitorMs
  }

  /** Tells of Nodes that are new, and of those that are gone. */
  async function notice(all: readonly KnownNode[]): Promise<void> {
    const present = new Set(all.map(({ metadata }) => metadata.name!))
    for (const [name, uid] of known)
      if (!present.has(name)) {
        tell(name, uid, 'RemovingNode', `Removing Node ${name} from Controller`)
        known.delete(name)
        health.forget(name)
        unmarked.delete(name)
      }
    for (const node of all) {
      const { name, uid } = node.metadata
      if (known.has(name!)) continue
      tell(name!, uid, 'RegisteredNode', `Registered Node ${name} in Controller`)
      known.set(name!, uid)
      await markReachable(node)
    }
  }

  function tell(name: string, uid: string | undefined, reason: string, message: string): void {
    events.normal(nodeReference(name, uid), reason, `Node ${name} event: ${message}`)
  }

  /** Returns whether the Node is ready; undefined when it cannot be said. */
  async function look(seen: KnownNode): Promise<boolean | undefined> {
    const name = seen.metadata.name!
    const observed = readyOf(seen)?.status ?? 'Unknown'
    try {
      const node = await judged(seen)
      const ready = node && readyOf(node)
      if (!node) return undefined
      if (!ready) return false
      await taintByReadiness(node, ready)
      const isReady = ready.status === 'True'
      if (!isReady && observed === 'True')
        events.normal(nodeReference(name, node.metadata.uid), 'NodeNotReady', `Node ${name} status is now: NodeNotReady`)
      if (!isReady && (observed === 'True' || unmarked.has(name))) {
        unmarked.add(name)
        for (const pod of onNode(name)) await markNotReady(pod)
      }
      unmarked.delete(name)
      return isReady
    } catch (error) {
      // the next round tries again
      if (!(error instanceof StatusError)) throw error
      return observed === 'True'
    }
  }

  /** The Node, with unknown conditions if it has been silent for too long; undefined when it has just been heard of after all. */
  async function judged(node: KnownNode): Promise<KnownNode | undefined> {
    const name = node.metadata.name!
    const lease = leases.get({ metadata: { namespace: 'kube-node-lease', name } })
    if (!health.observe(node, lease, clock.now(), context.heartbeats.get(name))) return node
    const live = await client.of('coordination.k8s.io/v1', 'Lease').find({ metadata: { namespace: 'kube-node-lease', name } })
    if (live?.spec?.renewTime !== lease?.spec?.renewTime) return undefined
    const conditions = unknownConditions(node, clock.now())
    const next: KnownNode = { ...node, status: { ...node.status, conditions } }
    if (readyOf(next)?.status === readyOf(node)?.status) return node
    const written = (await client
      .of('v1', 'Node')
      .subresource('status')
      .update(name, next as Draft<KnownNode>)) as KnownNode
    nodes.learn(written)
    return written
  }

  async function taintByReadiness(node: KnownNode, { status }: NodeCondition): Promise<void> {
    if (status === 'True') return markReachable(node)
    const [wanted, other] = status === 'False' ? [notReady, unreachable] : [unreachable, notReady]
    const change = { add: [executionTaint(wanted)], remove: [executionTaint(other)] }
    const line = zones.queueOf(node)
    if (hasTaint(node, executionTaint(other))) await swap(node.metadata.name!, change)
    else {
      if (!hasTaint(node, executionTaint(wanted))) line.remove(node.metadata.name!)
      line.add(node.metadata.name!)
    }
  }

  async function markReachable(node: KnownNode): Promise<void> {
    const taints = [unreachable, notReady].map(executionTaint)
    if (taints.some(taint => hasTaint(node, taint))) await swap(node.metadata.name!, { add: [], remove: taints })
    zones.queueOf(node).remove(node.metadata.name!)
  }

  /** Gives up the Nodes whose turn it is: their Pods leave when they tolerate it no longer. */
  async function taintNext(): Promise<number | undefined> {
    for (const name of zones.take(clock.now())) {
      const node = nodes.get(name)
      const status = node && readyOf(node)?.status
      if (!status || status === 'True') continue
      const [wanted, other] = status === 'False' ? [notReady, unreachable] : [unreachable, notReady]
      await swap(name, { add: [executionTaint(wanted)], remove: [executionTaint(other)] })
    }
    const { nextAt } = zones
    return nextAt === undefined ? undefined : Math.max(1, nextAt - clock.now())
  }

  async function markNotReady(pod: Pod & KubeObject): Promise<void> {
    if (podCondition(pod, 'Ready')?.status !== 'True') return
    const lastTransitionTime = timestamp(clock.now())
    const conditions = pod.status.conditions?.map(one =>
      one.type === 'Ready' ? { ...one, status: 'False', lastTransitionTime } : one
    )
    const next = { ...pod, status: { ...pod.status, conditions } } as Draft<Pod & KubeObject>
    try {
      pods.learn(await client.of('v1', 'Pod').subresource('status').update(pod, next))
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return
      throw error
    }
    events.warning(pod, 'NodeNotReady', 'Node is not ready')
  }
}
