import { hostname } from 'node:os'
import { firstAddress, ipAddressBytes } from './ip-address.js'

export interface ServingNameOptions {
  readonly bindAddress?: string | undefined
  readonly advertiseAddress?: string | undefined
  readonly externalHostname?: string | undefined
  readonly serviceClusterIPRange?: string | undefined
}

/**
 * Returns the names and addresses by which clients, inside and outside of pods, reach the server: the SANs of its certificate.
 */
export const servingNames = ({
  bindAddress,
  advertiseAddress,
  externalHostname,
  serviceClusterIPRange = ''
}: ServingNameOptions): string[] => {
  const names = new Set([
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    '127.0.0.1',
    '::1'
  ])
  for (const range of serviceClusterIPRange.split(',')) names.add(firstAddress(range) ?? '')
  // clients cannot connect to "all addresses" (0.0.0.0, ::)
  for (const address of [bindAddress, advertiseAddress])
    if (address && ipAddressBytes(address)?.some(byte => byte !== 0)) names.add(address)
  for (const name of [hostname(), externalHostname ?? '']) if (ipAddressBytes(name) || isDnsName(name)) names.add(name)
  names.delete('')
  return [...names]
}

/** Whether a name may be a DNS name in a certificate. Underscores are allowed because host names contain them. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9_]([-a-z0-9_.]*[a-z0-9_])?$/i.test(name) && !name.includes('..')
