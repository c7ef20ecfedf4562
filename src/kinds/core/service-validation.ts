import type { Service, ServicePort } from '../../api/generated/core-v1.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { internalText } from '../../validation/internal-text.js'
import { ipFamily, isCIDR, isIP, validateIP } from '../../validation/ip.js'
import { isDns1123Label, isDns1123Subdomain, isPortNumber, isQualifiedName } from '../../validation/names.js'
import { validateLabels } from '../../validation/object-meta.js'
import { validatePort } from './probe-validation.js'
import { isHeadless, isReachedFromOutside, needsClusterIP, needsHealthCheckPort } from './service-defaults.js'

const path = Path.of('spec')
const maxAffinitySeconds = 86400

export function validateService(service: Service, errors: FieldErrors): void {
  const { spec } = service
  const ports = spec.ports ?? []
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') errors.required(path.child('ports'))
  if (isHeadless(spec) && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    errors.invalid(path.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${spec.type} services`)
  }
  if (spec.type === 'ExternalName') validateExternalName(service, errors)
  const names = new Set<string>()
  ports.forEach((port, i) => void validateServicePort(port, ports.length > 1, names, path.child('ports').index(i), errors))
  validateLabels(spec.selector, path.child('selector'), errors)
  validateAffinity(service, errors)
  validateClusterIPs(service, undefined, errors)
  spec.externalIPs?.forEach((ip, i) => {
    const at = path.child('externalIPs').index(i)
    validateIP(ip, at, errors)
    if (isIP(ip)) validateEndpointIP(ip, at, errors)
  })
  oneOf(spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], path.child('type'), errors)
  validatePortsTogether(service, errors)
  validateLoadBalancer(service, errors)
  validateTrafficPolicies(service, errors)
}

function oneOf(value: string | undefined, supported: readonly string[], at: Path, errors: FieldErrors): void {
  if (!value) errors.required(at)
  else if (!supported.includes(value)) errors.notSupported(at, value, supported)
}

function validateExternalName({ spec }: Service, errors: FieldErrors): void {
  if (spec.clusterIPs?.length) errors.forbidden(path.child('clusterIPs'), "may not be set when `type` is 'ExternalName'")
  if (spec.ipFamilies?.length) errors.forbidden(path.child('ipFamilies'), "may not be set when `type` is 'ExternalName'")
  if (spec.ipFamilyPolicy !== undefined)
    errors.forbidden(path.child('ipFamilyPolicy'), "may not be set when `type` is 'ExternalName'")
  const name = spec.externalName?.replace(/\.$/, '')
  if (!name) errors.required(path.child('externalName'))
  else for (const e of isDns1123Subdomain(name)) errors.invalid(path.child('externalName'), name, e)
}

function validateServicePort(port: ServicePort, named: boolean, names: Set<string>, at: Path, errors: FieldErrors): void {
  if (!port.name) {
    if (named) errors.required(at.child('name'))
  } else {
    for (const e of isDns1123Label(port.name)) errors.invalid(at.child('name'), port.name, e)
    if (names.has(port.name)) errors.duplicate(at.child('name'), port.name)
    names.add(port.name)
  }
  for (const e of isPortNumber(port.port)) errors.invalid(at.child('port'), port.port, e)
  oneOf(port.protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'), errors)
  validatePort(port.targetPort ?? 0, at.child('targetPort'), errors)
  if (port.appProtocol !== undefined)
    for (const e of isQualifiedName(port.appProtocol)) errors.invalid(at.child('appProtocol'), port.appProtocol, e)
}

function validateAffinity({ spec }: Service, errors: FieldErrors): void {
  oneOf(spec.sessionAffinity, ['ClientIP', 'None'], path.child('sessionAffinity'), errors)
  if (spec.sessionAffinity !== 'ClientIP') return
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0
  if (seconds <= 0 || seconds > maxAffinitySeconds) {
    errors.invalid(
      path.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds'),
      seconds,
      `must be greater than 0 and less than ${maxAffinitySeconds}`
    )
  }
}

const families = ['IPv4', 'IPv6']
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** The rules of addresses and families, which are looked at before allocation too. */
export function validateClusterIPs({ spec }: Service, old: Service | undefined, errors: FieldErrors): void {
  if (!needsClusterIP(spec)) return
  const ips = spec.clusterIPs ?? []
  const at = path.child('clusterIPs')
  const hasInvalidPolicy = spec.ipFamilyPolicy !== undefined && !policies.includes(spec.ipFamilyPolicy)
  if (hasInvalidPolicy)
    errors.invalid(path.child('ipFamilyPolicy'), spec.ipFamilyPolicy, `must be one of: ${policies.join(', ')}`)
  spec.ipFamilies?.forEach((family, i) => {
    if (!families.includes(family)) errors.notSupported(path.child('ipFamilies').index(i), family, families)
    if (spec.ipFamilies!.indexOf(family) < i) errors.duplicate(path.child('ipFamilies').index(i), family)
  })
  if (ips.length > 2) errors.tooMany(at, ips.length, 2)
  if (ips.length > 0 && ips[0] !== (spec.clusterIP ?? '')) errors.invalid(at, ips, 'first value must match `clusterIP`')
  if (ips.length === 0 && spec.clusterIP) errors.required(at)
  ips.forEach((ip, i) => {
    if (ip === 'None') {
      if (i > 0) errors.invalid(at.index(i), ip, "'None' must be the first and only value")
    } else if (ip !== '') {
      validateIP(ip, at.index(i), errors)
      const family = spec.ipFamilies?.[i]
      if (isIP(ip) && family && families.includes(family) && ipFamily(ip) !== family)
        errors.invalid(at.index(i), ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``)
    }
  })
  if (ips.length === 2 && ips.every(isIP) && ipFamily(ips[0]!) === ipFamily(ips[1]!))
    errors.invalid(at, ips, 'may specify no more than one IP for each IP family')
  const two = ips.length > 1 || new Set(spec.ipFamilies).size > 1
  if (two && (spec.ipFamilyPolicy === undefined || spec.ipFamilyPolicy === 'SingleStack') && !old) {
    const why = 'must be RequireDualStack or PreferDualStack when multiple '
    errors.invalid(
      path.child('ipFamilyPolicy'),
      spec.ipFamilyPolicy ?? null,
      `${why}${ips.length > 1 ? '`clusterIPs`' : '`ipFamilies`'} are specified`
    )
  }
  if (old && needsClusterIP(old.spec)) validateKept(spec.clusterIPs ?? [], old.spec.clusterIPs ?? [], at, errors)
}

/** A second address may come and go with the policy, the first one never. */
function validateKept(ips: readonly string[], before: readonly string[], at: Path, errors: FieldErrors): void {
  if (before.length === 0 || ips.length === 0) return
  if (ips[0] !== before[0]) errors.invalid(at.index(0), ips, 'may not change once set')
  if (before.length > 1 && ips.length > 1 && ips[1] !== before[1]) errors.invalid(at.index(1), ips, 'may not change once set')
}

/** In the order of the internal type. */
const portFields = ['Name', 'Protocol', 'AppProtocol', 'Port', 'TargetPort', 'NodePort']

function validatePortsTogether({ spec }: Service, errors: FieldErrors): void {
  const seen = new Set<string>()
  const nodePorts = new Set<string>()
  spec.ports?.forEach((port, i) => {
    const at = path.child('ports').index(i)
    if (spec.type === 'ClusterIP' && port.nodePort)
      errors.forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'")
    if (port.nodePort) {
      const key = `${port.protocol}/${port.nodePort}`
      if (nodePorts.has(key)) errors.duplicate(at.child('nodePort'), port.nodePort)
      nodePorts.add(key)
    }
  })
  spec.ports?.forEach(({ protocol, port }, i) => {
    const key = `${protocol}/${port}`
    if (seen.has(key))
      errors.duplicate(path.child('ports').index(i), internalText('core.v1.ServicePort', { protocol, port }, portFields))
    seen.add(key)
  })
}

/** Some of the paths are the internal names: observed so. */
function validateLoadBalancer({ spec }: Service, errors: FieldErrors): void {
  const only = "may only be used when `type` is 'LoadBalancer'"
  const balancer = spec.type === 'LoadBalancer'
  if (spec.loadBalancerSourceRanges?.length) {
    const at = path.child('LoadBalancerSourceRanges')
    if (!balancer) errors.forbidden(at, only)
    spec.loadBalancerSourceRanges.forEach((range, i) => {
      if (!isCIDR(range.trim()))
        errors.invalid(at.index(i), range, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')
    })
  }
  if (!balancer) {
    if (spec.allocateLoadBalancerNodePorts !== undefined) errors.forbidden(path.child('allocateLoadBalancerNodePorts'), only)
    if (spec.loadBalancerClass !== undefined) errors.forbidden(path.child('loadBalancerClass'), only)
  } else {
    if (spec.allocateLoadBalancerNodePorts === undefined)
      errors.required(path.child('allocateLoadBalancerNodePorts'), "field is required when `type` is 'LoadBalancer'")
    if (spec.loadBalancerClass !== undefined)
      for (const e of isQualifiedName(spec.loadBalancerClass))
        errors.invalid(path.child('loadBalancerClass'), spec.loadBalancerClass, e)
  }
}

function validateTrafficPolicies({ spec }: Service, errors: FieldErrors): void {
  const external = path.child('externalTrafficPolicy')
  const kinds = ['Cluster', 'Local']
  if (!isReachedFromOutside(spec)) {
    if (spec.externalTrafficPolicy)
      errors.invalid(external, spec.externalTrafficPolicy, 'may only be set for externally-accessible services')
  } else oneOf(spec.externalTrafficPolicy, kinds, external, errors)
  if (spec.healthCheckNodePort && !needsHealthCheckPort(spec)) {
    errors.invalid(
      path.child('healthCheckNodePort'),
      spec.healthCheckNodePort,
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    )
  }
  if (needsClusterIP(spec)) oneOf(spec.internalTrafficPolicy, kinds, path.child('internalTrafficPolicy'), errors)
  else if (spec.internalTrafficPolicy !== undefined && !kinds.includes(spec.internalTrafficPolicy))
    errors.notSupported(path.child('internalTrafficPolicy'), spec.internalTrafficPolicy, kinds)
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution)) {
    errors.notSupported(path.child('trafficDistribution'), spec.trafficDistribution, distributions)
  }
}

/** Addresses at which nothing but the node itself, or many at once, could be. */
export function validateEndpointIP(ip: string, at: Path, errors: FieldErrors): void {
  const low = ip.toLowerCase()
  if (low === '0.0.0.0' || low === '::') errors.invalid(at, ip, `may not be unspecified (${JSON.stringify(ip)})`)
  if (low.startsWith('127.') || low === '::1') errors.invalid(at, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')
  if (low.startsWith('169.254.') || /^fe[89ab]/.test(low))
    errors.invalid(at, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  if (low.startsWith('224.0.0.') || /^ff[0-9a-f]2:/.test(low))
    errors.invalid(at, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
}
