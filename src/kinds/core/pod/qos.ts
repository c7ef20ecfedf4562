/** Computes the quality of service of a Pod (https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/). */
import type { PodSpec, ResourceRequirements } from '../../../apimachinery/api/generated/core-v1.js'
import type { HonouredGate } from '../../../apimachinery/features/honoured-gates.js'
import { addQuantities, compareQuantities, parseQuantity } from '../../../util/quantity.js'

const counted = ['cpu', 'memory'] as const

type Counted = (typeof counted)[number]

const isPositive = (amount: string | undefined): amount is string => amount !== undefined && parseQuantity(amount).mantissa > 0n

/** Sums up the containers' quantities. Those that are not positive do not count. */
function sums(lists: readonly (Record<string, string> | undefined)[]): Map<Counted, string> {
  const total = new Map<Counted, string>()
  for (const list of lists) {
    for (const name of counted) {
      const amount = list?.[name]
      if (!isPositive(amount)) continue
      const before = total.get(name)
      total.set(name, before === undefined ? amount : addQuantities(before, amount))
    }
  }
  return total
}

/** Whether the Pod as a whole has quantities that count. */
const hasOwn = ({ requests, limits }: ResourceRequirements): boolean =>
  Object.keys({ ...requests, ...limits }).some(name => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'))

/** Without the gate PodLevelResourcesFixKubeletQOSClass, resources of the Pod count even when they are empty. */
export function qosClass(
  spec: PodSpec,
  gates?: { enabled(gate: HonouredGate): boolean }
): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const countsEmpty = gates !== undefined && !gates.enabled('PodLevelResourcesFixKubeletQOSClass')
  // resources of the Pod as a whole replace those of its containers
  const all: ResourceRequirements[] =
    spec.resources && (countsEmpty || hasOwn(spec.resources))
      ? [spec.resources]
      : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(c => c.resources)
  const requests = sums(all.map(r => r.requests))
  const limits = sums(all.map(r => r.limits))
  if (requests.size + limits.size === 0) return 'BestEffort'
  const allLimited = all.every(r => counted.every(name => isPositive(r.limits?.[name])))
  const same = (name: Counted) =>
    requests.has(name) === limits.has(name) &&
    (!requests.has(name) || compareQuantities(requests.get(name)!, limits.get(name)!) === 0)
  return allLimited && counted.every(same) ? 'Guaranteed' : 'Burstable'
}
