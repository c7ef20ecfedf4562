/** Clusters for the tests of the scheduler: objects as the server would return them, and a snapshot of them. */
import type {
  Node,
  NodeSpec,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  PodStatus
} from '../../../apimachinery/api/generated/core-v1.js'
import type { PodDisruptionBudget } from '../../../apimachinery/api/generated/policy-v1.js'
import type {
  DeviceClass,
  DeviceTaintRule,
  ResourceClaim,
  ResourceSlice
} from '../../../apimachinery/api/generated/resource-v1.js'
import type { CSINode, StorageClass } from '../../../apimachinery/api/generated/storage-v1.js'
import type { LabelSelector, Labels } from '../../../apimachinery/selectors/labels.js'
import { chosenOf, resourcesOf } from '../../../kinds/resource/class-resources.js'
import { SeededRandomness } from '../../../util/seeded-randomness.js'
import { Cluster } from '../cluster.js'
import { type ClusterObjects, classOf, type Lookup } from '../cluster-objects.js'
import type { ClaimBinder, PlannedClaim } from '../devices/claim-binder.js'
import { isRejection, type Plugin, type Rejection } from '../plugin.js'
import { podInfoOf } from '../pod-info.js'
import { defaultPlugins } from '../profile.js'
import { type Decision, SchedulingCycle } from '../scheduling-cycle.js'
import type { VolumeBinder } from '../volume-binder.js'

export interface NodeDraft {
  readonly labels?: Record<string, string>
  readonly allocatable?: Record<string, string>
  readonly spec?: NodeSpec
}

export const aNode = (name: string, { labels, allocatable, spec = {} }: NodeDraft = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: `uid of ${name}`, labels: { 'kubernetes.io/hostname': name, ...labels } },
  spec,
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable }, nodeInfo: {}, daemonEndpoints: {} } as never
})

export interface PodDraft {
  readonly namespace?: string
  readonly labels?: Record<string, string>
  readonly requests?: Record<string, string>
  readonly spec?: Partial<PodSpec>
  readonly status?: PodStatus
  readonly on?: string
  readonly terminating?: boolean
}

export function aPod(name: string, draft: PodDraft = {}): Pod {
  const { namespace = 'default', labels, requests, spec, status = {}, on, terminating } = draft
  const metadata = { name, namespace, uid: `uid of ${name}`, labels, generation: 1 }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, ...(terminating ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
    spec: {
      containers: [{ name: 'main', image: 'main', resources: { requests } }],
      schedulerName: 'default-scheduler',
      nodeName: on,
      ...spec
    } as PodSpec,
    status
  }
}

export interface Objects {
  readonly namespaces?: Readonly<Record<string, Labels>>
  readonly claims?: readonly PersistentVolumeClaim[]
  readonly volumes?: readonly PersistentVolume[]
  readonly classes?: readonly StorageClass[]
  readonly csiNodes?: readonly CSINode[]
  readonly budgets?: readonly PodDisruptionBudget[]
  readonly spread?: LabelSelector
  readonly devices?: {
    readonly claims?: readonly ResourceClaim[]
    readonly classes?: readonly DeviceClass[]
    readonly slices?: readonly ResourceSlice[]
    readonly rules?: readonly DeviceTaintRule[]
    readonly hasFractions?: boolean
  }
}

function lookup<T extends { metadata: { name?: string | undefined } }>(objects: readonly T[] = []): Lookup<T> {
  const find = (name: string) => objects.find(({ metadata }) => metadata.name === name)
  return { get: find, stored: find, assume() {}, restore() {} }
}

export function objectsOf(objects: Objects = {}): ClusterObjects {
  const { namespaces = { default: {} }, claims, volumes = [], classes, csiNodes, budgets = [], spread, devices = {} } = objects
  return {
    namespaceLabels: name => namespaces[name] ?? {},
    namespaces: () => Object.entries(namespaces).map(([name, labels]) => ({ metadata: { name, labels } }) as never),
    budgets: () => budgets,
    spreadSelector: () => spread,
    claims: lookup(claims),
    volumes: { ...lookup(volumes), ofClass: name => volumes.filter(volume => classOf(volume) === name) },
    storageClass: name => classes?.find(({ metadata }) => metadata.name === name),
    csiNode: name => csiNodes?.find(({ metadata }) => metadata.name === name),
    csiDriver: () => undefined,
    capacities: () => [],
    devices: {
      claims: {
        get: name => devices.claims?.find(({ metadata }) => metadata.name === name),
        list: () => devices.claims ?? []
      },
      class: name => devices.classes?.find(({ metadata }) => metadata.name === name),
      classFor: resource => chosenOf((devices.classes ?? []).filter(one => resourcesOf(one).includes(resource))),
      slices: () => devices.slices ?? [],
      hasFractions: devices.hasFractions ?? false,
      taintRules: () => devices.rules ?? []
    },
    attachments: () => []
  }
}

export function clusterOf(nodes: readonly Node[], pods: readonly Pod[] = [], objects?: Objects): Cluster {
  const cluster = new Cluster(objectsOf(objects))
  for (const node of nodes) cluster.setNode(node)
  for (const pod of pods) cluster.put(podInfoOf(pod))
  return cluster
}

/** What the plugin says of the Pod: a rejection of every Node, or those of single Nodes by name. */
export function verdicts(plugin: Plugin, pod: Pod, cluster: Cluster): Rejection | Record<string, string | undefined> {
  const check = plugin.check?.(podInfoOf(pod), cluster)
  if (check && isRejection(check)) return check
  return Object.fromEntries(
    cluster.nodes.map(node => {
      const rejection = check?.filter(node)
      return [node.name, rejection && `${rejection.isFinal ? '! ' : ''}${rejection.reasons.join(', ')}`]
    })
  )
}

/** The scores that the plugin gives the Nodes, normalized. */
export function scoresBy(plugin: Plugin, pod: Pod, cluster: Cluster): Record<string, number> | undefined {
  const scoring = plugin.scoring?.(podInfoOf(pod), cluster, cluster.nodes)
  if (!scoring) return undefined
  const scores = cluster.nodes.map(node => scoring.score(node))
  scoring.normalize?.(scores, cluster.nodes)
  return Object.fromEntries(cluster.nodes.map(({ name }, i) => [name, scores[i]!]))
}

const reservation = { plugin: '', release() {}, carryOut: async () => {} }
const volumes = { reserve: () => reservation } as unknown as VolumeBinder
/** Remembers what is reserved. */
export const reserved: PlannedClaim[] = []
const claims = {
  isPending: () => false,
  pending: () => new Map(),
  newShareId: () => 'share',
  now: () => Date.UTC(2026, 0, 1),
  reserve: (_: Pod, __: string, planned: PlannedClaim[]) => {
    reserved.splice(0, reserved.length, ...planned)
    return reservation
  }
} as unknown as ClaimBinder
export const plugins = defaultPlugins(volumes, claims)

/** Decides about the Pod as the scheduler does. */
export function decisionOn(pod: Pod, cluster: Cluster, seed = 'seed'): Decision {
  const input = { plugins, cluster, randomness: new SeededRandomness(seed), now: Date.UTC(2026, 0, 1) }
  return new SchedulingCycle().decide(podInfoOf(pod), input)
}

export const messageFor = (pod: Pod, cluster: Cluster): string => {
  const decision = decisionOn(pod, cluster)
  return 'node' in decision ? `on ${decision.node.name}` : decision.message
}
