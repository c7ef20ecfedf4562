/** Binds Pods to Nodes: https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/ */
import type { Part } from '../../util/part.js'
import { nextTurn } from '../../util/turns.js'
import type { Controller } from '../controller.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { messageOf } from '../workloads/pod-control.js'
import { Binder } from './binder.js'
import { Cluster } from './cluster.js'
import { clusterObjects } from './cluster-objects.js'
import { ClaimBinder } from './devices/claim-binder.js'
import { noteOf } from './fit-error.js'
import { followCluster } from './follow-cluster.js'
import type { Help } from './plugin.js'
import { missingClaims } from './plugins/dynamic-resources.js'
import { assignedTo } from './pod-info.js'
import { PodWriter } from './pod-writer.js'
import { Preemptor } from './preemptor.js'
import { defaultPlugins } from './profile.js'
import { type CycleInput, type Failure, type Placement, SchedulingCycle } from './scheduling-cycle.js'
import { type QueuedPod, SchedulingQueue } from './scheduling-queue.js'
import { VolumeBinder } from './volume-binder.js'

export interface SchedulerOptions {
  /** The values of `spec.schedulerName` that are this scheduler's. */
  readonly names?: readonly string[]
}

const defaultName = 'default-scheduler'
/** How many Nodes are looked at before others have a turn. */
const nodesPerTurn = 1600
/** The only key of its work queue: Pods have a queue of their own, in another order. */
const waitingPods = 'waiting pods'

export function scheduler(context: ClusterContext, { names = [defaultName] }: SchedulerOptions = {}): Part {
  const { informers, features, clock } = context
  const kube = context.clientAs('system:kube-scheduler', 'kube-scheduler')
  const client = kube.of('v1', 'Pod')
  const pods = informers.of('v1', 'Pod')
  const objects = clusterObjects(context)
  const volumes = new VolumeBinder({
    client: kube,
    clock,
    claims: informers.of('v1', 'PersistentVolumeClaim'),
    volumes: informers.of('v1', 'PersistentVolume')
  })
  const cluster = new Cluster(objects)
  const events = context.seriesRecorder(defaultName, kube)
  const writer = new PodWriter(client, pods, clock)
  const claims = new ClaimBinder({
    client: kube,
    clock,
    claims: informers.of('resource.k8s.io/v1', 'ResourceClaim'),
    randomness: context.randomness.apart('shares of devices'),
    events,
    pods: writer
  })
  const plugins = defaultPlugins(volumes, claims)
  const byName = new Map(plugins.map(plugin => [plugin.name, plugin]))
  const preemptor = new Preemptor({ client, writer, events, cluster })
  /** The uids of Pods for which something is being done: they are not tried before. */
  const helped = new Set<string>()
  const queue = new SchedulingQueue({
    clock,
    isGated: info =>
      (info.pod.spec.schedulingGates?.length ?? 0) > 0 ||
      preemptor.isRunning(info.uid) ||
      helped.has(info.uid) ||
      missingClaims(info, objects) !== undefined,
    mayHelp: (event, pod, rejecting) => [...rejecting].some(name => byName.get(name)!.mayHelp(event, pod, cluster)),
    wake: () => work.enqueue(waitingPods)
  })
  const binder = new Binder({ client, writer, events, failed })
  const cycle = new SchedulingCycle()
  const randomness = context.randomness.apart('scheduler')
  const running = new Set<Promise<void>>()
  const work: Controller = context.queue({ name: 'scheduler', workers: 1, reconcile: schedule })
  followCluster({ informers, features, cluster, queue, binder, isOurs: pod => names.includes(pod.spec.schedulerName ?? '') })

  return {
    name: 'scheduler',
    start: () => work.start(),
    async stop() {
      binder.stop()
      await work.stop()
      await Promise.all([binder.idle(), ...running])
    }
  }

  async function schedule(_: string, signal: AbortSignal): Promise<number | undefined> {
    for (let looked = 0; !signal.aborted; looked += cluster.nodes.length) {
      if (looked >= nodesPerTurn) {
        looked = 0
        await nextTurn()
      }
      const queued = queue.pop()
      if (!queued) return queue.flush()
      await scheduleOne(queued)
      await binder.hasRoom()
    }
    return undefined
  }

  async function scheduleOne(queued: QueuedPod): Promise<void> {
    const { info } = queued
    const { metadata, spec } = info.pod
    if (metadata.deletionTimestamp) {
      const note = `skip schedule deleting pod: ${metadata.namespace}/${metadata.name}`
      events.record({ regarding: info.pod, type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note })
      return
    }
    if (spec.nodeName || cluster.isAssumed(info.uid)) return
    try {
      const input: CycleInput = { plugins, cluster, randomness, now: clock.now() }
      const decision = cycle.decide(info, input)
      if ('node' in decision) place(queued, decision)
      else await reject(queued, decision, 'Unschedulable')
    } catch (error) {
      await reject(queued, { message: messageOf(error), plugins: new Set(), nominatedNodeName: '' }, 'SchedulerError')
    }
  }

  function place(queued: QueuedPod, { node, reserve }: Placement): void {
    const assumed = assignedTo(queued.info, node.name)
    cluster.assume(assumed)
    cluster.nominations.remove(assumed.uid)
    binder.bind(queued, node.name, reserve())
  }

  /** The Pod could not be bound to the Node that it was assigned to. */
  async function failed(queued: QueuedPod, message: string): Promise<void> {
    if (cluster.isAssumed(queued.key)) {
      const old = cluster.remove(queued.key)
      queue.moveOn({ on: 'pod', pod: undefined, old })
    }
    await reject(queued, { message, plugins: new Set(), nominatedNodeName: '' }, 'SchedulerError')
    // it is tried again after a while
    work.enqueue(waitingPods)
  }

  function inBackground(work: Promise<void>): void {
    running.add(work)
    void work.finally(() => running.delete(work))
  }

  async function helpWith(uid: string, help: readonly Help[]): Promise<void> {
    helped.add(uid)
    for (const result of await Promise.allSettled(help.map(one => one.carryOut())))
      if (result.status === 'rejected') context.log.info(`scheduler: cannot help ${uid}: ${messageOf(result.reason)}`)
    helped.delete(uid)
    queue.retry(uid)
  }

  /** Puts the Pod back into the queue, and tells why. */
  async function reject(queued: QueuedPod, failure: Failure, reason: string): Promise<void> {
    const { message, nominatedNodeName, candidate, help = [] } = failure
    const { uid } = queued.info
    const pod = pods.get(queued.info.pod) ?? queued.info.pod
    const isThere = pods.get(pod)?.metadata.uid === uid && !pod.spec.nodeName
    if (candidate) inBackground(preemptor.run(queued.info, candidate).catch(() => queue.activate(uid)))
    if (help.length > 0) inBackground(helpWith(uid, help))
    if (isThere && !queue.has(uid)) queue.putBack(queued, failure.plugins)
    if (isThere && nominatedNodeName !== undefined) cluster.nominations.set(queued.info, nominatedNodeName)
    const note = noteOf(message)
    events.record({ regarding: pod, type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note })
    const condition = { type: 'PodScheduled', status: 'False', reason, message }
    try {
      await writer.write(pod, { condition, nominatedNodeName })
    } catch (error) {
      if (isThere) context.log.info(`scheduler: cannot tell ${queued.info.key} why it waits: ${messageOf(error)}`)
    }
  }
}
