/** Quality of service (https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/). */
import type { PodSpec, ResourceRequirements } from '../../api/generated/core-v1.js'
import { compareQuantity, parseQuantity } from '../../util/quantity.js'

const counted = ['cpu', 'memory'] as const

const amount = (list: Record<string, string> | undefined, name: string) => {
  const text = list?.[name]
  const quantity = text === undefined ? undefined : parseQuantity(text)
  return quantity && quantity.mantissa > 0n ? quantity : undefined
}

export function qosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  // resources of the Pod as a whole stand in for those of its containers
  const all: ResourceRequirements[] = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(c => c.resources)
  let any = false
  let guaranteed = true
  for (const { limits, requests } of all) {
    for (const name of counted) {
      const limit = amount(limits, name)
      const request = amount(requests, name)
      if (limit || request) any = true
      if (!limit || (request && compareQuantity(limit, request) !== 0)) guaranteed = false
    }
  }
  return any ? (guaranteed ? 'Guaranteed' : 'Burstable') : 'BestEffort'
}
