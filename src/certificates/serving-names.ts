import { hostname } from 'node:os'
import { firstAddress, ipAddressBytes } from './ip-address.js'

export interface ServingNameOptions {
  readonly bindAddress?: string | undefined
  readonly advertiseAddress?: string | undefined
  readonly externalHostname?: string | undefined
  readonly serviceClusterIPRange?: string | undefined
}

/** The names and addresses under which clients, in and outside of pods, reach the server: the serving certificate's SANs. */
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
  // "All addresses" (0.0.0.0, ::) is none that a client could dial.
  for (const address of [bindAddress, advertiseAddress])
    if (address && ipAddressBytes(address)?.some(byte => byte !== 0)) names.add(address)
  for (const name of [hostname(), externalHostname ?? '']) if (ipAddressBytes(name) || isDnsName(name)) names.add(name)
  names.delete('')
  return [...names]
}

/** What may stand in a certificate as a DNS name. Underscores do not belong there but occur in host names. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9_]([-a-z0-9_.]*[a-z0-9_])?$/i.test(name) && !name.includes('..')
