/** The addresses of Services, and what marks their IPAddresses. */
import type { Service } from '../../apimachinery/api/generated/core-v1.js'
import { canonicalIP, ipFamily } from '../../apimachinery/validation/ip.js'

export const managedByAllocator = { label: 'ipaddress.kubernetes.io/managed-by', value: 'ipallocator.k8s.io' } as const

/** The labels of the IPAddress of a Service. */
export const addressLabels = (address: string): Record<string, string> => ({
  'ipaddress.kubernetes.io/ip-family': ipFamily(address),
  [managedByAllocator.label]: managedByAllocator.value
})

/** Returns the addresses of a Service in the form in which IPAddresses are named. */
export const addressesOf = ({ spec }: Service): string[] =>
  (spec.clusterIPs ?? []).filter(ip => ip !== 'None' && ip !== '').map(canonicalIP)
