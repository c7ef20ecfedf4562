import type { PodSpec, ProjectedVolumeSource, Volume } from '../../api/generated/core-v1.js'
import { Path } from '../../validation/field.js'

const deprecatedVolumes: { readonly [K in keyof Volume]?: string } = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+'
}

const deprecatedNodeLabels: Record<string, string> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'
}

/** What is worth a word about a Pod or, with its path, a template. */
export function podSpecWarnings(spec: PodSpec, path = Path.of('spec')): string[] {
  const warnings: string[] = []
  for (const key of Object.keys(spec.nodeSelector ?? {}).sort()) {
    if (Object.hasOwn(deprecatedNodeLabels, key))
      warnings.push(`${path.child('nodeSelector').key(key)}: ${deprecatedNodeLabels[key]}`)
  }
  spec.topologySpreadConstraints?.forEach((constraint, i) => {
    const at = path.child('topologySpreadConstraints').index(i)
    if (Object.hasOwn(deprecatedNodeLabels, constraint.topologyKey)) {
      warnings.push(`${at.child('topologyKey')}: ${constraint.topologyKey} is ${deprecatedNodeLabels[constraint.topologyKey]}`)
    }
    if (!constraint.labelSelector) warnings.push(`${at.child('labelSelector')}: a null labelSelector results in matching no pod`)
  })
  spec.volumes?.forEach((volume, i) => {
    for (const [source, why] of Object.entries(deprecatedVolumes)) {
      if (volume[source as keyof Volume] !== undefined) warnings.push(`${path.child('volumes').index(i).child(source)}: ${why}`)
    }
    if (volume.projected && hasEmptySource(volume.projected))
      warnings.push(`volume ${JSON.stringify(volume.name)} (Projected) has no sources provided`)
  })
  warnAboutDuplicateEnv(spec, path, warnings)
  const names = new Set<string>()
  spec.hostAliases?.forEach(({ ip }, i) => {
    if (names.has(ip)) warnings.push(`${path.child('hostAliases').index(i).child('ip')}: duplicate ip ${JSON.stringify(ip)}`)
    names.add(ip)
  })
  spec.imagePullSecrets?.forEach(({ name }, i) => {
    if (!name) warnings.push(`${path.child('imagePullSecrets').index(i).child('name')}: invalid empty name ""`)
  })
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) {
    warnings.push(
      `${path.child('terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`
    )
  }
  return warnings
}

/** Sources that are switched off count as empty. */
function hasEmptySource({ sources }: ProjectedVolumeSource): boolean {
  return !sources?.length || sources.some(source => Object.keys(source).length === 0)
}

function warnAboutDuplicateEnv(spec: PodSpec, path: Path, warnings: string[]): void {
  for (const field of ['initContainers', 'containers'] as const) {
    spec[field]?.forEach((container, i) => {
      const names = new Map<string, number>()
      container.env?.forEach(({ name, value }, j) => {
        const first = names.get(name)
        if (first === undefined) names.set(name, j)
        // "$(NAME)" refers to the earlier one
        if (first === undefined || value?.includes(`$(${name})`)) return
        const env = path.child(field).index(i).child('env')
        warnings.push(`${env.index(j)}: hides previous definition of ${JSON.stringify(name)}, which may be unexpected`)
      })
    })
  }
}
