/** The condition that tells why a Pod is being deleted: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
import type { Pod, PodStatus } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft } from '../../client/stored-types.js'
import { timestamp } from '../../util/time.js'
import { podCondition } from '../workloads/pods.js'

const type = 'DisruptionTarget'

/** A strategic patch of the status, which leaves the other conditions where they are. */
export function disruptionPatch(
  pod: Pod,
  why: { readonly reason: string; readonly message: string },
  now: number,
  status: Partial<PodStatus> = {}
): Draft<Pod & KubeObject> {
  const { uid, generation } = pod.metadata
  const old = podCondition(pod, type)
  const since = old?.status === 'True' ? (old.lastTransitionTime ?? timestamp(now)) : timestamp(now)
  const condition = { type, observedGeneration: generation, status: 'True', ...why, lastTransitionTime: since }
  const order = (pod.status.conditions ?? []).map(one => ({ type: one.type }))
  if (!old) order.push({ type })
  const patch = { metadata: { uid }, status: { ...status, '$setElementOrder/conditions': order, conditions: [condition] } }
  return patch as Draft<Pod & KubeObject>
}
