/** The fields of Pods behind feature gates. */
import type { Container, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { GatedFields } from '../../../registry/gated-fields.js'
import { allContainers } from './spec-defaults.js'

const probes = 'livenessProbe,readinessProbe,startupProbe'
const containers = '{containers,initContainers,ephemeralContainers}.*'

/** The paths of the fields in the spec. */
const ofSpec: readonly GatedFields[] = [
  { gates: 'UserNamespacesSupport', fields: ['hostUsers'] },
  { gates: 'SupplementalGroupsPolicy', fields: ['securityContext.supplementalGroupsPolicy'] },
  { gates: 'PodLevelResources', fields: ['resources'] },
  {
    gates: 'ProcMountType',
    part: '',
    uses: spec => allContainers(spec).some(({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default'),
    drop: useDefaultProcMount
  },
  { gates: 'MatchLabelKeysInPodTopologySpread', fields: ['topologySpreadConstraints.*.matchLabelKeys'] },
  {
    gates: 'DynamicResourceAllocation',
    fields: ['resourceClaims', `${containers}.resources.claims`],
    inUse: ['resourceClaims']
  },
  { gates: 'ClusterTrustBundleProjection', fields: ['volumes.*.projected.sources.*.clusterTrustBundle'] },
  { gates: 'PodCertificateRequest', fields: ['volumes.*.projected.sources.*.podCertificate'] },
  { gates: 'GenericWorkload', fields: ['schedulingGroup'] },
  { gates: 'EvictionRequestAPI', fields: ['evictionResponders'] },
  { gates: 'InPlacePodVerticalScaling', fields: [`${containers}.resizePolicy`] },
  {
    gates: 'ContainerRestartRules',
    part: '',
    uses: hasRestartRules,
    drop: dropRestartRules
  },
  { gates: 'HostnameOverride', fields: ['hostnameOverride'] },
  { gates: 'EnvFiles', fields: [`${containers}.env.*.valueFrom.fileKeyRef`] },
  { gates: 'ImageVolume', part: '', uses: spec => volumesOfImages(spec).size > 0, drop: dropImageVolumes },
  { gates: 'SELinuxChangePolicy', fields: ['securityContext.seLinuxChangePolicy'] },
  { gates: 'ContainerStopSignals', fields: [`${containers}.lifecycle?.stopSignal`] },
  { gates: 'EmptyDirVolumeMode', fields: ['volumes.*.emptyDir.mode'] },
  { gates: 'VolumeBindMountOptions', fields: [`${containers}.volumeMounts.*.bindMountOptions`] },
  {
    gates: 'H2CContainerProbe',
    fields: [`${containers}.{${probes}}.httpGet.protocol`, `${containers}.lifecycle.{postStart,preStop}.httpGet.protocol`]
  },
  { gates: 'GRPCContainerProbeTLS', fields: [`${containers}.{${probes}}.grpc.mode`] },
  {
    gates: 'AtomicWriteVolumeUserFields',
    fields: [
      'volumes.*.{secret,configMap,downwardAPI,projected}.defaultUser',
      'volumes.*.{secret,configMap,downwardAPI}.items.*.user',
      'volumes.*.projected.sources.*.{secret,configMap,downwardAPI}.items.*.user',
      'volumes.*.projected.sources.*.{serviceAccountToken,clusterTrustBundle,podCertificate}.user'
    ]
  },
  { gates: 'EvictionRequestAPI', fields: ['evictionResponders'] }
]

const statuses = 'status.{containerStatuses,initContainerStatuses,ephemeralContainerStatuses}.*'

export const podGatedFields: readonly GatedFields[] = [
  ...within('spec'),
  { gates: 'InPlacePodLevelResourcesVerticalScaling', fields: ['status.{resources,allocatedResources}'] },
  {
    gates: 'InPlacePodVerticalScaling',
    fields: [`${statuses}.{resources,allocatedResources}`],
    inUse: [`spec.${containers}.resizePolicy`]
  },
  { gates: 'DynamicResourceAllocation', fields: ['status.resourceClaimStatuses'], inUse: ['spec.resourceClaims'] },
  { gates: 'DRAExtendedResource', fields: ['status.extendedResourceClaimStatus'] },
  { gates: 'ResourceHealthStatus', fields: [`${statuses}.allocatedResourcesStatus`] },
  { gates: 'ResourceHealthStatusMessage', fields: [`${statuses}.allocatedResourcesStatus.*.resources.*.message`] },
  {
    gates: 'SupplementalGroupsPolicy',
    fields: [`${statuses}.user`],
    inUse: ['spec.securityContext.supplementalGroupsPolicy']
  },
  { gates: 'PodObservedGenerationTracking', fields: ['status.observedGeneration', 'status.conditions.*.observedGeneration'] },
  { gates: 'ImageVolumeWithDigest', fields: [`${statuses}.volumeMounts.*.volumeStatus`] },
  { gates: 'DRANodeAllocatableResources', fields: ['status.nodeAllocatableResourceClaimStatuses'] },
  { gates: 'CSIVolumeHealth', fields: ['status.volumeHealth'] }
]

/** Returns the gated fields of a kind that has a Pod's spec at a path. */
export const templateGatedFields = (path: string): readonly GatedFields[] => within(path)

function within(path: string): GatedFields[] {
  const inner = (field: string) => `${path}.${field}`
  return ofSpec.map(({ fields, inUse, part, ...rule }) => ({
    ...rule,
    ...(fields ? { fields: fields.map(inner) } : {}),
    ...(inUse ? { inUse: inUse.map(inner) } : {}),
    ...(part === undefined ? {} : { part: path })
  }))
}

/** Resets procMount to its default. It is kept where it was stored once, because older clients send it. */
function useDefaultProcMount(spec: PodSpec): void {
  for (const { securityContext } of allContainers(spec))
    if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default'
}

/** Whether the container is a sidecar: an init container that always restarts. Sidecars are older than restart rules. */
const isSidecar = ({ restartPolicy }: Container) => restartPolicy === 'Always'

function hasRestartRules(spec: PodSpec): boolean {
  const sidecars = new Set(spec.initContainers?.filter(isSidecar))
  return allContainers(spec).some(
    container => container.restartPolicyRules !== undefined || (container.restartPolicy !== undefined && !sidecars.has(container))
  )
}

function dropRestartRules(spec: PodSpec): void {
  const sidecars = new Set(spec.initContainers?.filter(isSidecar))
  for (const container of allContainers(spec)) {
    if (!sidecars.has(container)) delete container.restartPolicy
    delete container.restartPolicyRules
  }
}

const volumesOfImages = ({ volumes = [] }: PodSpec): ReadonlySet<string> =>
  new Set(volumes.filter(({ image }) => image).map(({ name }) => name))

function dropImageVolumes(spec: PodSpec): void {
  const dropped = volumesOfImages(spec)
  keepOthers(spec, 'volumes', dropped)
  for (const container of allContainers(spec)) keepOthers(container, 'volumeMounts', dropped)
}

function keepOthers<K extends string>(
  owner: { [key in K]?: { name: string }[] | undefined },
  list: K,
  names: ReadonlySet<string>
): void {
  const kept = owner[list]?.filter(({ name }) => !names.has(name))
  if (kept?.length) owner[list] = kept
  else delete owner[list]
}
