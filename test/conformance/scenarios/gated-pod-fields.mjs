const pods = '/api/v1/namespaces/${ns}/pods'
const tried = `${pods}?dryRun=All&fieldValidation=Strict`
const pod = (name, spec, container) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', ...container }], ...spec } })
const volume = (source, mount) => [{ volumes: [{ name: 'v', ...source }] }, { volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }]
const probe = livenessProbe => [{}, { livenessProbe, ports: [{ containerPort: 80 }] }]
const created = {
  all: [
    { volumes: [{ name: 'dir', emptyDir: { mode: 0o1770 } }, { name: 'map', configMap: { name: 'm', defaultUser: 1000, items: [{ key: 'k', path: 'p', user: 1001 }] } }, { name: 'secret', secret: { secretName: 's', defaultUser: 0 } }] },
    { volumeMounts: [{ name: 'dir', mountPath: '/d', bindMountOptions: ['noexec', 'nosuid', 'nodev'] }], livenessProbe: { httpGet: { port: 80, protocol: 'HTTP2' } }, readinessProbe: { grpc: { port: 80, mode: 'TLS' } } }
  ],
  'mode-negative': volume({ emptyDir: { mode: -1 } }),
  'mode-large': volume({ emptyDir: { mode: 0o10000 } }),
  'mode-memory': volume({ emptyDir: { medium: 'Memory', mode: 0 } }),
  'options-odd': volume({ emptyDir: {} }, { bindMountOptions: ['ro', 'noexec', ''] }),
  'options-twice': volume({ emptyDir: {} }, { bindMountOptions: ['noexec', 'noexec'] }),
  'options-image': volume({ image: { reference: 'r' } }, { bindMountOptions: ['noexec'] }),
  'user-negative': volume({ configMap: { name: 'm', defaultUser: -1, items: [{ key: 'k', path: 'p', user: -5 }] } }),
  'user-large': volume({ secret: { secretName: 's', defaultUser: 4294967296 } }),
  'user-projected': volume({ projected: { defaultUser: -2, sources: [{ serviceAccountToken: { path: 't', user: -3 } }, { clusterTrustBundle: { name: 'b', path: 'c', user: 7 } }] } }),
  'user-downward': volume({ downwardAPI: { defaultUser: 5, items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' }, user: -1 }] } }),
  protocol: probe({ httpGet: { port: 80, protocol: 'H3' } }),
  'protocol-https': probe({ httpGet: { port: 80, protocol: 'HTTP2', scheme: 'HTTPS' } }),
  'grpc-mode': probe({ grpc: { port: 80, mode: 'Odd' } }),
  'hook-protocol': [{}, { lifecycle: { preStop: { httpGet: { port: 80, protocol: 'HTTP2' } } } }]
}
const conditions = [{ status: 'Degraded', reason: 'Slow', message: 'm' }]
const badConditions = [{ status: 'Odd', reason: '' }, { status: 'Degraded', reason: 'a b' }, { status: 'Degraded', reason: 'Twice' }]
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: '${id}' }, spec: { podPreemptionPolicy: { disableResizePreemption: ['cpu', 'memory'] } } }
const csiNode = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: '${id}' }, spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', allocatable: { count: 3 } }] } }
const merge = { 'Content-Type': 'application/merge-patch+json' }

export default {
  name: 'gated-pod-fields',
  doc: 'The fields of Pods, nodes and volumes that are behind gates.',
  server: 'all-gates',
  cleanup: ['/apis/storage.k8s.io/v1/csinodes/${id}', '/api/v1/nodes/${id}'],
  steps: [
    ...Object.entries(created).map(([name, [spec, container]]) => ({ id: `pod-${name}`, path: tried, body: pod('p', spec, container) })),
    { id: 'pod-stored', path: pods, body: pod('p', ...created.all) },
    { id: 'pod-health', method: 'PATCH', path: `${pods}/p/status`, headers: merge, body: { status: { volumeHealth: [{ name: 'dir', healthConditions: conditions, lastTransitionTime: '2026-05-06T07:08:09Z' }] } } },
    { id: 'pod-health-odd', method: 'PATCH', path: `${pods}/p/status`, headers: merge, body: { status: { volumeHealth: [{ name: 'nothing', healthConditions: badConditions }, { name: '' }] } } },
    { id: 'claim', path: '/api/v1/namespaces/${ns}/persistentvolumeclaims', body: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: { storageClassName: '', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
    { id: 'claim-health', method: 'PATCH', path: '/api/v1/namespaces/${ns}/persistentvolumeclaims/c/status', headers: merge, body: { status: { healthStatus: { healthConditions: conditions, lastTransitionTime: '2026-05-06T07:08:09Z' } } } },
    { id: 'claim-health-odd', method: 'PATCH', path: '/api/v1/namespaces/${ns}/persistentvolumeclaims/c/status', headers: merge, body: { status: { healthStatus: { healthConditions: badConditions } } } },
    { id: 'template', path: '/api/v1/namespaces/${ns}/podtemplates', body: { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't' }, template: { spec: pod('p', ...created.all).spec } } },
    { id: 'node', path: '/api/v1/nodes?fieldValidation=Strict', body: node },
    { id: 'csi-node', path: '/apis/storage.k8s.io/v1/csinodes', body: csiNode },
    { id: 'csi-node-status', method: 'PATCH', path: '/apis/storage.k8s.io/v1/csinodes/${id}/status?fieldValidation=Strict', headers: merge, body: { status: { storageHealth: [{ name: 'd.example.com', healthConditions: [{ status: 'StorageDegraded', reason: 'Slow', accessMode: 'ReadWriteOnce', volumeMode: 'Block' }] }] } } },
    { id: 'csi-node-status-odd', method: 'PATCH', path: '/apis/storage.k8s.io/v1/csinodes/${id}/status', headers: merge, body: { status: { storageHealth: [{ name: 'unknown.example.com', healthConditions: [{ status: 'Odd', reason: '', accessMode: 'Odd', volumeMode: 'Odd' }] }, { name: '' }] } } },
    { id: 'csi-node-delete', method: 'DELETE', path: '/apis/storage.k8s.io/v1/csinodes/${id}' },
    { id: 'node-delete', method: 'DELETE', path: '/api/v1/nodes/${id}' }
  ]
}
