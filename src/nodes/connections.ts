/** Makes the connections of a server into its cluster from its options. */

import { dialer, type TlsOptions } from '../proxy/dial.js'
import type { Connections } from '../registry/services.js'

export const defaultAddressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const

/** `kubelets` is called for each connection to a kubelet. */
export function connectionsOf(
  kubelets: () => TlsOptions | Promise<TlsOptions>,
  addressTypes: readonly string[] | undefined
): Connections {
  return {
    kubelets: dialer(kubelets),
    unverifiedKubelets: dialer(async () => ({ ...(await kubelets()), ca: undefined })),
    // Pods are known by their addresses, which their certificates do not have
    workloads: dialer(() => ({})),
    addressTypes: addressTypes ?? defaultAddressTypes
  }
}
