import type { Service, ServiceSpec } from '../../../apimachinery/api/generated/core-v1.js'

export const isHeadless = ({ clusterIP }: ServiceSpec): boolean => clusterIP === 'None'
export const needsClusterIP = ({ type }: ServiceSpec): boolean => type !== 'ExternalName'
export const hasTraffic = ({ type }: ServiceSpec): boolean =>
  type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer'
export const needsNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && (allocateLoadBalancerNodePorts ?? true))
/** Whether a Service may have node ports, no matter who chooses them. */
export const mayHaveNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer'
export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
export const isReachedFromOutside = ({ type, externalIPs }: ServiceSpec): boolean =>
  type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && (externalIPs?.length ?? 0) > 0)

/** The traffic policies, in the order in which errors list them. */
export const trafficPolicies: readonly string[] = ['Cluster', 'Local']

const affinitySeconds = 10800

export function defaultService({ spec, status }: Service): void {
  spec.sessionAffinity ??= 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP') {
    spec.sessionAffinityConfig ??= {}
    spec.sessionAffinityConfig.clientIP ??= {}
    spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= affinitySeconds
  }
  spec.type ??= 'ClusterIP'
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP'
    if (!port.targetPort) port.targetPort = port.port
  }
  if (isReachedFromOutside(spec)) spec.externalTrafficPolicy ||= 'Cluster'
  if (hasTraffic(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type !== 'LoadBalancer') return
  spec.allocateLoadBalancerNodePorts ??= true
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP'
}
