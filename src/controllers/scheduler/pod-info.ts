/** What the scheduler asks of a Pod again and again, worked out once. */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { Labels } from '../../apimachinery/selectors/labels.js'
import { keyOf } from '../workloads/owners.js'
import { type AffinityTerms, termsOf } from './affinity-terms.js'
import { labelsOf } from './labels.js'
import { type PodRequests, requestsOf } from './resources.js'
import { SharedValues } from './shared-values.js'

export interface HostPort {
  readonly ip: string
  /** Protocol and number. */
  readonly port: string
}

/** What spreading and affinity see of a Pod: Pods of the same shape are counted, not looked at one by one. */
export interface PodShape {
  readonly key: string
  readonly namespace: string
  readonly labels: Labels
  readonly terms: AffinityTerms
}

export interface PodInfo {
  readonly pod: Pod
  readonly uid: string
  /** Namespace and name. */
  readonly key: string
  readonly priority: number
  readonly isTerminating: boolean
  readonly requests: PodRequests
  readonly ports: readonly HostPort[]
  /** The keys of the PersistentVolumeClaims that its volumes name; those of ephemeral volumes are not among them. */
  readonly claims: readonly string[]
  readonly shape: PodShape
}

export const anyAddress = '0.0.0.0'

function hostPortsOf({ spec }: Pod): HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  return [...sidecars, ...(spec.containers ?? [])].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ ip: hostIP || anyAddress, port: `${protocol || 'TCP'} ${hostPort}` }] : []
    )
  )
}

const shapes = new SharedValues<PodShape>()

function shapeOf(pod: Pod): PodShape {
  const namespace = pod.metadata.namespace ?? ''
  const labels = labelsOf(pod)
  const { affinity } = pod.spec
  const key = JSON.stringify([namespace, labels, affinity?.podAffinity, affinity?.podAntiAffinity])
  return shapes.of(key, () => ({ key, namespace, labels, terms: termsOf(namespace, affinity) }))
}

export function podInfoOf(pod: Pod): PodInfo {
  const { namespace, uid, deletionTimestamp } = pod.metadata
  return {
    pod,
    uid: uid!,
    key: keyOf(pod),
    priority: pod.spec.priority ?? 0,
    isTerminating: !!deletionTimestamp,
    requests: requestsOf(pod),
    ports: hostPortsOf(pod),
    claims: (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
      persistentVolumeClaim ? [`${namespace}/${persistentVolumeClaim.claimName}`] : []
    ),
    shape: shapeOf(pod)
  }
}

/** Where the Pod is, for the scheduler: nobody else has to know yet. */
export const assignedTo = (info: PodInfo, nodeName: string): PodInfo => ({
  ...info,
  pod: { ...info.pod, spec: { ...info.pod.spec, nodeName } }
})
