import type { Service, ServicePort, ServiceSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText, plainText } from '../../../apimachinery/validation/go-value.js'
import { internalText } from '../../../apimachinery/validation/internal-text.js'
import { ipFamily, validateCIDR, validateEndpointIP, validateIP } from '../../../apimachinery/validation/ip.js'
import { isDns1123Label, isDns1123Subdomain, isPortNumber, isQualifiedName } from '../../../apimachinery/validation/names.js'
import { validateLabels } from '../../../apimachinery/validation/object-meta.js'
import type { StrategyContext } from '../../../registry/strategy-context.js'
import { validatePort } from '../container/probe-validation.js'
import { hasTraffic, isHeadless, isReachedFromOutside, needsHealthCheckPort, trafficPolicies } from './defaults.js'

const path = Path.of('spec')
const maxAffinitySeconds = 86400

const oldHints = 'service.kubernetes.io/topology-aware-hints'
const hints = 'service.kubernetes.io/topology-mode'
const ranges = 'service.beta.kubernetes.io/load-balancer-source-ranges'

function validateAnnotations(
  { metadata: { annotations = {} }, spec }: Service,
  old: Service | undefined,
  errors: FieldErrors
): void {
  const at = Path.of('metadata', 'annotations')
  const mode = annotations[hints]
  if (mode !== undefined && annotations[oldHints] !== undefined && mode !== annotations[oldHints])
    errors.invalid(at.key(hints), mode, `must match annotations[${oldHints}] when both are specified`)
  const text = annotations[ranges]
  if (text === undefined || spec.loadBalancerSourceRanges?.length) return
  if (spec.type !== 'LoadBalancer') errors.forbidden(at.key(ranges), "may only be used when `type` is 'LoadBalancer'")
  if (text === old?.metadata.annotations?.[ranges]) return
  if (text.trim() !== '') for (const range of text.split(',')) validateCIDR(range.trim(), at.key(ranges), errors)
}

/** Validates a Service. Addresses and ranges that the old one has are not validated again. */
export function validateService(service: Service, errors: FieldErrors, _: StrategyContext, old?: Service): void {
  const { spec } = service
  validateAnnotations(service, old, errors)
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
  validateClusterIPs(service, old, errors)
  const known = new Set(old?.spec.externalIPs)
  spec.externalIPs?.forEach((ip, i) => {
    const at = path.child('externalIPs').index(i)
    if (validateIP(ip, at, errors, known)) validateEndpointIP(ip, at, errors)
  })
  oneOf(spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], path.child('type'), errors)
  validatePortsTogether(service, errors)
  validateLoadBalancer(service, old, errors)
  validateTrafficPolicies(service, errors)
}

function oneOf(value: string | undefined, supported: readonly string[], at: Path, errors: FieldErrors): void {
  if (value === undefined) errors.required(at)
  else if (!supported.includes(value)) errors.notSupported(at, value, supported)
}

function validateExternalName({ spec }: Service, errors: FieldErrors): void {
  if (spec.clusterIPs?.length) errors.forbidden(path.child('clusterIPs'), 'may not be set for ExternalName services')
  if (spec.ipFamilies?.length) errors.forbidden(path.child('ipFamilies'), 'may not be set for ExternalName services')
  if (spec.ipFamilyPolicy !== undefined)
    errors.forbidden(path.child('ipFamilyPolicy'), 'may not be set for ExternalName services')
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
  if (spec.sessionAffinity === 'None' && spec.sessionAffinityConfig)
    errors.forbidden(path.child('sessionAffinityConfig'), 'must not be set when session affinity is None')
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

/** Validates addresses and families, for allocation as well. */
export function validateClusterIPs({ spec }: Service, old: Service | undefined, errors: FieldErrors): void {
  if (spec.type === 'ExternalName') return
  const { clusterIP = '', clusterIPs: ips = [], ipFamilies = [], ipFamilyPolicy } = spec
  const at = path.child('clusterIPs')
  if (clusterIP !== '' && ips.length === 0) errors.required(at)
  else if (clusterIP !== '' && ips[0] !== clusterIP) errors.invalid(at, ips, 'first value must match `clusterIP`')
  else if (clusterIP === '' && ips.length > 0) errors.invalid(at, ips, 'must be empty when `clusterIP` is not specified')
  const seen = new Set<string>()
  ipFamilies.forEach((family, i) => {
    if (!families.includes(family)) errors.notSupported(path.child('ipFamilies').index(i), family, families)
    if (seen.has(family)) errors.duplicate(path.child('ipFamilies').index(i), namedText(family))
    seen.add(family)
  })
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy))
    errors.notSupported(path.child('ipFamilyPolicy'), ipFamilyPolicy, policies)
  let valid = true
  const known = new Set(old?.spec.clusterIPs)
  ips.forEach((ip, i) => {
    if (i === 0 && ip === 'None') {
      if (ips.length === 1) return
      errors.invalid(at, ips, "'None' must be the first and only value")
      valid = false
    } else if (!validateIP(ip, at.index(i), errors, known)) valid = false
  })
  if (ips.length > 2) errors.invalid(at, ips, 'may only hold up to 2 values')
  if (!valid) return
  if (ips.length > 1 && new Set(ips.map(ipFamily)).size < 2)
    errors.invalid(at, ips, 'may specify no more than one IP for each IP family')
  if (hasNoClusterIP(spec)) return
  ips.forEach((ip, i) => {
    const family = ipFamilies[i]
    if (family !== undefined && families.includes(family) && ipFamily(ip) !== family)
      errors.invalid(at.index(i), ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``)
  })
}

/**
 * Validates changes of addresses and families: the first of each cannot change, the second may be added or removed with the
 * policy.
 */
export function validateServiceUpdate({ spec }: Service, { spec: old }: Service, errors: FieldErrors): void {
  if (spec.type !== 'ExternalName' && old.type !== 'ExternalName') {
    const headless = hasNoClusterIP(spec)
    const wasHeadless = hasNoClusterIP(old)
    if (!headless || !wasHeadless) validateKept('clusterIPs', 'clusterIP', spec, old, errors)
    if (!headless && !wasHeadless) validateKept('ipFamilies', 'ipFamily', spec, old, errors)
  }
  const same = (spec.loadBalancerClass ?? null) === (old.loadBalancerClass ?? null)
  if (spec.type === 'LoadBalancer' && old.type === 'LoadBalancer' && !same)
    errors.invalid(path.child('loadBalancerClass'), namedText(spec.loadBalancerClass), 'may not change once set')
  validateLoadBalancerClass(spec, errors)
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(old) && spec.healthCheckNodePort !== old.healthCheckNodePort)
    errors.forbidden(path.child('healthCheckNodePort'), 'field is immutable')
}

/** Whether the Service has no cluster IP, by the list: that `clusterIP` may say something else is an error of its own. */
const hasNoClusterIP = ({ clusterIPs = [] }: ServiceSpec) => clusterIPs.length === 1 && clusterIPs[0] === 'None'

function validateKept(
  field: 'clusterIPs' | 'ipFamilies',
  one: string,
  spec: ServiceSpec,
  old: ServiceSpec,
  errors: FieldErrors
): void {
  const now: readonly string[] = spec[field] ?? []
  const before: readonly string[] = old[field] ?? []
  const at = path.child(field)
  const ips = spec.clusterIPs ?? []
  // when the number of families changes, the errors show the addresses
  const shown = now.length === before.length ? now : ips
  const wrong = (i: number) => errors.invalid(at.index(i), shown, 'may not change once set')
  if (now.length === before.length) {
    before.forEach((value, i) => {
      if (value !== now[i]) wrong(field === 'clusterIPs' ? i : 0)
    })
    return
  }
  if (before.length > now.length && ips.length === 0) errors.invalid(at.index(0), now, `primary ${one} can not be unset`)
  if (before.length > 0 && now.length > 0 && now[0] !== before[0]) wrong(0)
  if (before.length > now.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack')
    errors.invalid(
      path.child('ipFamilyPolicy'),
      namedText(spec.ipFamilyPolicy),
      `must be set to 'SingleStack' when releasing the secondary ${one}`
    )
}

/** The fields of a port, in the order of kube-apiserver's internal type. */
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

/** Validates what belongs to load balancers. Some paths have kube-apiserver's internal names. */
function validateLoadBalancer({ spec }: Service, old: Service | undefined, errors: FieldErrors): void {
  const only = "may only be used when `type` is 'LoadBalancer'"
  const balancer = spec.type === 'LoadBalancer'
  if (spec.loadBalancerSourceRanges?.length) {
    const at = path.child('LoadBalancerSourceRanges')
    const known = new Set(old?.spec.loadBalancerSourceRanges?.map(range => range.trim()))
    if (!balancer) errors.forbidden(at, only)
    spec.loadBalancerSourceRanges.forEach((range, i) => {
      // kube-apiserver has always accepted blanks around it
      validateCIDR(range.trim(), at.index(i), errors, known)
    })
  }
  if (!balancer && spec.allocateLoadBalancerNodePorts !== undefined)
    errors.forbidden(path.child('allocateLoadBalancerNodePorts'), only)
  if (balancer && spec.allocateLoadBalancerNodePorts === undefined) errors.required('allocateLoadBalancerNodePorts')
  validateLoadBalancerClass(spec, errors)
}

/** Validates the class of a load balancer, which kube-apiserver does twice in an update. */
function validateLoadBalancerClass({ type, loadBalancerClass }: ServiceSpec, errors: FieldErrors): void {
  const at = path.child('loadBalancerClass')
  if (loadBalancerClass === undefined) return
  if (type !== 'LoadBalancer') errors.forbidden(at, "may only be used when `type` is 'LoadBalancer'")
  else for (const e of isQualifiedName(loadBalancerClass)) errors.invalid(at, loadBalancerClass, e)
}

function validateTrafficPolicies({ spec }: Service, errors: FieldErrors): void {
  const external = path.child('externalTrafficPolicy')
  if (!isReachedFromOutside(spec)) {
    if (spec.externalTrafficPolicy)
      errors.invalid(external, namedText(spec.externalTrafficPolicy), 'may only be set for externally-accessible services')
  } else oneOf(spec.externalTrafficPolicy, trafficPolicies, external, errors)
  const port = spec.healthCheckNodePort ?? 0
  const at = path.child('healthCheckNodePort')
  if (!needsHealthCheckPort(spec)) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    if (port !== 0) errors.invalid(at, port, why)
  } else if (port === 0) errors.required(at)
  else for (const e of isPortNumber(port)) errors.invalid(at, port, e)
  if (hasTraffic(spec)) oneOf(spec.internalTrafficPolicy, trafficPolicies, path.child('internalTrafficPolicy'), errors)
  else if (spec.internalTrafficPolicy !== undefined && !trafficPolicies.includes(spec.internalTrafficPolicy))
    errors.notSupported(path.child('internalTrafficPolicy'), spec.internalTrafficPolicy, trafficPolicies)
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution)) {
    errors.notSupported(path.child('trafficDistribution'), plainText(spec.trafficDistribution), distributions)
  }
}
