const merge = { 'Content-Type': 'application/merge-patch+json' }
const many = (count, each) => Array.from({ length: count }, (_, i) => each(i))
const on = (path, apiVersion, kind, body) => ({ path: `${path}?dryRun=All`, body: { apiVersion, kind, metadata: { name: 'declared' }, ...body } })
const core = (resource, kind, body) => on(`/api/v1/namespaces/\${ns}/${resource}`, 'v1', kind, body)
const inGroup = (group, scope, resource, kind, body) => on(`/apis/${group}/${scope}${resource}`, group, kind, body)
const namespaced = 'namespaces/${ns}/'
const container = { name: 'c', image: 'i' }
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
const autoscaler = spec => inGroup('autoscaling/v2', namespaced, 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { spec })
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const policy = spec => inGroup('networking.k8s.io/v1', namespaced, 'networkpolicies', 'NetworkPolicy', { spec })
const role = (kind, body) => inGroup('rbac.authorization.k8s.io/v1', kind.startsWith('Cluster') ? '' : namespaced, `${kind.toLowerCase()}s`, kind, body)
const signing = more => inGroup('certificates.k8s.io/v1', '', 'certificatesigningrequests', 'CertificateSigningRequest', { spec: { request: 'LS0tLS0K', signerName: 'example.com/s', usages: ['client auth'], ...more } })
const storageClass = (name, more) => ({ path: '/apis/storage.k8s.io/v1/storageclasses', body: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name }, provisioner: 'p.example.com', parameters: { a: 'b' }, ...more } })
const change = (path, body) => ({ method: 'PATCH', path, headers: merge, body })
const steps = {
  'controller-empty': core('replicationcontrollers', 'ReplicationController', { spec: {} }),
  'controller-negative': core('replicationcontrollers', 'ReplicationController', { spec: { replicas: -1, minReadySeconds: -2, selector: { a: 'b' }, template } }),
  'controller-without-template': core('replicationcontrollers', 'ReplicationController', { spec: { selector: { a: 'b' } } }),
  'deployment-negative': inGroup('apps/v1', namespaced, 'deployments', 'Deployment', { spec: { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1, selector: { matchLabels: { a: 'b' } }, template } }),
  'daemon-set-empty': inGroup('apps/v1', namespaced, 'daemonsets', 'DaemonSet', { spec: {} }),
  'revision-negative': inGroup('apps/v1', namespaced, 'controllerrevisions', 'ControllerRevision', { revision: -1, data: {} }),
  'revision-empty': inGroup('apps/v1', namespaced, 'controllerrevisions', 'ControllerRevision', {}),
  'job-negative': inGroup('batch/v1', namespaced, 'jobs', 'Job', { spec: { parallelism: -1, completions: -1, backoffLimit: -1, ttlSecondsAfterFinished: -1, activeDeadlineSeconds: -1, template: { spec: { restartPolicy: 'Never', containers: [container] } } } }),
  'cron-job-empty': inGroup('batch/v1', namespaced, 'cronjobs', 'CronJob', { spec: { schedule: '', concurrencyPolicy: 'Odd', startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } } } }),
  'autoscaler-empty': autoscaler({}),
  'autoscaler-max-zero': autoscaler({ scaleTargetRef: reference, minReplicas: -1, maxReplicas: 0 }),
  'autoscaler-reference': autoscaler({ scaleTargetRef: { kind: 'a/b', name: '' }, maxReplicas: 2 }),
  'autoscaler-behavior': autoscaler({ scaleTargetRef: reference, maxReplicas: 2, behavior: { scaleUp: { stabilizationWindowSeconds: -1, selectPolicy: 'Odd', policies: [{ type: 'Odd', value: 0, periodSeconds: 0 }] }, scaleDown: { policies: [], tolerance: '-1' } } }),
  'autoscaler-metrics': autoscaler({ scaleTargetRef: reference, maxReplicas: 2, metrics: [{ type: 'Odd' }, { type: 'Resource' }, { type: 'Resource', resource: { name: '', target: { type: 'Odd' } } }, { type: 'Pods', pods: { metric: { name: 'a/b' }, target: { type: 'AverageValue', averageValue: '-1' } } }] }),
  'policy-ports': policy({ podSelector: {}, ingress: [{ ports: [{ protocol: 'Odd', port: 0 }, { port: 5, endPort: 2 }, { endPort: 3 }, { port: 'A_' }] }] }),
  'policy-peers': policy({ podSelector: {}, egress: [{ to: [{}, { ipBlock: { cidr: '' } }, { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8'] }, podSelector: {} }] }], policyTypes: ['Odd', 'Ingress', 'Egress'] }),
  'ingress-class': inGroup('networking.k8s.io/v1', '', 'ingressclasses', 'IngressClass', { spec: { controller: 'plain', parameters: { kind: '', name: '', scope: 'Odd' } } }),
  'ip-address': { path: '/apis/networking.k8s.io/v1/ipaddresses?dryRun=All', body: { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name: '10.9.9.9' }, spec: {} } },
  'ip-address-reference': { path: '/apis/networking.k8s.io/v1/ipaddresses?dryRun=All', body: { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name: '10.09.9.9' }, spec: { parentRef: { group: 'A_', resource: '', name: 'a/b', namespace: 'A_' } } } },
  'service-cidr': inGroup('networking.k8s.io/v1', '', 'servicecidrs', 'ServiceCIDR', { spec: { cidrs: ['10.0.0.0/8', '10.0.0.0/8', 'fd00::/64'] } }),
  'service-cidr-empty': inGroup('networking.k8s.io/v1', '', 'servicecidrs', 'ServiceCIDR', { spec: {} }),
  'role-rules': role('Role', { rules: [{}, { verbs: [] }, { verbs: ['get'], nonResourceURLs: ['/x'], resources: ['a'], apiGroups: [''] }, { verbs: ['get'], resources: ['a'] }] }),
  'binding-empty': role('RoleBinding', { roleRef: {}, subjects: [{}, { kind: 'Odd', name: '' }, { kind: 'ServiceAccount', name: 'A_' }] }),
  'binding-cluster': role('ClusterRoleBinding', { roleRef: { apiGroup: 'x', kind: 'Role', name: 'a%' }, subjects: [{ kind: 'ServiceAccount', name: 'a' }, { kind: 'User', apiGroup: '', name: 'u' }] }),
  'signing-empty': signing({ request: undefined, signerName: undefined, usages: undefined }),
  'signing-short': signing({ expirationSeconds: 1, usages: ['odd', 'odd'] }),
  'lease-negative': inGroup('coordination.k8s.io/v1', namespaced, 'leases', 'Lease', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1, preferredHolder: 'x', strategy: 'odd' } }),
  'disruption-both': inGroup('policy/v1', namespaced, 'poddisruptionbudgets', 'PodDisruptionBudget', { spec: { minAvailable: '120%', maxUnavailable: -1, unhealthyPodEvictionPolicy: 'Odd', selector: { matchLabels: { a: 'b' } } } }),
  'runtime-class': inGroup('node.k8s.io/v1', '', 'runtimeclasses', 'RuntimeClass', { handler: 'A_', overhead: { podFixed: { cpu: '-1' } }, scheduling: { tolerations: [{ operator: 'Odd' }] } }),
  'runtime-class-empty': inGroup('node.k8s.io/v1', '', 'runtimeclasses', 'RuntimeClass', { handler: '' }),
  'priority-class': inGroup('scheduling.k8s.io/v1', '', 'priorityclasses', 'PriorityClass', { value: 2000000000, preemptionPolicy: 'Odd' }),
  'storage-class-empty': inGroup('storage.k8s.io/v1', '', 'storageclasses', 'StorageClass', { provisioner: '', reclaimPolicy: 'Odd', volumeBindingMode: 'Odd' }),
  'attachment-empty': inGroup('storage.k8s.io/v1', '', 'volumeattachments', 'VolumeAttachment', { spec: {} }),
  'attachment-both': inGroup('storage.k8s.io/v1', '', 'volumeattachments', 'VolumeAttachment', { spec: { attacher: 'A_', nodeName: 'A_', source: { persistentVolumeName: 'v', inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } } } } }),
  'attributes-class': inGroup('storage.k8s.io/v1', '', 'volumeattributesclasses', 'VolumeAttributesClass', { driverName: '' }),
  'attributes-class-many': inGroup('storage.k8s.io/v1', '', 'volumeattributesclasses', 'VolumeAttributesClass', { driverName: 'a b', parameters: Object.fromEntries(many(513, i => [`k${i}`, 'v'])) }),
  'csi-driver': inGroup('storage.k8s.io/v1', '', 'csidrivers', 'CSIDriver', { spec: { volumeLifecycleModes: ['Odd'], fsGroupPolicy: 'Odd', nodeAllocatableUpdatePeriodSeconds: 1, tokenRequests: [{ audience: 'a', expirationSeconds: 1 }, { audience: 'a' }] } }),
  'capacity-empty': inGroup('storage.k8s.io/v1', namespaced, 'csistoragecapacities', 'CSIStorageCapacity', { capacity: '-1', maximumVolumeSize: '-2' }),
  'slice-empty': inGroup('discovery.k8s.io/v1', namespaced, 'endpointslices', 'EndpointSlice', {}),
  'slice-odd': inGroup('discovery.k8s.io/v1', namespaced, 'endpointslices', 'EndpointSlice', { addressType: 'Odd', endpoints: [{ addresses: [] }, { addresses: ['1.2.3.4'], nodeName: 'A_' }], ports: [{ protocol: 'Odd', appProtocol: 'a b' }] }),
  'class-create': storageClass('${id}'),
  'class-change': change('/apis/storage.k8s.io/v1/storageclasses/${id}', { provisioner: 'q.example.com', parameters: { a: 'c' }, reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' }),
  'class-unset': change('/apis/storage.k8s.io/v1/storageclasses/${id}', { parameters: null }),
  'class-delete': { method: 'DELETE', path: '/apis/storage.k8s.io/v1/storageclasses/${id}' },
  'secret-create': { path: '/api/v1/namespaces/${ns}/secrets', body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, immutable: true, stringData: { a: 'b' } } },
  'secret-change': change('/api/v1/namespaces/${ns}/secrets/s', { data: { a: 'eA==' }, immutable: null, type: 'Other' }),
  'role-create': { path: '/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/rolebindings', body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'b' }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } } },
  'role-change': change('/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/rolebindings/b', { roleRef: { kind: 'Role', name: '' } }),
  'node-create': { path: '/api/v1/nodes', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: '${id}' }, spec: { podCIDRs: ['10.1.0.0/24'], providerID: 'a' } } },
  'node-change': change('/api/v1/nodes/${id}', { spec: { providerID: 'b', podCIDRs: ['10.2.0.0/24'], podCIDR: '10.2.0.0/24', taints: [{ key: 'A_ ', effect: 'Odd' }, { key: 'a', effect: 'NoSchedule' }, { key: 'a', effect: 'NoSchedule' }] } }),
  'node-delete': { method: 'DELETE', path: '/api/v1/nodes/${id}' }
}

export default {
  name: 'release37-declared',
  doc: 'Rules that the types of 1.37 declare: required and immutable fields, enums, formats, unions, limits, items that may be there once.',
  steps: Object.entries(steps).map(([id, step]) => ({ id, ...step }))
}
