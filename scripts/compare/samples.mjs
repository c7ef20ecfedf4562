/** A small valid object of every kind, by resource and group. Kinds of several versions fit all of them. */
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const selector = { matchLabels: { a: 'b' } }
const jobTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } }
const user = { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } }
const matchConstraints = {
  resourceRules: [{ apiGroups: ['$ID.example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['things'] }]
}
const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIV01IOENBUUF3SFRFTU1Bb0dBMVVFQ2d3RFpHVjJNUTB3Q3dZRFZRUUREQVJqYjI1bU1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVkZ0JGZmVXTXl4a21pYUc4WFpabjRMVStwUXU5dU00SENpckd0c0JlCjluUTRQNXVldy9weldacS9yVDVVMWw3dnkzd2ZLVEJ1M2VIa3pUcjFjelpQU2FBQU1Bb0dDQ3FHU000OUJBTUMKQTBjQU1FUUNJQjVaMFBWSm5qd1dVQUpRMmJJYjBvcTVHcHdpYXJvRG1WdTVuUk44VUIzRUFpQlVrZzc5TmFFdwphWFd1T3FKMnp0bWtwL09rQkljWjZINC9CZHJvWmpWWUtnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

const bodies = {
  'endpointslices.discovery.k8s.io': { addressType: 'IPv4', endpoints: [{ addresses: ['192.168.0.1'] }] },
  events: { involvedObject: { namespace: '$NS' } },
  'events.events.k8s.io': {
    regarding: { namespace: '$NS' },
    eventTime: '2024-03-04T05:06:07.000008Z',
    reportingController: 'example.com/c',
    reportingInstance: 'c-0',
    action: 'Do',
    reason: 'Did',
    type: 'Normal'
  },
  persistentvolumeclaims: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  persistentvolumes: { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } } },
  pods: { spec: { ...template.spec, automountServiceAccountToken: false } },
  podtemplates: { template },
  replicationcontrollers: { spec: { selector: { a: 'b' }, template } },
  services: { spec: { clusterIP: 'None' } },
  bindings: { target: { kind: 'Node', name: 'n' } },
  'deployments.apps': { spec: { selector, template } },
  'replicasets.apps': { spec: { selector, template } },
  'statefulsets.apps': { spec: { selector, template, serviceName: 's' } },
  'daemonsets.apps': { spec: { selector, template } },
  'controllerrevisions.apps': { revision: 1, data: {} },
  'jobs.batch': { spec: { template: jobTemplate } },
  'cronjobs.batch': { spec: { schedule: '@hourly', jobTemplate: { spec: { template: jobTemplate } } } },
  'horizontalpodautoscalers.autoscaling': {
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'm' } }
  },
  'poddisruptionbudgets.policy': { spec: { selector, minAvailable: 1 } },
  'roles.rbac.authorization.k8s.io': { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  'clusterroles.rbac.authorization.k8s.io': { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  'rolebindings.rbac.authorization.k8s.io': { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'm' } },
  'clusterrolebindings.rbac.authorization.k8s.io': {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'm' }
  },
  'ingresses.networking.k8s.io': { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  'ingressclasses.networking.k8s.io': { spec: { controller: 'example.com/ingress' } },
  'networkpolicies.networking.k8s.io': { spec: { podSelector: selector } },
  'ipaddresses.networking.k8s.io': {
    metadata: { name: '192.168.201.11' },
    spec: { parentRef: { resource: 'gateways', name: 'g' } }
  },
  'servicecidrs.networking.k8s.io': { spec: { cidrs: ['192.168.202.0/28'] } },
  'workloads.scheduling.k8s.io': {
    spec: {
      controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'j' },
      podGroupTemplates: [{ name: 't', schedulingPolicy: { gang: { minCount: 2 } } }]
    }
  },
  'podgroups.scheduling.k8s.io': { spec: { schedulingPolicy: { basic: {} } } },
  'csistoragecapacities.storage.k8s.io': { storageClassName: 'sc' },
  'storageclasses.storage.k8s.io': { provisioner: 'p.example.com' },
  'csidrivers.storage.k8s.io': { spec: {} },
  'csinodes.storage.k8s.io': { spec: { drivers: [] } },
  'volumeattachments.storage.k8s.io': {
    spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } }
  },
  'volumeattributesclasses.storage.k8s.io': { driverName: 'd', parameters: { iops: '1' } },
  'runtimeclasses.node.k8s.io': { handler: 'h' },
  'priorityclasses.scheduling.k8s.io': { value: 1 },
  'flowschemas.flowcontrol.apiserver.k8s.io': { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': {
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }
  },
  'deviceclasses.resource.k8s.io': { spec: {} },
  'resourceslices.resource.k8s.io': {
    spec: { driver: 'd.example.com', allNodes: true, pool: { name: 'p', generation: 1, resourceSliceCount: 1 } }
  },
  'resourceclaims.resource.k8s.io': { spec: {} },
  'resourceclaimtemplates.resource.k8s.io': { spec: { spec: {} } },
  'devicetaintrules.resource.k8s.io': {
    spec: { deviceSelector: { driver: 'd.example.com' }, taint: { key: 'example.com/t', effect: 'NoSchedule' } }
  },
  'resourcepoolstatusrequests.resource.k8s.io': { spec: { driver: 'd.example.com' } },
  'leasecandidates.coordination.k8s.io': {
    spec: { leaseName: 'l', binaryVersion: '1.36.0', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' }
  },
  'storageversionmigrations.storagemigration.k8s.io': { spec: { resource: { group: '', resource: 'configmaps' } } },
  'apiservices.apiregistration.k8s.io': {
    metadata: { name: 'v1.$ID.example.com' },
    spec: {
      group: '$ID.example.com',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      insecureSkipTLSVerify: true,
      service: { namespace: 'none', name: 'none' }
    }
  },
  'certificatesigningrequests.certificates.k8s.io': {
    spec: { request: signingRequest, signerName: 'example.com/s', usages: ['client auth'] }
  },
  'customresourcedefinitions.apiextensions.k8s.io': {
    metadata: { name: 'things.$ID.example.com' },
    spec: {
      group: '$ID.example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
    }
  },
  'validatingadmissionpolicies.admissionregistration.k8s.io': {
    spec: { matchConstraints, validations: [{ expression: 'true' }] }
  },
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': {
    spec: { policyName: '$ID', validationActions: ['Deny'] }
  },
  'mutatingadmissionpolicies.admissionregistration.k8s.io': {
    spec: {
      matchConstraints,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind", value: "Thing"}]' } }]
    }
  },
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': { spec: { policyName: '$ID' } },
  'tokenreviews.authentication.k8s.io': { spec: { token: 'nobody-knows-it' } },
  'subjectaccessreviews.authorization.k8s.io': { spec: user },
  'localsubjectaccessreviews.authorization.k8s.io': {
    spec: { ...user, resourceAttributes: { ...user.resourceAttributes, namespace: '$NS' } }
  },
  'selfsubjectaccessreviews.authorization.k8s.io': { spec: { resourceAttributes: user.resourceAttributes } },
  'selfsubjectrulesreviews.authorization.k8s.io': { spec: { namespace: '$NS' } }
}

/** `resource` is one of the cluster's. Its name is $ID where the kind leaves that open. */
export function sample({ group, version, resource, kind }) {
  const body = bodies[group === '' ? resource : `${resource}.${group}`] ?? {}
  return structuredClone({
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    ...body,
    metadata: { name: '$ID', ...body.metadata }
  })
}
