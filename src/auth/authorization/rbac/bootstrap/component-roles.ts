/** The ClusterRoles of a cluster's components other than controllers. */
import type { PolicyRule } from '../../../../apimachinery/api/generated/rbac-v1.js'
import type { FeatureGates } from '../../../../apimachinery/features/feature-gates.js'
import { events, paths, read, readUpdate, readWrite, rule } from './notation.js'

export const componentRoles = (features: FeatureGates): Readonly<Record<string, readonly PolicyRule[]>> => ({
  'system:heapster': [rule(read, 'core', 'events namespaces nodes pods'), rule(read, 'extensions', 'deployments')],
  'system:node': [
    rule('create', 'authentication.k8s.io', 'tokenreviews'),
    rule('create', 'authorization.k8s.io', 'localsubjectaccessreviews subjectaccessreviews'),
    rule(read, 'core', 'services'),
    rule('create get list watch', 'core', 'nodes'),
    rule('patch update', 'core', 'nodes/status'),
    rule('patch update', 'core', 'nodes'),
    events,
    rule(read, 'core', 'pods'),
    rule('create delete', 'core', 'pods'),
    rule('patch update', 'core', 'pods/status'),
    rule('create', 'core', 'pods/eviction'),
    rule(read, 'core', 'configmaps secrets'),
    rule('get', 'core', 'persistentvolumeclaims persistentvolumes'),
    rule('get', 'core', 'endpoints'),
    rule('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    rule('create delete get patch update', 'coordination.k8s.io', 'leases'),
    rule('get', 'storage.k8s.io', 'volumeattachments'),
    rule('create', 'core', 'serviceaccounts/token'),
    rule('get patch update', 'core', 'persistentvolumeclaims/status'),
    rule(read, 'storage.k8s.io', 'csidrivers'),
    rule('create delete get patch update', 'storage.k8s.io', 'csinodes'),
    ...(features.enabled('CSIVolumeHealth') ? [rule('get patch update', 'storage.k8s.io', 'csinodes/status')] : []),
    rule(read, 'node.k8s.io', 'runtimeclasses'),
    rule('get', 'resource.k8s.io', 'resourceclaims'),
    rule('deletecollection', 'resource.k8s.io', 'resourceslices'),
    ...(features.enabled('ClusterTrustBundle') ? [rule(read, 'certificates.k8s.io', 'clustertrustbundles')] : []),
    ...(features.enabled('KubeletServiceAccountTokenForCredentialProviders') ? [rule('get', 'core', 'serviceaccounts')] : []),
    ...(features.enabled('PodCertificateRequest')
      ? [rule('create get list watch', 'certificates.k8s.io', 'podcertificaterequests')]
      : [])
  ],
  'system:node-problem-detector': [rule('get', 'core', 'nodes'), rule('patch', 'core', 'nodes/status'), events],
  'system:node-bootstrapper': [rule('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests')],
  'system:auth-delegator': [
    rule('create', 'authentication.k8s.io', 'tokenreviews'),
    rule('create', 'authorization.k8s.io', 'subjectaccessreviews')
  ],
  'system:kube-aggregator': [rule(read, 'core', 'endpoints services')],
  'system:kube-controller-manager': [
    events,
    rule('create', 'coordination.k8s.io', 'leases'),
    rule('get update', 'coordination.k8s.io', 'leases', 'kube-controller-manager'),
    rule('create', 'core', 'secrets serviceaccounts'),
    rule('delete', 'core', 'secrets'),
    rule('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
    rule('update', 'core', 'secrets serviceaccounts'),
    rule('create', 'authentication.k8s.io', 'tokenreviews'),
    rule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    rule('list watch', '*', '*'),
    rule('create', 'core', 'serviceaccounts/token')
  ],
  'system:kube-dns': [rule('list watch', 'core', 'endpoints services')],
  'system:persistent-volume-provisioner': [
    rule('create delete get list watch', 'core', 'persistentvolumes'),
    rule('get list update watch', 'core', 'persistentvolumeclaims'),
    rule(read, 'storage.k8s.io', 'storageclasses'),
    rule('watch', 'core', 'events'),
    events
  ],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    rule('create', 'certificates.k8s.io', 'certificatesigningrequests/nodeclient')
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    rule('create', 'certificates.k8s.io', 'certificatesigningrequests/selfnodeclient')
  ],
  'system:volume-scheduler': [
    rule(readUpdate, 'core', 'persistentvolumes'),
    rule(read, 'storage.k8s.io', 'storageclasses'),
    rule(readUpdate, 'core', 'persistentvolumeclaims')
  ],
  'system:certificates.k8s.io:legacy-unknown-approver': [
    rule('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/legacy-unknown')
  ],
  'system:certificates.k8s.io:kubelet-serving-approver': [
    rule('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kubelet-serving')
  ],
  'system:certificates.k8s.io:kube-apiserver-client-approver': [
    rule('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client')
  ],
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': [
    rule('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet')
  ],
  'system:service-account-issuer-discovery': [
    paths('get', '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/')
  ],
  'system:kubelet-api-admin': [
    rule(read, 'core', 'nodes'),
    rule('proxy', 'core', 'nodes'),
    rule('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
    rule('*', 'core', 'nodes/configz nodes/healthz nodes/pods')
  ],
  'system:node-proxier': [
    rule('list watch', 'core', 'endpoints services'),
    rule(read, 'core', 'nodes'),
    events,
    rule('list watch', 'networking.k8s.io', 'servicecidrs'),
    rule('list watch', 'discovery.k8s.io', 'endpointslices')
  ],
  'system:kube-scheduler': [
    events,
    rule('create', 'coordination.k8s.io', 'leases'),
    rule('get list update watch', 'coordination.k8s.io', 'leases', 'kube-scheduler'),
    rule(readWrite, 'coordination.k8s.io', 'leasecandidates'),
    rule(read, 'core', 'nodes'),
    rule('delete get list watch', 'core', 'pods'),
    rule('create', 'core', 'bindings pods/binding'),
    rule('patch update', 'core', 'pods/status'),
    rule(read, 'core', 'replicationcontrollers services'),
    rule(read, 'apps extensions', 'replicasets'),
    rule(read, 'apps', 'statefulsets'),
    rule(read, 'policy', 'poddisruptionbudgets'),
    rule(read, 'core', 'persistentvolumeclaims persistentvolumes'),
    rule('create', 'authentication.k8s.io', 'tokenreviews'),
    rule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    rule(read, 'storage.k8s.io', 'csinodes'),
    rule(read, 'storage.k8s.io', 'volumeattachments'),
    rule(read, 'core', 'namespaces'),
    rule(read, 'storage.k8s.io', 'csidrivers'),
    rule(read, 'storage.k8s.io', 'csistoragecapacities'),
    rule(read, 'resource.k8s.io', 'deviceclasses'),
    rule(readUpdate, 'resource.k8s.io', 'resourceclaims'),
    rule(readUpdate, 'resource.k8s.io', 'resourceclaims/status'),
    rule('update', 'core', 'pods/finalizers'),
    rule(read, 'resource.k8s.io', 'resourceslices'),
    rule('create delete', 'resource.k8s.io', 'resourceclaims'),
    ...(features.enabled('DRADeviceTaintRules') ? [rule(read, 'resource.k8s.io', 'devicetaintrules')] : []),
    ...(features.enabled('DRAResourceClaimGranularStatusAuthorization')
      ? [rule('patch update', 'resource.k8s.io', 'resourceclaims/binding')]
      : []),
    ...(features.enabled('GenericWorkload')
      ? [rule(read, 'scheduling.k8s.io', 'podgroups'), rule('patch update', 'scheduling.k8s.io', 'podgroups/status')]
      : []),
    ...(features.enabled('CompositePodGroup')
      ? [
          rule(read, 'scheduling.k8s.io', 'compositepodgroups'),
          rule('patch update', 'scheduling.k8s.io', 'compositepodgroups/status')
        ]
      : [])
  ],
  ...(features.enabled('ClusterTrustBundle')
    ? { 'system:cluster-trust-bundle-discovery': [rule(read, 'certificates.k8s.io', 'clustertrustbundles')] }
    : {})
})
