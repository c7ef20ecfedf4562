/** The ClusterRoles of kube-controller-manager's controllers, by the name of their service account in kube-system. */
import type { PolicyRule } from '../../../../apimachinery/api/generated/rbac-v1.js'
import type { FeatureGates } from '../../../../apimachinery/features/feature-gates.js'
import { events, read, readUpdate, rule } from './notation.js'

export const controllerRoles = (features: FeatureGates): Readonly<Record<string, readonly PolicyRule[]>> => ({
  'attachdetach-controller': [
    rule('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    rule(read, 'core', 'nodes'),
    rule('patch update', 'core', 'nodes/status'),
    rule('list watch', 'core', 'pods'),
    events,
    rule('create delete get list watch', 'storage.k8s.io', 'volumeattachments'),
    rule(read, 'storage.k8s.io', 'csidrivers'),
    rule(read, 'storage.k8s.io', 'csinodes')
  ],
  'clusterrole-aggregation-controller': [
    rule('escalate get list patch update watch', 'rbac.authorization.k8s.io', 'clusterroles')
  ],
  'cronjob-controller': [
    rule('get list update watch', 'batch', 'cronjobs'),
    rule('create delete get list patch update watch', 'batch', 'jobs'),
    rule('update', 'batch', 'cronjobs/status'),
    rule('update', 'batch', 'cronjobs/finalizers'),
    rule('delete list watch', 'core', 'pods'),
    events
  ],
  'daemon-set-controller': [
    rule(read, 'apps extensions', 'daemonsets'),
    rule('update', 'apps extensions', 'daemonsets/status'),
    rule('update', 'apps extensions', 'daemonsets/finalizers'),
    rule('list watch', 'core', 'nodes'),
    rule('create delete list patch watch', 'core', 'pods'),
    rule('create', 'core', 'pods/binding'),
    rule('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    events
  ],
  'deployment-controller': [
    rule('get list update watch', 'apps extensions', 'deployments'),
    rule('update', 'apps extensions', 'deployments/status'),
    rule('update', 'apps extensions', 'deployments/finalizers'),
    rule('create delete get list patch update watch', 'apps extensions', 'replicasets'),
    rule('get list update watch', 'core', 'pods'),
    events
  ],
  'disruption-controller': [
    rule(read, 'apps extensions', 'deployments'),
    rule(read, 'apps extensions', 'replicasets'),
    rule(read, 'core', 'replicationcontrollers'),
    rule(read, 'policy', 'poddisruptionbudgets'),
    rule(read, 'apps', 'statefulsets'),
    rule('update', 'policy', 'poddisruptionbudgets/status'),
    rule('patch update', 'core', 'pods/status'),
    rule('get', '*', '*/scale'),
    events
  ],
  'endpoint-controller': [
    rule(read, 'core', 'pods services'),
    rule('create delete get list update watch', 'core', 'endpoints'),
    rule('create', 'core', 'endpoints/restricted'),
    events
  ],
  'endpointslice-controller': [
    rule(read, 'core', 'nodes pods services'),
    rule('update', 'core', 'services/finalizers'),
    rule('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
    events
  ],
  'endpointslicemirroring-controller': [
    rule(read, 'core', 'endpoints services'),
    rule('update', 'core', 'services/finalizers'),
    rule('update', 'core', 'endpoints/finalizers'),
    rule('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
    events
  ],
  'expand-controller': [
    rule(readUpdate, 'core', 'persistentvolumes'),
    rule('patch update', 'core', 'persistentvolumeclaims/status'),
    rule(read, 'core', 'persistentvolumeclaims'),
    events
  ],
  'ephemeral-volume-controller': [
    rule(read, 'core', 'pods'),
    rule('update', 'core', 'pods/finalizers'),
    rule('create get list watch', 'core', 'persistentvolumeclaims'),
    events
  ],
  'resource-claim-controller': [
    rule(read, 'core', 'pods'),
    rule('update', 'core', 'pods/finalizers'),
    rule('create delete get list watch', 'resource.k8s.io', 'resourceclaims'),
    rule('patch update', 'resource.k8s.io', 'resourceclaims resourceclaims/status'),
    rule('patch update', 'core', 'pods/status'),
    events,
    ...(features.enabled('DRAWorkloadResourceClaims')
      ? [rule(read, 'scheduling.k8s.io', 'podgroups'), rule('patch update', 'scheduling.k8s.io', 'podgroups/status')]
      : []),
    ...(features.enabled('DRAResourceClaimGranularStatusAuthorization')
      ? [rule('patch update', 'resource.k8s.io', 'resourceclaims/binding')]
      : [])
  ],
  'device-taint-eviction-controller': [
    rule('delete get list watch', 'core', 'pods'),
    rule('patch update', 'core', 'pods/status'),
    rule(read, 'resource.k8s.io', 'resourceclaims'),
    rule(read, 'resource.k8s.io', 'resourceslices'),
    rule(read, 'resource.k8s.io', 'deviceclasses'),
    events,
    ...(features.enabled('DRADeviceTaintRules')
      ? [rule('patch update', 'resource.k8s.io', 'devicetaintrules/status'), rule(read, 'resource.k8s.io', 'devicetaintrules')]
      : [])
  ],
  ...(features.enabled('DRAResourcePoolStatus')
    ? {
        'resourcepoolstatusrequest-controller': [
          rule('delete get list watch', 'resource.k8s.io', 'resourcepoolstatusrequests'),
          rule('patch update', 'resource.k8s.io', 'resourcepoolstatusrequests/status'),
          rule(read, 'resource.k8s.io', 'resourceslices'),
          rule(read, 'resource.k8s.io', 'resourceclaims'),
          rule(read, 'resource.k8s.io', 'devicetaintrules'),
          events
        ]
      }
    : {}),
  'generic-garbage-collector': [rule('delete get list patch update watch', '*', '*'), events],
  'horizontal-pod-autoscaler': [
    rule(read, 'autoscaling', 'horizontalpodautoscalers'),
    rule('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    rule('get update', '*', '*/scale'),
    rule('list watch', 'core', 'pods'),
    rule('list watch', 'metrics.k8s.io', 'pods'),
    rule(read, 'custom.metrics.k8s.io', '*'),
    rule(read, 'external.metrics.k8s.io', '*'),
    events
  ],
  'job-controller': [
    rule(readUpdate, 'batch', 'jobs'),
    rule('update', 'batch', 'jobs/status'),
    rule('update', 'batch', 'jobs/finalizers'),
    rule('create delete list patch watch', 'core', 'pods'),
    events,
    ...(features.enabled('WorkloadWithJob')
      ? [rule('create get list patch update watch', 'scheduling.k8s.io', 'podgroups workloads')]
      : [])
  ],
  'namespace-controller': [
    rule('delete get list watch', 'core', 'namespaces'),
    rule('update', 'core', 'namespaces/finalize namespaces/status'),
    rule('delete deletecollection get list watch', '*', '*')
  ],
  'node-controller': [
    rule('delete get list patch update watch', 'core', 'nodes'),
    rule('patch update', 'core', 'nodes/status'),
    rule('patch update', 'core', 'pods/status'),
    rule('delete get list watch', 'core', 'pods'),
    rule(read, 'coordination.k8s.io', 'leases'),
    events
  ],
  'persistent-volume-binder': [
    rule('create delete get list update watch', 'core', 'persistentvolumes'),
    rule('update', 'core', 'persistentvolumes/status'),
    rule('get list update watch', 'core', 'persistentvolumeclaims'),
    rule('update', 'core', 'persistentvolumeclaims/status'),
    rule('create delete get list watch', 'core', 'pods'),
    rule(read, 'storage.k8s.io', 'storageclasses'),
    rule('list watch', 'core', 'nodes'),
    events,
    rule('watch', 'core', 'events')
  ],
  'pod-garbage-collector': [
    rule('delete list watch', 'core', 'pods'),
    rule(read, 'core', 'nodes'),
    rule('patch', 'core', 'pods/status')
  ],
  'replicaset-controller': [
    rule('get list update watch', 'apps extensions', 'replicasets'),
    rule('update', 'apps extensions', 'replicasets/status'),
    rule('update', 'apps extensions', 'replicasets/finalizers'),
    rule('create delete list patch watch', 'core', 'pods'),
    events
  ],
  'replication-controller': [
    rule('get list update watch', 'core', 'replicationcontrollers'),
    rule('update', 'core', 'replicationcontrollers/status'),
    rule('update', 'core', 'replicationcontrollers/finalizers'),
    rule('create delete list patch watch', 'core', 'pods'),
    events
  ],
  'resourcequota-controller': [rule('list watch', '*', '*'), rule('update', 'core', 'resourcequotas/status'), events],
  'route-controller': [rule('list watch', 'core', 'nodes'), rule('patch', 'core', 'nodes/status'), events],
  'service-account-controller': [rule('create', 'core', 'serviceaccounts'), events],
  'service-controller': [
    rule(read, 'core', 'services'),
    rule('patch update', 'core', 'services/status'),
    rule('list watch', 'core', 'nodes'),
    events
  ],
  'service-cidrs-controller': [
    rule(readUpdate, 'networking.k8s.io', 'servicecidrs'),
    rule('patch update', 'networking.k8s.io', 'servicecidrs/finalizers'),
    rule('patch update', 'networking.k8s.io', 'servicecidrs/status'),
    rule(read, 'networking.k8s.io', 'ipaddresses'),
    events
  ],
  'statefulset-controller': [
    rule('list watch', 'core', 'pods'),
    rule(read, 'apps', 'statefulsets'),
    rule('update', 'apps', 'statefulsets/status'),
    rule('update', 'apps', 'statefulsets/finalizers'),
    rule('create delete get patch update', 'core', 'pods'),
    rule('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    rule('create get list watch', 'core', 'persistentvolumeclaims'),
    rule('delete update', 'core', 'persistentvolumeclaims'),
    rule('update', 'core', 'pods/finalizers'),
    events
  ],
  'ttl-controller': [rule('list patch update watch', 'core', 'nodes'), events],
  'certificate-controller': [
    rule('delete get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    rule('update', 'certificates.k8s.io', 'certificatesigningrequests/approval certificatesigningrequests/status'),
    rule('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet'),
    rule(
      'sign',
      'certificates.k8s.io',
      'signers',
      'kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown'
    ),
    rule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    events
  ],
  ...(features.enabled('PodCertificateRequest')
    ? { podcertificaterequestcleaner: [rule('delete get list watch', 'certificates.k8s.io', 'podcertificaterequests')] }
    : {}),
  'pvc-protection-controller': [
    rule('get list update watch', 'core', 'persistentvolumeclaims'),
    rule('update', 'core', 'persistentvolumeclaims/status'),
    rule(read, 'core', 'pods'),
    events
  ],
  'pv-protection-controller': [rule('get list update watch', 'core', 'persistentvolumes'), events],
  'volumeattributesclass-protection-controller': [
    rule(read, 'core', 'persistentvolumeclaims'),
    rule(read, 'core', 'persistentvolumes'),
    rule('get list update watch', 'storage.k8s.io', 'volumeattributesclasses'),
    events
  ],
  ...(features.enabled('GenericWorkload')
    ? {
        'podgroup-protection-controller': [
          rule('get list update watch', 'scheduling.k8s.io', 'podgroups'),
          rule(read, 'core', 'pods')
        ]
      }
    : {}),
  'ttl-after-finished-controller': [rule('delete get list watch', 'batch', 'jobs'), events],
  'root-ca-cert-publisher': [rule('create update', 'core', 'configmaps'), events],
  ...(features.enabled('ClusterTrustBundle')
    ? {
        'kube-apiserver-serving-clustertrustbundle-publisher': [
          rule('attest', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-serving'),
          rule('create delete list update watch', 'certificates.k8s.io', 'clustertrustbundles'),
          events
        ]
      }
    : {}),
  'validatingadmissionpolicy-status-controller': [
    rule(read, 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
    rule('get patch update', 'admissionregistration.k8s.io', 'validatingadmissionpolicies/status'),
    events
  ],
  ...(features.enabled('StorageVersionAPI') && features.enabled('APIServerIdentity')
    ? {
        'storage-version-garbage-collector': [
          rule(read, 'coordination.k8s.io', 'leases'),
          rule('delete get list patch update watch', 'internal.apiserver.k8s.io', 'storageversions'),
          rule('get patch update', 'internal.apiserver.k8s.io', 'storageversions/status')
        ]
      }
    : {}),
  'legacy-service-account-token-cleaner': [
    rule('get', 'core', 'configmaps', 'kube-apiserver-legacy-service-account-token-tracking'),
    rule('delete patch', 'core', 'secrets')
  ],
  ...(features.enabled('StorageVersionMigrator')
    ? {
        'storage-version-migrator-controller': [
          rule('list patch', '*', '*'),
          rule('get', 'apiextensions.k8s.io', 'customresourcedefinitions'),
          rule('patch', 'apiextensions.k8s.io', 'customresourcedefinitions/status'),
          rule('update', 'storagemigration.k8s.io', 'storageversionmigrations/status')
        ]
      }
    : {}),
  'selinux-warning-controller': [
    events,
    rule(read, 'core', 'persistentvolumes'),
    rule(read, 'core', 'persistentvolumeclaims'),
    rule(read, 'core', 'pods'),
    rule(read, 'storage.k8s.io', 'csidrivers')
  ]
})
