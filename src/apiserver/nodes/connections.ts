/** Makes the connections of a server into its cluster from its options. */

import type { Connections } from '../../registry/services.js'
import type { Connect } from '../../transport/egress/egress-selector.js'
import { dialer, type TlsOptions } from '../../transport/proxy/dial.js'
import type { Dial, InProcessServers } from '../../transport/proxy/dial-target.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import { StreamMetrics } from './stream-metrics.js'

const defaultAddressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const

export interface ConnectionOptions {
  /** Returns the options of TLS; called for each connection to a kubelet. */
  readonly kubelets: () => TlsOptions | Promise<TlsOptions>
  readonly addressTypes: readonly string[] | undefined
  /** Opens the connections into the cluster that an egress selection redirects. */
  readonly egress: Connect | undefined
  readonly bytesPerSecond: number | undefined
  readonly metrics: Metrics
}

export function connectionsOf({ kubelets, addressTypes, egress, bytesPerSecond, metrics }: ConnectionOptions): Connections {
  const simulatedKubelets: InProcessServers = {}
  const orSimulated =
    (dial: Dial, connect: 'connect' | 'connectToPod' = 'connect'): Dial =>
    async (target, signal) =>
      simulatedKubelets[connect]?.(target) ?? dial(target, signal)
  return {
    kubelets: orSimulated(dialer(kubelets, egress)),
    unverifiedKubelets: orSimulated(dialer(async () => ({ ...(await kubelets()), ca: undefined }), egress)),
    simulatedKubelets,
    simulatedServices: {},
    // Pods are known by their addresses, which their certificates lack
    workloads: orSimulated(
      dialer(() => ({}), egress),
      'connectToPod'
    ),
    addressTypes: addressTypes ?? defaultAddressTypes,
    bytesPerSecond,
    counts: new StreamMetrics(metrics)
  }
}
