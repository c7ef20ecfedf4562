const template = (name, annotations) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: 'web', image: 'nginx' }] }
})
const set = (name, replicas, annotations) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name },
  spec: { replicas, selector: { matchLabels: { app: name } }, template: template(name, annotations) }
})
const budget = (name, spec, app = name) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { selector: { matchLabels: { app } }, ...spec }
})
const change = (name, spec) => ['policy/v1', 'poddisruptionbudgets', name, { spec }]

export default [
  { name: 'before there are Pods', create: budget('web', { minAvailable: 2 }) },
  { name: 'with Pods', create: set('web', 3) },
  { name: 'as a percentage', patch: change('web', { minAvailable: '50%' }) },
  { name: 'of more Pods', patch: ['apps/v1', 'replicasets', 'web', { spec: { replicas: 5 } }] },
  { name: 'of fewer Pods', patch: ['apps/v1', 'replicasets', 'web', { spec: { replicas: 2 } }] },
  { name: 'as what may be missing', create: [budget('some', { maxUnavailable: 1 }), set('some', 2)] },
  { name: 'as a part that may be missing', patch: change('some', { maxUnavailable: '30%' }) },
  {
    name: 'without readiness',
    create: [budget('late', { maxUnavailable: 1 }), set('late', 2, { 'simulate.binnacle.dev/ready-after': '1h' })]
  },
  { name: 'more than there are', create: budget('all', { minAvailable: 9 }, 'web') },
  {
    name: 'Pods that nobody controls',
    create: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'alone', labels: { app: 'alone' } }, spec: template('').spec },
      budget('alone', { maxUnavailable: 1 })
    ]
  },
  {
    name: 'Pods of something that is not there',
    create: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'lost',
          labels: { app: 'lost' },
          ownerReferences: [
            {
              apiVersion: 'example.com/v1',
              kind: 'Strange',
              name: 'it',
              uid: 'dfb207bf-e24f-4df3-9350-b75b52545546',
              controller: true
            }
          ]
        },
        spec: template('').spec
      },
      budget('lost', { minAvailable: '50%' })
    ]
  }
]
