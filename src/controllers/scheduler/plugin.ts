/** What plugins of the scheduler are: https://kubernetes.io/docs/concepts/scheduling-eviction/scheduling-framework/ */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Cluster } from './cluster.js'
import type { NodeState } from './node-state.js'
import type { PodInfo } from './pod-info.js'

/** Why a Pod cannot be on a Node, or on none. */
export interface Rejection {
  readonly reasons: readonly string[]
  /** Whether it would stay so if other Pods went away. */
  readonly isFinal: boolean
}

export const reject = (...reasons: string[]): Rejection => ({ reasons, isFinal: false })
export const rejectForGood = (...reasons: string[]): Rejection => ({ reasons, isFinal: true })

/** The check of one Pod against Nodes. */
export interface Check {
  /** The names of the Nodes that come into question; all when left out. */
  readonly only?: ReadonlySet<string> | undefined
  filter(node: NodeState): Rejection | undefined
  /** Takes into account that a Pod has come to a Node, or has left it. */
  added?(pod: PodInfo, node: NodeState): void
  removed?(pod: PodInfo, node: NodeState): void
  /** What there is to do before the Pod can be bound to the Node. */
  reserve?(node: NodeState): Reservation | undefined
  /** Scores Nodes that have passed the filter. */
  score?(): Scoring | undefined
  /** What may help a Pod that fits nowhere. */
  help?(): Help | undefined
}

/** What a plugin does for a Pod that fits nowhere, and says of it. */
export interface Help {
  readonly message: string
  carryOut(): Promise<void>
}

export interface Reservation {
  /** The name of the plugin that makes it. */
  readonly plugin: string
  /** Resolves when the Pod can be bound; rejects when it cannot. */
  carryOut(signal: AbortSignal): Promise<void>
  /** Gives back what has been reserved. */
  release(): void
}

/** The scores of Nodes for one Pod: integers. */
export interface Scoring {
  score(node: NodeState): number
  /** Brings the scores of all Nodes into the range from 0 to `mostScore`. */
  normalize?(scores: number[], nodes: readonly NodeState[]): void
}

export const mostScore = 100

export interface Plugin {
  readonly name: string
  /** Prepares the check of a Pod. Undefined when any Node will do; a rejection when none will. */
  check?(pod: PodInfo, cluster: Cluster): Check | Rejection | undefined
  /** Prepares the scores of the Nodes that fit. Undefined when all are the same. */
  scoring?(pod: PodInfo, cluster: Cluster, nodes: readonly NodeState[]): Scoring | undefined
  readonly weight?: number
  /** Whether a Pod that this plugin has rejected may fit after the event. */
  mayHelp(event: ClusterEvent, pod: PodInfo, cluster: Cluster): boolean
}

/** The kinds of volumes, and those of devices, whose objects the scheduler follows. */
export type FollowedKind =
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | 'DeviceTaintRule'

/** What happens in the cluster. `pod` is a Pod on a Node; `self` is the waiting Pod itself. */
export type ClusterEvent =
  | { readonly on: 'pod'; readonly pod: PodInfo | undefined; readonly old: PodInfo | undefined }
  | { readonly on: 'self'; readonly pod: PodInfo; readonly old: PodInfo }
  | { readonly on: 'node'; readonly node: Node | undefined; readonly old: Node | undefined }
  | { readonly on: 'namespace'; readonly name: string }
  | { readonly on: FollowedKind; readonly object: KubeObject | undefined; readonly old: KubeObject | undefined }

export const isRejection = (result: Check | Rejection): result is Rejection => 'reasons' in result

/** Scales scores so that the highest is `mostScore`; or the lowest, when less is better. */
export function scale(scores: number[], lessIsBetter: boolean): void {
  const highest = Math.max(0, ...scores)
  for (const [i, score] of scores.entries()) {
    const scaled = highest === 0 ? 0 : Math.trunc((mostScore * score) / highest)
    scores[i] = lessIsBetter ? mostScore - scaled : scaled
  }
}
