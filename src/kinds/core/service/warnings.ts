import type { Service } from '../../../apimachinery/api/generated/core-v1.js'
import { Path } from '../../../apimachinery/validation/field.js'
import { cidrWarnings, ipWarnings } from '../../../apimachinery/validation/ip.js'
import { isHeadless } from './defaults.js'

const oldHints = 'service.kubernetes.io/topology-aware-hints'

export function serviceWarnings({ metadata, spec }: Service): string[] {
  const path = Path.of('spec')
  const { clusterIPs = [], externalIPs = [], loadBalancerIP, loadBalancerSourceRanges = [], type } = spec
  const headless = type === 'ClusterIP' && isHeadless(spec)
  const external = type === 'ExternalName'
  const all = (field: string, ips: readonly string[]) => ips.flatMap((ip, i) => ipWarnings(ip, path.child(field).index(i)))
  const warnings: (string | false)[] = [
    metadata.annotations?.[oldHints] !== undefined &&
      `annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ...(spec.clusterIP && !isHeadless(spec) ? all('clusterIPs', clusterIPs) : []),
    headless && !!loadBalancerIP && 'spec.loadBalancerIP is ignored for headless services',
    headless && externalIPs.length > 0 && 'spec.externalIPs is ignored for headless services',
    headless && spec.sessionAffinity !== 'None' && 'spec.SessionAffinity is ignored for headless services',
    ...all('externalIPs', externalIPs),
    externalIPs.length > 0 &&
      !headless &&
      !external &&
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ...(loadBalancerIP ? ipWarnings(loadBalancerIP, path.child('loadBalancerIP')) : []),
    ...loadBalancerSourceRanges.flatMap((range, i) => cidrWarnings(range, path.child('loadBalancerSourceRanges').index(i))),
    external && externalIPs.length > 0 && 'spec.externalIPs is ignored when spec.type is "ExternalName"',
    !external && !!spec.externalName && 'spec.externalName is ignored when spec.type is not "ExternalName"',
    spec.trafficDistribution === 'PreferClose' && 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'
  ]
  return warnings.filter(warning => warning !== false)
}
