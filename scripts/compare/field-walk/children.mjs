/** Subresources with a kind of their own: the kind, a body for the object of this name, and whether it is created rather than replaced. */
export const children = {
  scale: {
    type: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    body: name => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas: 1 } })
  },
  eviction: {
    type: { group: 'policy', version: 'v1', kind: 'Eviction' },
    body: name => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }),
    posted: true
  },
  binding: {
    type: { group: '', version: 'v1', kind: 'Binding' },
    body: name => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n' } }),
    posted: true
  },
  token: {
    type: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
    body: name => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name },
      spec: { audiences: ['a'], expirationSeconds: 3600 }
    }),
    posted: true
  }
}
