/** The Pods of a StatefulSet, which keep their names and their storage: https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-identity */
import type { StatefulSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { podOf } from '../pod-control.js'
import { hasEnded, isAvailable, isReady } from '../pods.js'

export const revisionLabel = 'controller-revision-hash'
const nameLabel = 'statefulset.kubernetes.io/pod-name'
const indexLabel = 'apps.kubernetes.io/pod-index'

export type Stateful = StatefulSet & KubeObject

export const wanted = ({ spec }: Stateful): number => spec.replicas ?? 1
export const firstOrdinal = ({ spec }: Stateful): number => spec.ordinals?.start ?? 0
export const isParallel = ({ spec }: Stateful): boolean => spec.podManagementPolicy === 'Parallel'

function parentAndOrdinal(name: string): [parent: string | undefined, ordinal: number] {
  const [, parent, digits] = /^(.*)-(\d+)$/s.exec(name) ?? []
  const ordinal = Number(digits)
  return [parent, digits !== undefined && ordinal < 2 ** 31 ? ordinal : -1]
}

/** The number of a Pod in its set; -1 for none. */
export const ordinalOf = ({ metadata }: Pod): number => parentAndOrdinal(metadata.name!)[1]

export const isMember = (set: Stateful, { metadata }: Pod): boolean => parentAndOrdinal(metadata.name!)[0] === set.metadata.name

export function isInRange(pod: Pod, set: Stateful): boolean {
  const position = ordinalOf(pod) - firstOrdinal(set)
  return position >= 0 && position < wanted(set)
}

/** Whether the Pod is there, or only to be created. */
export const isCreated = ({ status }: Pod): boolean => !!status.phase
export const hasFinished = ({ status }: Pod): boolean => hasEnded(status.phase)
export const isGoing = ({ metadata }: Pod): boolean => !!metadata.deletionTimestamp
export const isRunningAndReady = (pod: Pod): boolean => pod.status.phase === 'Running' && isReady(pod)
export const isUnavailable = (pod: Pod, { spec }: Stateful, now: number): boolean =>
  !isAvailable(pod, spec.minReadySeconds ?? 0, now) || isGoing(pod)
export const podRevision = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? ''

export const claimName = (set: Stateful, template: PersistentVolumeClaim, ordinal: number): string =>
  `${template.metadata.name}-${set.metadata.name}-${ordinal}`

/** The claims of a Pod, by the names of their templates. */
export function claimsOf(set: Stateful, pod: Pod): [name: string, claim: PersistentVolumeClaim][] {
  return (set.spec.volumeClaimTemplates ?? []).map(template => {
    const { metadata } = template
    const labels = { ...metadata.labels, ...set.spec.selector?.matchLabels }
    const name = claimName(set, template, ordinalOf(pod))
    return [metadata.name!, { ...template, metadata: { ...metadata, name, namespace: set.metadata.namespace, labels } }]
  })
}

const claimVolume = ({ persistentVolumeClaim }: Volume): string | undefined => persistentVolumeClaim?.claimName

export const hasIdentity = (set: Stateful, pod: Pod): boolean =>
  pod.metadata.labels?.[nameLabel] === pod.metadata.name && isMember(set, pod) && ordinalOf(pod) >= 0

export function hasStorage(set: Stateful, { metadata, spec }: Pod): boolean {
  const ordinal = ordinalOf({ metadata } as Pod)
  return (set.spec.volumeClaimTemplates ?? []).every(template =>
    spec.volumes?.some(
      volume => volume.name === template.metadata.name && claimVolume(volume) === claimName(set, template, ordinal)
    )
  )
}

/** The Pod with the labels that name it. */
export function withIdentity(pod: Pod): Pod {
  const { name, labels } = pod.metadata
  const own = { [nameLabel]: name!, [indexLabel]: String(ordinalOf(pod)) }
  return { ...pod, metadata: { ...pod.metadata, labels: { ...labels, ...own } } }
}

/** The Pod with its claims, in place of volumes of their names. */
export function withStorage(set: Stateful, pod: Pod): Pod {
  const claims = claimsOf(set, pod)
  const names = new Map(claims)
  const own = claims.map(([name, { metadata }]) => ({ name, persistentVolumeClaim: { claimName: metadata.name! } }) as Volume)
  const others = (pod.spec.volumes ?? []).filter(({ name }) => !names.has(name))
  return { ...pod, spec: { ...pod.spec, volumes: [...own, ...others] } }
}

/** What a set has been, and what it is to become. */
export interface Versions {
  readonly current: { readonly name: string; readonly template: PodTemplateSpec }
  readonly update: { readonly name: string; readonly template: PodTemplateSpec }
}

/** A Pod that is to be created, with the template that its ordinal has at this state of an update. */
export function newPod(set: Stateful, { current, update }: Versions, ordinal: number): Pod {
  const { type, rollingUpdate } = set.spec.updateStrategy
  const position = ordinal - firstOrdinal(set)
  const isOld = rollingUpdate
    ? position < (rollingUpdate.partition ?? 0)
    : type === 'RollingUpdate' && position < (set.status.currentReplicas ?? 0)
  const { name: revision, template } = isOld ? current : update
  const { generateName, labels, ...metadata } = podOf(template, set).metadata!
  const name = `${set.metadata.name}-${ordinal}`
  const spec = { ...structuredClone(template.spec!), hostname: name, subdomain: set.spec.serviceName || undefined }
  const own = { ...metadata, generateName, name, labels: { ...labels, [revisionLabel]: revision } }
  const pod = { metadata: own, spec, status: {} } as unknown as Pod
  return withStorage(set, withIdentity(pod))
}
