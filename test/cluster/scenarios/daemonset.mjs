const set = (name, spec, image = 'nginx:1', pod = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    ...spec,
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }], ...pod } }
  }
})
const image = (name, value) => [
  'apps/v1',
  'daemonsets',
  name,
  { spec: { template: { spec: { containers: [{ name: 'web', image: value }] } } } }
]

export default [
  { name: 'created', create: [set('log'), set('none', {}, 'nginx:1', { nodeSelector: { disk: 'ssd' } })] },
  { name: 'rolled out', patch: image('log', 'nginx:2') },
  {
    name: 'with a surge',
    create: set('surge', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })
  },
  { name: 'rolled out with a surge', patch: image('surge', 'nginx:2') },
  { name: 'on delete', create: set('slow', { updateStrategy: { type: 'OnDelete' } }) },
  { name: 'changed', patch: image('slow', 'nginx:2') },
  { name: 'rolled back', patch: image('log', 'nginx:1') },
  { name: 'deleted', remove: ['apps/v1', 'daemonsets', 'surge', { propagationPolicy: 'Background' }] }
]
