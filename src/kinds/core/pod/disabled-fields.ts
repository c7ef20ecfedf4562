import type { PodSpec, VolumeProjection } from '../../../api/generated/core-v1.js'
import type { FeatureGates } from '../../../features/feature-gates.js'
import { allContainers } from './spec-defaults.js'

/** Drops fields whose feature gates are off. `old`: the spec before an update, which keeps a source of volumes that it has. */
export function dropDisabledFields(
  spec: PodSpec,
  old: PodSpec | undefined,
  { services: { features } }: { readonly services: { readonly features: FeatureGates } }
): void {
  for (const container of allContainers(spec)) {
    if (container.lifecycle?.stopSignal === undefined) continue
    const { stopSignal: _, ...lifecycle } = container.lifecycle
    if (Object.keys(lifecycle).length > 0) container.lifecycle = lifecycle
    else delete container.lifecycle
  }
  if (!features.enabled('ClusterTrustBundleProjection')) dropProjections('clusterTrustBundle', spec, old)
  if (!features.enabled('PodCertificateRequest')) dropProjections('podCertificate', spec, old)
  delete spec.schedulingGroup
}

function dropProjections(source: keyof VolumeProjection, spec: PodSpec, old: PodSpec | undefined): void {
  const users = projections(spec).filter(projection => projection[source])
  if (users.length === 0 || (old && projections(old).some(projection => projection[source]))) return
  for (const projection of users) delete projection[source]
}

const projections = ({ volumes = [] }: PodSpec): VolumeProjection[] =>
  volumes.flatMap(({ projected }) => projected?.sources ?? [])
