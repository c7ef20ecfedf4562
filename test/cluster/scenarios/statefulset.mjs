const set = (name, spec, image = 'nginx:1') => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name },
  spec: {
    replicas: 3,
    serviceName: name,
    selector: { matchLabels: { app: name } },
    ...spec,
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } }
  }
})
const change = (name, spec) => ['apps/v1', 'statefulsets', name, { spec }]
const image = (name, value) => change(name, { template: { spec: { containers: [{ name: 'web', image: value }] } } })

export default [
  { name: 'created', create: [set('db'), set('all', { podManagementPolicy: 'Parallel', ordinals: { start: 5 } })] },
  { name: 'larger', patch: change('db', { replicas: 4 }) },
  { name: 'smaller', patch: change('db', { replicas: 2 }) },
  { name: 'rolled out', patch: image('db', 'nginx:2') },
  {
    name: 'with a partition',
    patch: change('all', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 6 } } })
  },
  { name: 'partly rolled out', patch: image('all', 'nginx:2') },
  {
    name: 'wholly rolled out',
    patch: change('all', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } })
  },
  { name: 'on delete', create: set('slow', { replicas: 2, updateStrategy: { type: 'OnDelete' } }) },
  { name: 'changed', patch: image('slow', 'nginx:2') },
  { name: 'one deleted', remove: ['v1', 'pods', 'slow-1'] },
  { name: 'rolled back', patch: image('db', 'nginx:1') },
  { name: 'deleted', remove: ['apps/v1', 'statefulsets', 'all', { propagationPolicy: 'Background' }] }
]
