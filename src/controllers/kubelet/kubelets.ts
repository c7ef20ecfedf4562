/** Runs the Pods of simulated Nodes: writes what becomes of them, and deletes those that have ended. */
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer } from '../../client/types.js'
import type { Part } from '../../util/part.js'
import type { EventRecorder } from '../events/event-recorder.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import type { PodContainer } from './container-states.js'
import { isSimulated, Nodes, type NodesOptions } from './nodes.js'
import { PodAddresses } from './pod-addresses.js'
import { type NodeSide, stepOf } from './pod-step.js'

export interface KubeletsOptions extends Pick<NodesOptions, 'count' | 'capacity'> {
  readonly behaviorOf: NodeSide['behaviorOf']
}

export function kubelets(context: ClusterContext, options: KubeletsOptions): Part[] {
  const { informers, clock, log, randomness } = context
  const clientOf = (node: string) => context.clientAs(`system:node:${node}`, 'kubelet', ['system:nodes'])
  const nodeInformer: Informer<Node> = informers.of('v1', 'Node')
  const controller = context.clientOf('node-controller')
  const nodes = new Nodes({
    ...options,
    clientOf,
    tell: tellOfNode,
    controller,
    learn: node => nodeInformer.learn(node),
    clock,
    log
  })
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const addresses = new PodAddresses(nodeInformer, pods)
  const images = new Map<string, Set<string>>()
  /** By the uid of the Pod. */
  const times = new Map<string, Map<string, number>>()
  /** The resource version that the kubelet wrote last, by the uid of the Pod. */
  const written = new Map<string, string>()
  const ids = randomness.apart('containers')
  const recorders = new Map<string, EventRecorder>()
  const clients = new Map<string, ReturnType<typeof clientOf>>()

  const queue = context.queue({ name: 'kubelet', workers: 16, reconcile })
  const changed = (pod: Pod) => {
    // what the kubelet itself has written needs no second look
    if (pod.spec.nodeName && written.get(pod.metadata.uid!) !== pod.metadata.resourceVersion) queue.enqueue(keyOf(pod))
  }
  pods.on('add', changed)
  pods.on('update', changed)
  pods.on('delete', ({ metadata }) => {
    times.delete(metadata.uid!)
    written.delete(metadata.uid!)
  })
  const nodeChanged = (node: Node) => {
    // a kubelet that comes back finds out what has become of its Pods
    if (isSimulated(node) && nodes.adopt(node)) for (const pod of onNode(node.metadata.name!)) queue.enqueue(keyOf(pod))
  }
  nodeInformer.on('add', node => {
    nodeChanged(node)
    for (const pod of onNode(node.metadata.name!)) changed(pod)
  })
  nodeInformer.on('update', nodeChanged)
  nodeInformer.on('delete', ({ metadata }) => {
    nodes.silence(metadata.name!)
    images.delete(metadata.name!)
  })
  return [nodes, queue]

  function memoized<T>(map: Map<string, T>, key: string, make: (key: string) => T): T {
    let value = map.get(key)
    if (value === undefined) map.set(key, (value = make(key)))
    return value
  }

  function sideOf(node: Node, pod: Pod): NodeSide {
    const present = memoized(images, node.metadata.name!, () => new Set<string>())
    return {
      nodeIP: node.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1',
      podIP: one => addresses.of(one),
      behaviorOf: options.behaviorOf,
      newContainerId: () => `${ids.uuid()}${ids.uuid()}`.replaceAll('-', ''),
      pull(image) {
        const isPresent = present.has(image)
        present.add(image)
        return isPresent
      },
      times: memoized(times, pod.metadata.uid!, () => new Map<string, number>())
    }
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const pod = pods.get(namedBy(key))
    const name = pod?.spec.nodeName
    const node = name === undefined ? undefined : nodeInformer.get(name)
    if (!pod || !node || !isSimulated(node) || !nodes.isAlive(name!)) return undefined
    const client = memoized(clients, name!, clientOf).of('v1', 'Pod')
    const step = stepOf(pod, sideOf(node, pod), clock.now())
    try {
      if (step.status) {
        const present = await client.subresource('status').update(pod, { ...pod, status: step.status } as Draft<Pod>)
        written.set(present.metadata.uid!, present.metadata.resourceVersion!)
        pods.learn(present)
      }
      tell(pod, name!, step.events)
      if (step.isGone) await client.delete(pod, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
    } catch (error) {
      if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error
      // somebody else was first: the next try sees what they have written
      if (error.code === 404) return undefined
      const present = await client.find(pod)
      if (present) pods.learn(present)
      return 0
    }
    return step.wakeAt === undefined ? undefined : Math.max(0, step.wakeAt - clock.now())
  }

  function recorderOf(node: string): EventRecorder {
    return memoized(recorders, node, () => context.recorder('kubelet', memoized(clients, node, clientOf), node))
  }

  function tellOfNode(node: string, reason: string): void {
    // a kubelet knows its Node by name only
    const object = { apiVersion: 'v1', kind: 'Node', metadata: { name: node, uid: node } }
    recorderOf(node).normal(object, reason, `Node ${node} status is now: ${reason}`)
  }

  function tell(pod: Pod, node: string, events: ReturnType<typeof stepOf>['events']): void {
    if (events.length === 0) return
    const recorder = recorderOf(node)
    for (const { container, ...event } of events)
      recorder.record({ ...event, object: pod, fieldPath: container && pathOf(container) })
  }
}

const pathOf = ({ sort, spec }: PodContainer) => `spec.${sort === 'main' ? 'containers' : 'initContainers'}{${spec.name}}`
