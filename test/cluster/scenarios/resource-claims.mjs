const spec = { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }] } }
const template = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'gpu' },
  spec: { metadata: { labels: { of: 'gpu' }, annotations: { note: 'kept' } }, spec }
}
const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'own' }, spec }
const pod = (name, resourceClaims) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    nodeName: 'node-0',
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'web', image: 'nginx' }],
    resourceClaims
  }
})

export default [
  { name: 'without its template', create: pod('web', [{ name: 'card', resourceClaimTemplateName: 'gpu' }]) },
  { name: 'with it', create: template, seconds: 4 },
  {
    name: 'of its own and by a template',
    create: [
      claim,
      pod('both', [
        { name: 'own', resourceClaimName: 'own' },
        { name: 'card', resourceClaimTemplateName: 'gpu' }
      ])
    ]
  },
  {
    name: 'allocated',
    patch: [
      'resource.k8s.io/v1',
      'resourceclaims',
      'own',
      {
        status: { allocation: { devices: { results: [{ request: 'one', driver: 'gpu.example.com', pool: 'p', device: 'd' }] } } }
      },
      'status'
    ]
  },
  { name: 'freed', remove: ['v1', 'pods', 'both'] },
  { name: 'gone', remove: ['v1', 'pods', 'web'] }
]
