import type {
  Container,
  EnvVar,
  HostAlias,
  LocalObjectReference,
  Pod,
  PodAffinity,
  PodSpec,
  TopologySpreadConstraint,
  Volume
} from '../../../apimachinery/api/generated/core-v1.js'
import { Path } from '../../../apimachinery/validation/field.js'
import { ipWarnings } from '../../../apimachinery/validation/ip.js'
import { goQuote } from '../../../util/go-format.js'
import { equalJson } from '../../../util/json.js'
import { deprecatedNodeLabel, nodeTermWarnings } from '../../deprecated-node-labels.js'
import { portWarnings } from '../container/port-warnings.js'
import { fractionalBytes } from '../fractional-bytes.js'
import { overlappingPaths } from '../volume/path-warnings.js'
import { containersWithPaths } from './annotations-validation.js'
import { appArmorKey, appArmorProfileOf, deprecatedAppArmor } from './app-armor-annotations.js'

const deprecatedVolumes: { readonly [K in keyof Volume]?: string } = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  ephemeral: '',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+'
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead'
}

const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead'
const noSelector = 'a null labelSelector results in matching no pod'
const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

type PodLike = Pick<Pod, 'metadata' | 'spec'>

/**
 * Returns the warnings about a Pod or, with its path, a template. This runs for every Pod, and there is mostly no warning: so it
 * skips missing parts, and adds warnings to a shared list.
 */
export function podWarnings({ metadata: { annotations }, spec }: PodLike, template?: Path): string[] {
  const at = template ? template.child('spec') : Path.of('spec')
  const out: string[] = []
  nodeLabelWarnings(spec, at, out)
  if (spec.topologySpreadConstraints) spreadWarnings(spec.topologySpreadConstraints, at, out)
  const annotated = (key: string, why: string) => {
    if (annotations?.[key] !== undefined) out.push(`${annotationsOf(template).key(key)}: ${why}`)
  }
  for (const key in deprecatedAnnotations) annotated(key, deprecatedAnnotations[key]!)
  if (spec.volumes) {
    volumeWarnings(spec.volumes, at, out)
    overlappingPaths(spec.volumes, out)
  }
  if (spec.hostAliases) duplicateAddresses(spec.hostAliases, at, out)
  if (spec.imagePullSecrets) pullSecretWarnings(spec.imagePullSecrets, at, out)
  if (spec.overhead) out.push(...fractionalBytes(spec.overhead, ['memory', 'ephemeral-storage'], at.child('overhead')))
  if (!spec.securityContext?.seccompProfile) annotated('seccomp.security.alpha.kubernetes.io/pod', seccomp)
  const profile = spec.securityContext?.appArmorProfile
  const containers = containersWithPaths(spec, at)
  for (const [container, path] of containers) {
    const { name, securityContext } = container
    if (!securityContext?.seccompProfile) annotated(`container.seccomp.security.alpha.kubernetes.io/${name}`, seccomp)
    // a Pod gets the warning when the annotation is copied to the field
    if (template && annotations && !securityContext?.appArmorProfile) {
      const key = appArmorKey(name)
      const sent = annotations[key]
      if (!profile || sent === undefined || !equalJson(profile, appArmorProfileOf(sent))) annotated(key, deprecatedAppArmor)
    }
    resourceWarnings(container, path, out)
    if (container.env) envWarnings(container.env, path, out)
  }
  portWarnings(containers, out)
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0)
    out.push(`${at.child('terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`)
  if (spec.affinity) {
    affinityWarnings(spec.affinity.podAffinity, at.child('affinity', 'podAffinity'), out)
    affinityWarnings(spec.affinity.podAntiAffinity, at.child('affinity', 'podAntiAffinity'), out)
  }
  spec.dnsConfig?.nameservers?.forEach((ip, i) => {
    out.push(...ipWarnings(ip, at.child('dnsConfig', 'nameservers').index(i)))
  })
  spec.hostAliases?.forEach(({ ip }, i) => void out.push(...ipWarnings(ip, at.child('hostAliases').index(i).child('ip'))))
  return out
}

const annotationsOf = (template?: Path) =>
  template ? template.child('metadata', 'annotations') : Path.of('metadata', 'annotations')

function nodeLabelWarnings({ nodeSelector, affinity }: PodSpec, path: Path, out: string[]): void {
  if (nodeSelector) {
    for (const key of Object.keys(nodeSelector).sort()) {
      const why = deprecatedNodeLabel(key)
      if (why !== undefined) out.push(`${path.child('nodeSelector').key(key)}: ${why}`)
    }
  }
  if (!affinity?.nodeAffinity) return
  const at = path.child('affinity', 'nodeAffinity')
  affinity.nodeAffinity[required]?.nodeSelectorTerms?.forEach((term, i) => {
    nodeTermWarnings(term, at.child(required, 'nodeSelectorTerms').index(i), out)
  })
  affinity.nodeAffinity[preferred]?.forEach(({ preference }, i) => {
    // preferred terms are not validated
    nodeTermWarnings(preference, at.child(preferred).index(i).child('preference'), out, true)
  })
}

function spreadWarnings(constraints: readonly TopologySpreadConstraint[], path: Path, out: string[]): void {
  constraints.forEach(({ topologyKey, labelSelector }, i) => {
    const at = path.child('topologySpreadConstraints').index(i)
    const why = deprecatedNodeLabel(topologyKey)
    if (why !== undefined) out.push(`${at.child('topologyKey')}: ${topologyKey} is ${why}`)
    if (!labelSelector) out.push(`${at.child('labelSelector')}: ${noSelector}`)
  })
}

function volumeWarnings(volumes: readonly Volume[], path: Path, out: string[]): void {
  volumes.forEach((volume, i) => {
    const at = path.child('volumes').index(i)
    for (const source in deprecatedVolumes) {
      if (volume[source as keyof Volume] === undefined) continue
      if (source !== 'ephemeral') {
        out.push(`${at.child(source === 'storageos' ? 'storageOS' : source)}: ${deprecatedVolumes[source as keyof Volume]}`)
        continue
      }
      const { requests, limits } = volume.ephemeral?.volumeClaimTemplate?.spec.resources ?? {}
      const resources = at.child('ephemeral', 'volumeClaimTemplate', 'spec', 'resources')
      out.push(...fractionalBytes(requests, ['storage'], resources.child('requests')))
      out.push(...fractionalBytes(limits, ['storage'], resources.child('limits')))
    }
  })
}

function duplicateAddresses(hostAliases: readonly HostAlias[], path: Path, out: string[]): void {
  const seen = new Set<string>()
  hostAliases.forEach(({ ip }, i) => {
    if (seen.has(ip)) out.push(`${path.child('hostAliases').index(i).child('ip')}: duplicate ip ${goQuote(ip)}`)
    seen.add(ip)
  })
}

function pullSecretWarnings(secrets: readonly LocalObjectReference[], path: Path, out: string[]): void {
  const names = secrets.map(({ name = '' }) => name)
  const at = (i: number) => path.child('imagePullSecrets').index(i).child('name')
  const seen = new Set<string>()
  names.forEach((name, i) => {
    if (seen.has(name)) out.push(`${at(i)}: duplicate name ${goQuote(name)}`)
    seen.add(name)
  })
  names.forEach((name, i) => {
    if (name === '') out.push(`${at(i)}: invalid empty name ""`)
  })
}

const countedInBytes = ['memory', 'ephemeral-storage']

function resourceWarnings({ resources }: Container, path: Path, out: string[]): void {
  for (const name of countedInBytes) {
    for (const list of ['limits', 'requests'] as const) {
      const quantities = resources?.[list]
      if (quantities) out.push(...fractionalBytes(quantities, [name], path.child('resources', list)))
    }
  }
}

function envWarnings(env: readonly EnvVar[], path: Path, out: string[]): void {
  const names = new Set<string>()
  env.forEach(({ name, value = '', valueFrom }, i) => {
    if (!names.has(name)) {
      names.add(name)
      return
    }
    // "$(NAME)" refers to the earlier one
    const reference = `$(${name})`
    if (!valueFrom && value !== reference && value.includes(reference)) return
    out.push(
      `${path.child('env').index(i)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`
    )
  })
}

function affinityWarnings(affinity: PodAffinity | undefined, path: Path, out: string[]): void {
  affinity?.[required]?.forEach(({ labelSelector }, i) => {
    if (!labelSelector) out.push(`${path.child(required).index(i).child('labelSelector')}: ${noSelector}`)
  })
  affinity?.[preferred]?.forEach(({ podAffinityTerm }, i) => {
    if (podAffinityTerm.labelSelector) return
    out.push(`${path.child(preferred).index(i).child('podAffinityTerm', 'labelSelector')}: ${noSelector}`)
  })
}
