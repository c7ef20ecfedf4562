/** Runs the Pods of simulated Nodes: writes what becomes of them, and deletes those that have ended. */
import type { Node, PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { Amounts } from '../scheduler/resources.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { AttachableVolumes } from '../volumes/attachments.js'
import { claimKeysOf } from '../volumes/claims.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { AwaitedObjects } from './awaited-objects.js'
import type { PodContainer } from './container-states.js'
import { isSimulated, Nodes, type NodesOptions } from './nodes.js'
import { PodAddresses } from './pod-addresses.js'
import { configReferences, type Missing, missingOf } from './pod-needs.js'
import { allocatedOf, isDeferred, type ResizeRefusal, refusalOf, resizePending, wantedOf } from './pod-resize.js'
import { type NodeSide, stepOf } from './pod-step.js'
import { volumesInUse } from './volumes-in-use.js'

/** How many images a Node keeps. */
const mostImages = 1000

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
    heartbeats: context.heartbeats,
    reports: () => !context.isStaged('v1', 'Node'),
    clock,
    log
  })
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const claims: Informer<PersistentVolumeClaim> = informers.of('v1', 'PersistentVolumeClaim')
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const deferredOn = pods.index(pod => (isDeferred(pod) && pod.spec.nodeName ? [pod.spec.nodeName] : []))
  /** The resources that Nodes keep for Pods, by the Pods' uids, until their statuses have been written. */
  const granted = new Map<string, Amounts>()
  const podsOfClaim = pods.index(claimKeysOf)
  const attachable = new AttachableVolumes(context)
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
    if (pod.spec.nodeName && !context.isStaged('v1', 'Pod') && written.get(pod.metadata.uid!) !== pod.metadata.resourceVersion)
      queue.enqueue(keyOf(pod))
  }
  pods.on('add', changed)
  pods.on('update', pod => {
    changed(pod)
    retryResizes(pod.spec.nodeName)
  })
  pods.on('delete', pod => {
    retryResizes(pod.spec.nodeName)
    times.delete(pod.metadata.uid!)
    written.delete(pod.metadata.uid!)
    awaited.wait(keyOf(pod), pod.metadata.namespace!, [])
  })
  const awaited = new AwaitedObjects(context.clientAs('system:kubelets', 'kubelet'), key => queue.enqueue(key))
  const claimChanged = (claim: PersistentVolumeClaim) => {
    for (const pod of podsOfClaim(keyOf(claim))) if (pod.spec.nodeName && hasToStart(pod)) queue.enqueue(keyOf(pod))
  }
  claims.on('add', claimChanged)
  claims.on('update', claimChanged)
  const nodeChanged = (node: Node) => {
    // a kubelet that comes back finds out what has become of its Pods
    if (isSimulated(node) && nodes.adopt(node)) for (const pod of onNode(node.metadata.name!)) queue.enqueue(keyOf(pod))
  }
  nodeInformer.on('add', node => {
    nodeChanged(node)
    for (const pod of onNode(node.metadata.name!)) changed(pod)
  })
  nodeInformer.on('update', (node, old) => {
    nodeChanged(node)
    if (isSimulated(node)) retryResizes(node.metadata.name)
    if (node.status.volumesAttached?.length === old.status.volumesAttached?.length || !isSimulated(node)) return
    for (const pod of onNode(node.metadata.name!)) if (hasToStart(pod)) queue.enqueue(keyOf(pod))
  })
  nodeInformer.on('delete', ({ metadata }) => {
    nodes.silence(metadata.name!)
    images.delete(metadata.name!)
    clients.delete(metadata.name!)
    const recorder = recorders.get(metadata.name!)
    if (recorder) context.release(recorder)
    recorders.delete(metadata.name!)
  })
  context.whenStaged(() => {
    for (const pod of pods.list()) changed(pod)
    for (const node of nodeInformer.list()) nodeChanged(node)
  })
  return [
    nodes,
    queue,
    volumesInUse(context, clientOf),
    { name: 'objects for which simulated Pods wait', stop: () => awaited.stop() }
  ]

  function memoized<T>(map: Map<string, T>, key: string, make: (key: string) => T): T {
    let value = map.get(key)
    if (value === undefined) map.set(key, (value = make(key)))
    return value
  }

  /** Looks for what a Pod needs that has containers to start. */
  async function missingFor(pod: Pod, node: Node): Promise<Missing | undefined> {
    if (!hasToStart(pod)) return undefined
    const namespace = pod.metadata.namespace!
    const references = configReferences(pod)
    const found = new Map<string, Awaited<ReturnType<typeof awaited.find>>>()
    for (const one of references) {
      const name = `${one.kind} ${one.name}`
      if (!found.has(name)) found.set(name, await awaited.find(one, namespace))
    }
    const missing = missingOf(pod, {
      config: ({ kind, name }) => found.get(`${kind} ${name}`),
      claim: name => claims.get({ metadata: { name, namespace } }),
      isAttached: claim => attachable.isAttached(attachable.behind(claim), node)
    })
    awaited.wait(keyOf(pod), namespace, missing ? references : [])
    return missing
  }

  function sideOf(node: Node, pod: Pod, missing: Missing | undefined): NodeSide {
    const present = memoized(images, node.metadata.name!, () => new Set<string>())
    return {
      nodeIP: node.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1',
      podIP: one => addresses.of(one),
      behaviorOf: options.behaviorOf,
      newContainerId: () => `${ids.uuid()}${ids.uuid()}`.replaceAll('-', ''),
      pull(image) {
        const isPresent = present.has(image)
        // a Node that is full forgets what it has
        if (!isPresent && present.size >= mostImages) present.clear()
        present.add(image)
        return isPresent
      },
      resize: one => refusal(one, node),
      times: memoized(times, pod.metadata.uid!, () => new Map<string, number>()),
      missing
    }
  }

  /** Why a Node does not give a Pod what it asks for. Otherwise there is room kept for it, until its status says that it has it. */
  function refusal(pod: Pod, node: Node): ResizeRefusal | undefined {
    const others = onNode(node.metadata.name!).filter(
      ({ metadata: { uid }, status: { phase } }) => uid !== pod.metadata.uid && phase !== 'Succeeded' && phase !== 'Failed'
    )
    const wanted = wantedOf(pod)
    const refused = refusalOf(
      node,
      wanted,
      others.map(other => granted.get(other.metadata.uid!) ?? allocatedOf(other))
    )
    if (!refused) granted.set(pod.metadata.uid!, wanted)
    return refused
  }

  /** Looks again at the resizes that wait for room on a Node: those that come first with kubelets come first. */
  function retryResizes(name: string | undefined): void {
    if (name === undefined) return
    const sinceOf = ({ status }: Pod) => status.conditions?.find(({ type }) => type === resizePending)?.lastTransitionTime ?? ''
    const rankOf = ({ status }: Pod) => (status.qosClass === 'Guaranteed' ? 0 : 1)
    const waiting = deferredOn(name).sort(
      (a, b) => (b.spec.priority ?? 0) - (a.spec.priority ?? 0) || rankOf(a) - rankOf(b) || (sinceOf(a) < sinceOf(b) ? -1 : 1)
    )
    for (const pod of waiting) queue.enqueue(keyOf(pod))
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const pod = pods.get(namedBy(key))
    const name = pod?.spec.nodeName
    const node = name === undefined ? undefined : nodeInformer.get(name)
    if (!pod || !node || !isSimulated(node) || context.isStaged('v1', 'Pod') || !nodes.isAlive(name!)) return undefined
    const client = memoized(clients, name!, clientOf).of('v1', 'Pod')
    const step = stepOf(pod, sideOf(node, pod, await missingFor(pod, node)), clock.now())
    try {
      if (step.status) {
        const present = await client.subresource('status').update(pod, { ...pod, status: step.status } as Draft<Pod>)
        written.set(present.metadata.uid!, present.metadata.resourceVersion!)
        pods.learn(present)
        granted.delete(present.metadata.uid!)
      }
      tell(pod, name!, step.events)
      if (step.isGone) await client.delete(pod, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
    } catch (error) {
      granted.delete(pod.metadata.uid!)
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

/** Whether a container of the Pod waits for its start. */
function hasToStart({ metadata, spec, status }: Pod): boolean {
  if (metadata.deletionTimestamp || status.phase === 'Succeeded' || status.phase === 'Failed') return false
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]
  const count = (spec.containers?.length ?? 0) + (spec.initContainers?.length ?? 0)
  return statuses.length < count || statuses.some(({ state }) => !state.running)
}

const pathOf = ({ sort, spec }: PodContainer) => `spec.${sort === 'main' ? 'containers' : 'initContainers'}{${spec.name}}`
