const deployment = (name, spec, image = 'nginx:1') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, annotations: { note: 'copied' } },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: name } },
    ...spec,
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } }
  }
})
const image = (name, value) => [
  'apps/v1',
  'deployments',
  name,
  { spec: { template: { spec: { containers: [{ name: 'web', image: value }] } } } }
]
const change = (name, spec) => ['apps/v1', 'deployments', name, { spec }]

export default [
  { name: 'created', create: deployment('web', { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } }) },
  { name: 'larger', patch: change('web', { replicas: 6 }) },
  { name: 'smaller', patch: change('web', { replicas: 2 }) },
  { name: 'rolled out', patch: image('web', 'nginx:2') },
  { name: 'rolled back', patch: image('web', 'nginx:1') },
  { name: 'paused', patch: change('web', { paused: true }) },
  { name: 'changed while paused', patch: image('web', 'nginx:3') },
  { name: 'resumed', patch: change('web', { paused: false }) },
  { name: 'with no history', patch: change('web', { revisionHistoryLimit: 0 }) },
  { name: 'to nothing', patch: change('web', { replicas: 0 }) },
  { name: 'recreates', create: deployment('again', { replicas: 2, strategy: { type: 'Recreate' } }) },
  { name: 'recreated', patch: image('again', 'nginx:2') },
  { name: 'deleted', remove: ['apps/v1', 'deployments', 'again', { propagationPolicy: 'Background' }] },
  { name: 'orphaned', remove: ['apps/v1', 'deployments', 'web', { propagationPolicy: 'Orphan' }] },
  { name: 'adopted', create: deployment('web', { replicas: 1 }, 'nginx:3') }
]
