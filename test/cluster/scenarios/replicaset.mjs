const set = (name, replicas, labels = { app: name }) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
  }
})
const pod = (name, labels) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'web', image: 'nginx' }] }
})

export default [
  { name: 'adopts', create: [pod('mine', { app: 'web' }), pod('not-mine', { app: 'other' }), set('web', 2)] },
  { name: 'releases', patch: ['v1', 'pods', 'mine', { metadata: { labels: { app: 'none' } } }] },
  { name: 'scaled', patch: ['apps/v1', 'replicasets', 'web', { spec: { replicas: 1 } }] },
  {
    name: 'beyond a quota',
    create: [
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard: { pods: '4' } } },
      set('many', 3, { app: 'many', tier: 'x' })
    ],
    seconds: 3
  },
  { name: 'without the quota', remove: ['v1', 'resourcequotas', 'few'], seconds: 3 },
  {
    name: 'a controller of the old kind',
    create: {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'old' },
      spec: {
        replicas: 1,
        template: { metadata: { labels: { app: 'old' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
      }
    }
  },
  { name: 'orphans', remove: ['apps/v1', 'replicasets', 'web', { propagationPolicy: 'Orphan' }] }
]
