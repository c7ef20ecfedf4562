/** Completes an update of a Service with the old values, and drops fields that a change of type makes meaningless. */
import type { Service, ServiceSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { ManagedFieldsEntry } from '../../../apimachinery/api/generated/meta-v1.js'
import { equalJson, isObject } from '../../../util/json.js'
import {
  isReachedFromOutside,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheckPort,
  needsNodePorts,
  trafficPolicies
} from './defaults.js'

/**
 * Makes clusterIP and clusterIPs agree: the first is the first of the second. A client that sends only clusterIP changes both.
 */
export function normalizeClusterIPs(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  if (!old) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP]
    return
  }
  const sameIP = (spec.clusterIP ?? '') === (old.clusterIP ?? '')
  const sameIPs = equalJson(spec.clusterIPs ?? [], old.clusterIPs ?? [])
  if (!sameIP && sameIPs) {
    if (!spec.clusterIP) delete spec.clusterIPs
    else spec.clusterIPs = [spec.clusterIP]
  } else if (sameIP && !sameIPs && !spec.clusterIPs?.length && old.clusterIP) delete spec.clusterIP
  else if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP]
}

/** Keeps addresses and ports that the client did not send. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(spec) && needsClusterIP(old)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP
    if (!spec.clusterIPs?.length && spec.clusterIP === old.clusterIP && old.clusterIPs) spec.clusterIPs = old.clusterIPs
  }
  if (needsNodePorts(spec) && needsNodePorts(old)) keepNodePorts(spec, old)
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(old) && old.healthCheckNodePort)
    spec.healthCheckNodePort ||= old.healthCheckNodePort
}

/** Keeps node ports by the names of the ports. */
function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const before = new Map(old.ports?.map(port => [port.name ?? '', port.nodePort]))
  const used = new Set(spec.ports?.map(port => port.nodePort))
  for (const port of spec.ports ?? []) {
    const nodePort = port.nodePort ? undefined : before.get(port.name ?? '')
    if (nodePort && !used.has(nodePort)) port.nodePort = nodePort
  }
}

/** Drops a policy that has no meaning for the type: kube-apiserver stores but never shows it. */
export function dropInternalTraffic(spec: ServiceSpec): void {
  const { type, internalTrafficPolicy: policy } = spec
  if (type === 'ExternalName' && policy && trafficPolicies.includes(policy)) delete spec.internalTrafficPolicy
}

/**
 * Adds the dropped policy to a Service for the length of an update, so that managers lose it when it goes. A manager owns it where
 * kube-apiserver has it, and it hardly ever has another value than the default.
 */
export function withInternalTraffic(service: Service): Service | undefined {
  const { spec, metadata } = service
  if (spec.type !== 'ExternalName' || spec.internalTrafficPolicy !== undefined) return undefined
  const owns = ({ fieldsV1 }: ManagedFieldsEntry) => {
    const inSpec = fieldsV1?.['f:spec']
    return isObject(inSpec) && 'f:internalTrafficPolicy' in inSpec
  }
  return metadata.managedFields?.some(owns) ? { ...service, spec: { ...spec, internalTrafficPolicy: 'Cluster' } } : undefined
}

/** Drops fields that only the old type has, unless the client changed them: validation refuses those. */
export function dropMeaningless({ spec, status }: Service, { spec: old }: Service): void {
  const drop = (field: keyof ServiceSpec) => {
    if (equalJson(spec[field], old[field])) delete spec[field]
  }
  if (needsClusterIP(old) && !needsClusterIP(spec)) {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) drop(field)
  }
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec)) {
    const before = new Set(old.ports?.map(p => p.nodePort))
    if ((spec.ports ?? []).every(p => !p.nodePort || before.has(p.nodePort)))
      for (const port of spec.ports ?? []) delete port.nodePort
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec)) drop('healthCheckNodePort')
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts')
    drop('loadBalancerClass')
    status.loadBalancer = {}
  }
  if (isReachedFromOutside(old) && !isReachedFromOutside(spec)) drop('externalTrafficPolicy')
}
