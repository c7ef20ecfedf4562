/** Keeps the scheduler's picture of the cluster up to date, and tells its queue what may help waiting Pods. */
import { isDeepStrictEqual } from 'node:util'
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Informer, SharedInformers } from '../../client/stored-types.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { hasEnded } from '../workloads/pods.js'
import type { Binder } from './binder.js'
import type { Cluster } from './cluster.js'
import { taintRulesIn } from './cluster-objects.js'
import type { FollowedKind } from './plugin.js'
import { type PodInfo, podInfoOf } from './pod-info.js'
import type { SchedulingQueue } from './scheduling-queue.js'

export interface FollowOptions {
  readonly informers: SharedInformers
  readonly features: ClusterContext['features']
  readonly cluster: Cluster
  readonly queue: SchedulingQueue
  readonly binder: Binder
  /** Whether this scheduler is responsible for the Pod. */
  isOurs(pod: Pod): boolean
}

const isThere = (pod: Pod): boolean => !!pod.spec.nodeName && !hasEnded(pod.status.phase)

export function followCluster(options: FollowOptions): void {
  followNodes(options)
  followPods(options)
  followOthers(options)
}

function followNodes({ informers, cluster, queue }: FollowOptions): void {
  const nodes = informers.of('v1', 'Node')
  nodes.on('add', node => {
    cluster.setNode(node)
    queue.moveOn({ on: 'node', node, old: undefined })
  })
  nodes.on('update', (node, old) => {
    if (isSameForScheduling(node, old)) return
    cluster.setNode(node)
    queue.moveOn({ on: 'node', node, old })
  })
  nodes.on('delete', node => {
    queue.moveOn({ on: 'node', node: undefined, old: node })
    cluster.removeNode(node.metadata.name!)
  })
}

/** Heartbeats change nothing. */
const isSameForScheduling = (a: Node, b: Node): boolean =>
  isDeepStrictEqual(a.spec, b.spec) &&
  isDeepStrictEqual(a.metadata.labels, b.metadata.labels) &&
  isDeepStrictEqual(a.status.allocatable, b.status.allocatable)

const isSameForOthers = (a: PodInfo, b: PodInfo): boolean =>
  a.shape.key === b.shape.key && a.isTerminating === b.isTerminating && isDeepStrictEqual(a.requests.amounts, b.requests.amounts)

function followPods({ informers, cluster, queue, binder, isOurs }: FollowOptions): void {
  const pods = informers.of('v1', 'Pod')

  function arrived(pod: Pod, isNew: boolean): void {
    const info = podInfoOf(pod)
    const old = isNew ? undefined : cluster.find(info.uid)
    cluster.put(info)
    queue.remove(info.uid)
    cluster.nominations.remove(info.uid)
    if (!old || !isSameForOthers(info, old)) queue.moveOn({ on: 'pod', pod: info, old })
  }

  function gone(pod: Pod): void {
    const uid = pod.metadata.uid!
    binder.abort(uid)
    queue.remove(uid)
    const old = cluster.remove(uid)
    const waited = cluster.nominations.nodeOf(uid) !== undefined
    cluster.nominations.remove(uid)
    if (old) queue.moveOn({ on: 'pod', pod: undefined, old })
    else if (waited) freed(podInfoOf(pod))
  }

  /** A Pod that waited for a Node does so no longer: those that are no more important may have its place. */
  const freed = (old: PodInfo) => queue.moveOn({ on: 'pod', pod: undefined, old }, ({ priority }) => priority <= old.priority)

  pods.on('add', pod => {
    if (hasEnded(pod.status.phase)) return
    if (pod.spec.nodeName) return arrived(pod, true)
    if (!isOurs(pod)) return
    const info = podInfoOf(pod)
    cluster.nominations.update(info)
    queue.add(info)
  })
  pods.on('update', (pod, old) => {
    if (hasEnded(pod.status.phase)) {
      if (!hasEnded(old.status.phase)) gone(pod)
      return
    }
    if (pod.spec.nodeName) return arrived(pod, !isThere(old))
    if (isOurs(pod)) changed(podInfoOf(pod), old)
  })
  pods.on('delete', gone)

  function changed(info: PodInfo, before: Pod): void {
    const { uid, pod } = info
    if (cluster.isAssumed(uid)) {
      if (pod.metadata.deletionTimestamp) gone(pod)
      return
    }
    const old = podInfoOf(before)
    cluster.nominations.update(info)
    queue.update(info, { on: 'self', pod: info, old })
    const waitedFor = before.status.nominatedNodeName
    if (waitedFor && waitedFor !== pod.status.nominatedNodeName) freed(old)
  }
}

function followOthers({ informers, features, queue }: FollowOptions): void {
  informers.of('v1', 'Namespace').on('update', ({ metadata }, old) => {
    if (!isDeepStrictEqual(metadata.labels, old.metadata.labels)) queue.moveOn({ on: 'namespace', name: metadata.name! })
  })
  const followed: readonly [FollowedKind, Informer<KubeObject>][] = [
    ['PersistentVolumeClaim', informers.of('v1', 'PersistentVolumeClaim')],
    ['PersistentVolume', informers.of('v1', 'PersistentVolume')],
    ['StorageClass', informers.of('storage.k8s.io/v1', 'StorageClass')],
    ['CSINode', informers.of('storage.k8s.io/v1', 'CSINode')],
    ['CSIDriver', informers.of('storage.k8s.io/v1', 'CSIDriver')],
    ['CSIStorageCapacity', informers.of('storage.k8s.io/v1', 'CSIStorageCapacity')],
    ['VolumeAttachment', informers.of('storage.k8s.io/v1', 'VolumeAttachment')],
    ['ResourceClaim', informers.of('resource.k8s.io/v1', 'ResourceClaim')],
    ['ResourceSlice', informers.of('resource.k8s.io/v1', 'ResourceSlice')],
    ['DeviceClass', informers.of('resource.k8s.io/v1', 'DeviceClass')]
  ]
  const rules = taintRulesIn({ informers, features })
  for (const [on, informer] of rules ? [...followed, ['DeviceTaintRule', rules] as const] : followed) {
    informer.on('add', object => queue.moveOn({ on, object, old: undefined }))
    informer.on('update', (object, old) => queue.moveOn({ on, object, old }))
    informer.on('delete', old => queue.moveOn({ on, object: undefined, old }))
  }
}
