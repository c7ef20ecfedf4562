import { life } from '../life.mjs'

const merge = { 'Content-Type': 'application/merge-patch+json' }
const table = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const rules = '/apis/resource.k8s.io/v1/devicetaintrules'
const ignore = ['body.spec.taint.timeAdded']
const rule = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceTaintRule', metadata: { name: '${id}' }, spec: { deviceSelector: { driver: 'nic.example.com' }, taint: { key: 'example.com/slow', effect: 'None' } } }
const migrations = '/apis/storagemigration.k8s.io/v1/storageversionmigrations'
const migration = { apiVersion: 'storagemigration.k8s.io/v1', kind: 'StorageVersionMigration', metadata: { name: '${id}' }, spec: { resource: { group: 'apps', resource: 'deployments' } } }
const condition = { type: 'Running', status: 'True', reason: 'Begun', message: '', lastTransitionTime: '2026-05-06T07:08:09Z' }
const sets = '/apis/apps/v1/namespaces/${ns}/statefulsets'
const set = updateStrategy => ({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 's' }, spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }, updateStrategy } })
const rolling = maxUnavailable => ({ path: `${sets}?dryRun=All`, body: set({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable } }) })
const pods = '/api/v1/namespaces/${ns}/pods'
const labelled = (seLinuxChangePolicy, name = 'p') => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { automountServiceAccountToken: false, securityContext: { seLinuxChangePolicy }, containers: [{ name: 'c', image: 'i' }] } })
const csiNode = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: '${id}' }, spec: { drivers: [{ name: 'd.example.com', nodeID: 'n' }] } }
const health = { status: { storageHealth: [{ name: 'd.example.com', healthConditions: [{ status: 'StorageDegraded', reason: 'Slow' }] }] } }

export default {
  name: 'release37-kinds',
  doc: 'Kinds, versions and fields that 1.37 serves by default, and those that it drops without their gate.',
  steps: [
    ...life('rule', rules, rule, {
      bad: {
        selector: { spec: { deviceSelector: { driver: 'x'.repeat(300), pool: '/', device: 'a.b' } } },
        effect: { spec: { taint: { effect: 'PreferNoSchedule' } } },
        key: { spec: { taint: { key: '/', value: 'v'.repeat(70) } } },
        'no-taint': { spec: { taint: undefined } }
      },
      put: { taint: { spec: { taint: { value: 'v', effect: 'NoSchedule' } } } },
      patch: { selector: { spec: { deviceSelector: { driver: 'other.example.com' } } }, key: { spec: { taint: { key: 'example.com/other' } } } },
      status: {
        one: { status: { conditions: [condition] } },
        many: { status: { conditions: Array.from({ length: 9 }, (_, i) => ({ ...condition, type: `T${i}` })) } },
        twice: { status: { conditions: [condition, condition] } }
      },
      step: { ignore }
    }),
    { id: 'rule-beta', path: '/apis/resource.k8s.io/v1beta2/devicetaintrules' },
    ...life('migration', migrations, migration, {
      bad: { resource: { spec: { resource: { resource: '', group: 'A_' } } }, long: { spec: { resource: { resource: 'r'.repeat(300) } } } },
      patch: { group: { spec: { resource: { group: 'batch' } } } }
    }),
    { id: 'set-zero', ...rolling(0) },
    { id: 'set-zero-percent', ...rolling('0%') },
    { id: 'set-negative', ...rolling(-1) },
    { id: 'set-text', ...rolling('half') },
    { id: 'set-all', ...rolling('100%') },
    { id: 'set-default', path: sets, body: set(undefined) },
    { id: 'set-recreate', method: 'PATCH', path: `${sets}/s`, headers: merge, body: { spec: { updateStrategy: { type: 'Recreate', rollingUpdate: null } } } },
    { id: 'set-rolling-again', method: 'PATCH', path: `${sets}/s`, headers: merge, body: { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } } } },
    { id: 'pod-relabelled-by-mount', path: pods, body: labelled('MountOption') },
    { id: 'pod-relabelled-oddly', path: `${pods}?dryRun=All`, body: labelled('Odd') },
    { id: 'pod-gated', path: `${pods}?dryRun=All&fieldValidation=Warn`, body: { ...labelled('Recursive', 'gated'), spec: { automountServiceAccountToken: false, schedulingGroup: { podGroupName: 'g' }, evictionResponders: [{ name: 'a.example.com/x', priority: 1 }], volumes: [{ name: 'v', configMap: { name: 'm', defaultUser: 5 } }], containers: [{ name: 'c', image: 'i', livenessProbe: { grpc: { port: 1, mode: 'TLS' } } }] } } },
    { id: 'csi-node', path: '/apis/storage.k8s.io/v1/csinodes', body: csiNode },
    { id: 'csi-node-status', method: 'PATCH', path: '/apis/storage.k8s.io/v1/csinodes/${id}/status', headers: merge, body: health },
    { id: 'csi-node-delete', method: 'DELETE', path: '/apis/storage.k8s.io/v1/csinodes/${id}' },
    { id: 'bundles-table', path: '/apis/certificates.k8s.io/v1/clustertrustbundles?fieldSelector=metadata.name%3Dnone', headers: table },
    { id: 'requests-table', path: '/apis/certificates.k8s.io/v1/namespaces/${ns}/podcertificaterequests', headers: table },
    ...['scheduling.k8s.io/v1alpha2/workloads', 'scheduling.k8s.io/v1beta1/workloads', 'lifecycle.k8s.io/v1alpha1/evictions', 'storagemigration.k8s.io/v1beta1/storageversionmigrations', 'certificates.k8s.io/v1beta1/podcertificaterequests'].map(path => ({ id: `group-${path.split('/')[0]}-${path.split('/')[1]}`, path: `/apis/${path}` }))
  ]
}
