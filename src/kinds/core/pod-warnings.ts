import type { Container, NodeSelectorTerm, Pod, PodAffinity, PodSpec, Volume } from '../../api/generated/core-v1.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import { Path } from '../../validation/field.js'
import { ipWarnings } from '../../validation/ip.js'
import { isLabelValue } from '../../validation/names.js'
import { deprecatedNodeLabel } from '../deprecated-node-labels.js'
import { appArmorKey, appArmorProfileOf, deprecatedAppArmor } from './app-armor-annotations.js'
import { fractionalBytes } from './fractional-bytes.js'
import { containersWithPaths } from './pod-annotations-validation.js'
import { portWarnings } from './port-warnings.js'
import { overlappingPaths } from './volume-path-warnings.js'

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

/** What is worth a word about a Pod or, with its path, a template. */
export function podWarnings({ metadata: { annotations = {} }, spec }: PodLike, template?: Path): string[] {
  const at = template ? template.child('spec') : Path.of('spec')
  const annotation = template ? template.child('metadata', 'annotations') : Path.of('metadata', 'annotations')
  const profile = spec.securityContext?.appArmorProfile
  const ofContainer = (container: Container, path: Path): string[] => {
    const { name, securityContext } = container
    const seccompKey = `container.seccomp.security.alpha.kubernetes.io/${name}`
    const warnings: string[] = []
    if (!securityContext?.seccompProfile && annotations[seccompKey] !== undefined)
      warnings.push(`${annotation.key(seccompKey)}: ${seccomp}`)
    const appArmor = annotations[appArmorKey(name)]
    // Pods are told when the annotation becomes a field
    if (template && appArmor !== undefined && !securityContext?.appArmorProfile)
      if (!profile || !equalJson(profile, appArmorProfileOf(appArmor)))
        warnings.push(`${annotation.key(appArmorKey(name))}: ${deprecatedAppArmor}`)
    return [...warnings, ...resourceWarnings(container, path), ...envWarnings(container, path.child('env'))]
  }
  return [
    ...nodeLabelWarnings(spec, at),
    ...spreadWarnings(spec, at.child('topologySpreadConstraints')),
    ...Object.entries(deprecatedAnnotations)
      .filter(([key]) => annotations[key] !== undefined)
      .map(([key, why]) => `${annotation.key(key)}: ${why}`),
    ...volumeWarnings(spec.volumes ?? [], at.child('volumes')),
    ...overlappingPaths(spec.volumes ?? []),
    ...referenceWarnings(spec, at),
    ...fractionalBytes(spec.overhead, ['memory', 'ephemeral-storage'], at.child('overhead')),
    ...(!spec.securityContext?.seccompProfile && annotations['seccomp.security.alpha.kubernetes.io/pod'] !== undefined
      ? [`${annotation.key('seccomp.security.alpha.kubernetes.io/pod')}: ${seccomp}`]
      : []),
    ...containersWithPaths(spec, at).flatMap(([container, path]) => ofContainer(container, path)),
    ...portWarnings(containersWithPaths(spec, at)),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${at.child('terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec.affinity?.podAffinity, at.child('affinity', 'podAffinity')),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, at.child('affinity', 'podAntiAffinity')),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip, i) => ipWarnings(ip, at.child('dnsConfig', 'nameservers').index(i))),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, i) => ipWarnings(ip, at.child('hostAliases').index(i).child('ip')))
  ]
}

const isDeprecated = (label: string) => deprecatedNodeLabel(label) !== undefined

function nodeLabelWarnings({ nodeSelector, affinity }: PodSpec, path: Path): string[] {
  const at = path.child('affinity', 'nodeAffinity')
  const { nodeAffinity } = affinity ?? {}
  const selected = Object.keys(nodeSelector ?? {})
    .filter(isDeprecated)
    .sort()
  return [
    ...selected.map(key => `${path.child('nodeSelector').key(key)}: ${deprecatedNodeLabel(key)}`),
    ...(nodeAffinity?.[required]?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      termWarnings(term, at.child(required, 'nodeSelectorTerms').index(i))
    ),
    ...(nodeAffinity?.[preferred] ?? []).flatMap(({ preference }, i) =>
      termWarnings(preference, at.child(preferred).index(i).child('preference'), true)
    )
  ]
}

/** Values of what is only preferred are not validated: they get a word here. */
function termWarnings({ matchExpressions }: NodeSelectorTerm, path: Path, checkValues = false): string[] {
  return (matchExpressions ?? []).flatMap(({ key, values }, i) => {
    const at = path.child('matchExpressions').index(i)
    const wrong = (value: string, j: number) =>
      isLabelValue(value).map(why => `${at.child('values').index(j)}: ${value} is invalid, ${why}`)
    return [
      ...(isDeprecated(key) ? [`${at.child('key')}: ${key} is ${deprecatedNodeLabel(key)}`] : []),
      ...(checkValues ? (values ?? []).flatMap(wrong) : [])
    ]
  })
}

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, path: Path): string[] {
  return topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, i) => {
    const at = path.index(i)
    return [
      ...(isDeprecated(topologyKey) ? [`${at.child('topologyKey')}: ${topologyKey} is ${deprecatedNodeLabel(topologyKey)}`] : []),
      ...(labelSelector ? [] : [`${at.child('labelSelector')}: ${noSelector}`])
    ]
  })
}

function volumeWarnings(volumes: readonly Volume[], path: Path): string[] {
  return volumes.flatMap((volume, i) =>
    Object.entries(deprecatedVolumes).flatMap(([source, why]) => {
      if (volume[source as keyof Volume] === undefined) return []
      if (source !== 'ephemeral') return [`${path.index(i).child(source === 'storageos' ? 'storageOS' : source)}: ${why}`]
      const { requests, limits } = volume.ephemeral?.volumeClaimTemplate?.spec.resources ?? {}
      const at = path.index(i).child('ephemeral', 'volumeClaimTemplate', 'spec', 'resources')
      return [
        ...fractionalBytes(requests, ['storage'], at.child('requests')),
        ...fractionalBytes(limits, ['storage'], at.child('limits'))
      ]
    })
  )
}

function referenceWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: Path): string[] {
  const secrets = path.child('imagePullSecrets')
  const names = imagePullSecrets.map(({ name = '' }) => name)
  return [
    ...again(hostAliases.map(a => a.ip)).map(
      ([ip, i]) => `${path.child('hostAliases').index(i).child('ip')}: duplicate ip ${goQuote(ip)}`
    ),
    ...again(names).map(([name, i]) => `${secrets.index(i).child('name')}: duplicate name ${goQuote(name)}`),
    ...names.flatMap((name, i) => (name === '' ? [`${secrets.index(i).child('name')}: invalid empty name ""`] : []))
  ]
}

/** Values that came before, with their places. */
function again(values: readonly string[]): [string, number][] {
  return values.map((value, i): [string, number] => [value, i]).filter(([value, i]) => values.indexOf(value) < i)
}

function resourceWarnings({ resources }: Container, path: Path): string[] {
  return (['memory', 'ephemeral-storage'] as const).flatMap(name =>
    (['limits', 'requests'] as const).flatMap(list => fractionalBytes(resources?.[list], [name], path.child('resources', list)))
  )
}

function envWarnings({ env = [] }: Container, path: Path): string[] {
  return again(env.map(e => e.name)).flatMap(([name, i]) => {
    const { value = '', valueFrom } = env[i]!
    // "$(NAME)" refers to the earlier one
    const reference = `$(${name})`
    if (!valueFrom && value !== reference && value.includes(reference)) return []
    return [`${path.index(i)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`]
  })
}

function affinityWarnings(affinity: PodAffinity | undefined, path: Path): string[] {
  return [
    ...(affinity?.[required] ?? []).flatMap(({ labelSelector }, i) =>
      labelSelector ? [] : [`${path.child(required).index(i).child('labelSelector')}: ${noSelector}`]
    ),
    ...(affinity?.[preferred] ?? []).flatMap(({ podAffinityTerm }, i) =>
      podAffinityTerm.labelSelector
        ? []
        : [`${path.child(preferred).index(i).child('podAffinityTerm', 'labelSelector')}: ${noSelector}`]
    )
  ]
}
