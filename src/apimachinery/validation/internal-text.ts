/**
 * Formats structs as kube-apiserver's errors print them: as JSON of the internal type, with Go's field names and without
 * omissions.
 */

import { sortedEntries } from '../../util/go-format.js'
import { inFieldOrder } from '../schema/field-order.js'
import { given } from '../schema/given.js'
import { loadSchema } from '../schema/load.js'
import type { Type } from '../schema/model.js'
import { zeroScalar } from '../schema/scalars.js'
import { GoText, goJson } from './go-value.js'

/**
 * `order` lists the Go names if the internal type's fields are in another order than the schema's. Fields that it leaves out are
 * not printed.
 */
export function internalText(typeName: string, value: unknown, order?: readonly string[]): GoText {
  return new GoText(goJson(internal(loadSchema().type(typeName), value, order)))
}

/** Returns the internal form itself, for callers that derive other text from it. */
export function internalValue(typeName: string, value: unknown): unknown {
  return internal(loadSchema().type(typeName), value)
}

/** As internalText, for a list of structs. */
export function internalListText(typeName: string, values: readonly unknown[]): GoText {
  return new GoText(goJson(values.map(v => internal(loadSchema().type(typeName), v))))
}

/** Types whose internal fields differ from the schema's, or are in another order. */
const orderTexts: Readonly<Record<string, string>> = {
  'resource.v1alpha3.PartitionTypeStatus': 'Attribute Type Total Allocatable',
  'resource.v1alpha3.PoolStatus':
    'Driver PoolName Generation ResourceSliceCount TotalDevices AllocatedDevices AvailableDevices UnavailableDevices NodeName ValidationError PartitionSummary ShareableSummary',
  'resource.v1alpha3.ResourcePoolStatusRequestStatus': 'PoolCount Pools Conditions',
  'core.v1.Container':
    'Name Image Command Args WorkingDir Ports EnvFrom Env Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath TerminationMessagePolicy ImagePullPolicy SecurityContext Stdin StdinOnce TTY',
  'core.v1.EphemeralContainer':
    'Name Image Command Args WorkingDir Ports EnvFrom Env Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath TerminationMessagePolicy ImagePullPolicy SecurityContext Stdin StdinOnce TTY TargetContainerName',
  'core.v1.ISCSIPersistentVolumeSource':
    'TargetPortal IQN Lun ISCSIInterface FSType ReadOnly Portals DiscoveryCHAPAuth SessionCHAPAuth SecretRef InitiatorName',
  'core.v1.ISCSIVolumeSource':
    'TargetPortal IQN Lun ISCSIInterface FSType ReadOnly Portals DiscoveryCHAPAuth SessionCHAPAuth SecretRef InitiatorName',
  'core.v1.PersistentVolumeClaimSpec':
    'AccessModes Selector Resources VolumeName StorageClassName VolumeMode DataSource DataSourceRef VolumeAttributesClassName',
  'core.v1.PersistentVolumeSpec':
    'Capacity GCEPersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD ISCSI Cinder CephFS FC Flocker FlexVolume AzureFile VsphereVolume Quobyte AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO Local StorageOS CSI AccessModes ClaimRef PersistentVolumeReclaimPolicy StorageClassName MountOptions VolumeMode NodeAffinity VolumeAttributesClassName',
  'core.v1.PodSecurityContext':
    'SELinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup Sysctls FSGroupChangePolicy SeccompProfile AppArmorProfile SELinuxChangePolicy',
  'core.v1.PodSpec':
    'Volumes InitContainers Containers EphemeralContainers RestartPolicy TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy NodeSelector ServiceAccountName DeprecatedServiceAccount AutomountServiceAccountToken NodeName HostNetwork HostPID HostIPC ShareProcessNamespace SecurityContext ImagePullSecrets Hostname Subdomain Affinity SchedulerName Tolerations HostAliases PriorityClassName Priority DNSConfig ReadinessGates RuntimeClassName EnableServiceLinks PreemptionPolicy Overhead TopologySpreadConstraints SetHostnameAsFQDN OS HostUsers SchedulingGates ResourceClaims Resources HostnameOverride SchedulingGroup EvictionResponders',
  'core.v1.SecurityContext':
    'Capabilities Privileged SELinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot ReadOnlyRootFilesystem AllowPrivilegeEscalation ProcMount SeccompProfile AppArmorProfile',
  'core.v1.Volume':
    'Name HostPath EmptyDir GCEPersistentDisk AWSElasticBlockStore GitRepo Secret NFS ISCSI Glusterfs PersistentVolumeClaim RBD FlexVolume Cinder CephFS Flocker DownwardAPI FC AzureFile ConfigMap VsphereVolume Quobyte AzureDisk PhotonPersistentDisk Projected PortworxVolume ScaleIO StorageOS CSI Ephemeral Image',
  'core.v1.VolumeMount': 'Name ReadOnly RecursiveReadOnly MountPath SubPath MountPropagation SubPathExpr BindMountOptions',
  'certificates.v1beta1.PodCertificateRequestSpec':
    'SignerName PodName PodUID ServiceAccountName ServiceAccountUID NodeName NodeUID MaxExpirationSeconds PKIXPublicKey ProofOfPossession StubPKCS10Request UnverifiedUserAnnotations',
  'core.v1.ClusterTrustBundleProjection': 'Name SignerName LabelSelector Optional Path User',
  'core.v1.PodCondition': 'Type ObservedGeneration Status LastProbeTime LastTransitionTime Reason Message'
}

const internalOrders: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(orderTexts).map(([type, text]) => [type, text.split(' ')])
)

function internal(type: Type, value: any, order?: readonly string[]): unknown {
  if (value === undefined || value === null) return type.kind === 'struct' ? internal(type, {}) : null
  if (type.kind === 'list') return value.map((v: unknown) => internal(type.items, v))
  if (type.kind === 'map') {
    const sorted = sortedEntries<any>(value)
    return Object.fromEntries(sorted.map(([key, v]) => [key, internal(type.values, v)]))
  }
  // types of the API machinery have no internal form
  if (type.kind !== 'struct') return value
  if (type.name.startsWith('meta.v1.')) return inFieldOrder(type, value)
  const entries = type.fields.map(field => {
    const found = given(value, field.name)
    const absent = found === undefined || found === null
    return [field.goName, absent ? zero(field.type, field.pointer) : internal(field.type, found)] as const
  })
  const fields: Record<string, unknown> = Object.fromEntries(entries)
  const metadata = type.fields.find(({ type }) => type.kind === 'struct' && type.name === 'meta.v1.ObjectMeta')
  if (metadata) {
    // embedded, with the JSON names of its fields; conversion to the internal type drops kind and version
    const { Kind: _, ApiVersion: __, [metadata.goName]: ___, ...others } = fields
    return { ...(inFieldOrder(metadata.type, value[metadata.name] ?? {}) as object), ...others }
  }
  const names = order ?? internalOrders[type.name]
  return names ? Object.fromEntries(names.map(name => [name, fields[name]])) : fields
}

function zero(type: Type, pointer: boolean): unknown {
  if (pointer || type.kind === 'list' || type.kind === 'map') return null
  if (type.kind === 'struct') return internal(type, {})
  return zeroScalar(type)
}
