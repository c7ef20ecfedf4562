/** Computes the quality of service of a Pod (https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/). */
import type { PodSpec, ResourceRequirements } from '../../../apimachinery/api/generated/core-v1.js'
import type { HonouredGate } from '../../../apimachinery/features/honoured-gates.js'
import { compareQuantities, parseQuantity } from '../../../util/quantity.js'
import { isPodLevel } from './resources.js'

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort'

/** The class that all have in common; Burstable when they differ. */
const common = (classes: readonly QosClass[]): QosClass =>
  classes.every(other => other === classes[0]) ? (classes[0] ?? 'BestEffort') : 'Burstable'

/** A quantity of zero is none. */
function classOf({ requests, limits }: ResourceRequirements, name: 'cpu' | 'memory'): QosClass {
  const [request = '0', limit = '0'] = [requests?.[name], limits?.[name]]
  if (compareQuantities(request, limit) !== 0) return 'Burstable'
  return parseQuantity(request).mantissa === 0n ? 'BestEffort' : 'Guaranteed'
}

/** Whether the Pod as a whole has quantities that count. */
const hasOwn = ({ requests, limits }: ResourceRequirements): boolean => Object.keys({ ...requests, ...limits }).some(isPodLevel)

/**
 * Resources of the Pod as a whole replace those of its containers, if there are any. Without the gate
 * PodLevelResourcesFixKubeletQOSClass, they do so even when they are empty.
 */
export function qosClass(spec: PodSpec, gates?: { enabled(gate: HonouredGate): boolean }): QosClass {
  const { resources, containers, initContainers } = spec
  const countsEmpty = gates !== undefined && !gates.enabled('PodLevelResourcesFixKubeletQOSClass')
  const isSet = resources && (countsEmpty || hasOwn(resources))
  const all = isSet ? [resources] : [...(initContainers ?? []), ...(containers ?? [])].map(c => c.resources ?? {})
  return common(all.map(one => common([classOf(one, 'cpu'), classOf(one, 'memory')])))
}
