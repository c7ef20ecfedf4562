/** Typed names of the resources that parts of the server work with, for `Registry.of`. */
import type { ValidatingAdmissionPolicy } from './generated/admissionregistration-v1.js'
import type { CustomResourceDefinition } from './generated/apiextensions-v1.js'
import type { APIService } from './generated/apiregistration-v1.js'
import type { StorageVersion } from './generated/apiserverinternal-v1alpha1.js'
import type { CertificateSigningRequest } from './generated/certificates-v1.js'
import type { ClusterTrustBundle, PodCertificateRequest } from './generated/certificates-v1beta1.js'
import type { Lease } from './generated/coordination-v1.js'
import type { LeaseCandidate } from './generated/coordination-v1beta1.js'
import type {
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  Pod,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount
} from './generated/core-v1.js'
import type { EndpointSlice } from './generated/discovery-v1.js'
import type { FlowSchema, PriorityLevelConfiguration } from './generated/flowcontrol-v1.js'
import type { IPAddress, ServiceCIDR } from './generated/networking-v1.js'
import type { RuntimeClass } from './generated/node-v1.js'
import type { PodDisruptionBudget } from './generated/policy-v1.js'
import type { ClusterRole } from './generated/rbac-v1.js'
import type { DeviceClass, ResourceClaim } from './generated/resource-v1.js'
import type { PriorityClass } from './generated/scheduling-v1.js'
import type { PodGroup, Workload } from './generated/scheduling-v1beta1.js'
import type { StorageClass } from './generated/storage-v1.js'
import type { StorageVersionMigration } from './generated/storagemigration-v1.js'

/** `T` is the type of the objects in the storage version. */
export interface ResourceRef<T = any> {
  readonly group: string
  readonly resource: string
  readonly object?: T
}

const ref = <T>(group: string, resource: string): ResourceRef<T> => ({ group, resource })

export const configMaps = ref<ConfigMap>('', 'configmaps')
export const endpoints = ref<Endpoints>('', 'endpoints')
export const events = ref<Event>('', 'events')
export const limitRanges = ref<LimitRange>('', 'limitranges')
export const namespaces = ref<Namespace>('', 'namespaces')
export const nodes = ref<Node>('', 'nodes')
export const pods = ref<Pod>('', 'pods')
export const resourceQuotas = ref<ResourceQuota>('', 'resourcequotas')
export const secrets = ref<Secret>('', 'secrets')
export const serviceAccounts = ref<ServiceAccount>('', 'serviceaccounts')
export const services = ref<Service>('', 'services')

export const apiServices = ref<APIService>('apiregistration.k8s.io', 'apiservices')
export const certificateSigningRequests = ref<CertificateSigningRequest>('certificates.k8s.io', 'certificatesigningrequests')
export const clusterTrustBundles = ref<ClusterTrustBundle>('certificates.k8s.io', 'clustertrustbundles')
export const clusterRoles = ref<ClusterRole>('rbac.authorization.k8s.io', 'clusterroles')
export const deviceClasses = ref<DeviceClass>('resource.k8s.io', 'deviceclasses')
export const customResourceDefinitions = ref<CustomResourceDefinition>('apiextensions.k8s.io', 'customresourcedefinitions')
export const endpointSlices = ref<EndpointSlice>('discovery.k8s.io', 'endpointslices')
export const flowSchemas = ref<FlowSchema>('flowcontrol.apiserver.k8s.io', 'flowschemas')
export const ipAddresses = ref<IPAddress>('networking.k8s.io', 'ipaddresses')
export const leases = ref<Lease>('coordination.k8s.io', 'leases')
export const leaseCandidates = ref<LeaseCandidate>('coordination.k8s.io', 'leasecandidates')
export const podDisruptionBudgets = ref<PodDisruptionBudget>('policy', 'poddisruptionbudgets')
export const podCertificateRequests = ref<PodCertificateRequest>('certificates.k8s.io', 'podcertificaterequests')
export const podGroups = ref<PodGroup>('scheduling.k8s.io', 'podgroups')
export const priorityClasses = ref<PriorityClass>('scheduling.k8s.io', 'priorityclasses')
export const workloads = ref<Workload>('scheduling.k8s.io', 'workloads')
export const priorityLevels = ref<PriorityLevelConfiguration>('flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations')
export const resourceClaims = ref<ResourceClaim>('resource.k8s.io', 'resourceclaims')
export const runtimeClasses = ref<RuntimeClass>('node.k8s.io', 'runtimeclasses')
export const serviceCIDRs = ref<ServiceCIDR>('networking.k8s.io', 'servicecidrs')
export const storageClasses = ref<StorageClass>('storage.k8s.io', 'storageclasses')
export const storageVersions = ref<StorageVersion>('internal.apiserver.k8s.io', 'storageversions')
export const storageVersionMigrations = ref<StorageVersionMigration>('storagemigration.k8s.io', 'storageversionmigrations')
export const validatingAdmissionPolicies = ref<ValidatingAdmissionPolicy>(
  'admissionregistration.k8s.io',
  'validatingadmissionpolicies'
)
