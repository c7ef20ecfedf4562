/** The requests that are compared. `as` is the user whose token is sent; without it, the request is anonymous. */
const maps = '/api/v1/namespaces/default/configmaps'
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const reviews = '/apis/authorization.k8s.io/v1'
const sar = (spec, as = 'admin', kind = 'SubjectAccessReview') => ({
  as,
  path: `${reviews}/${kind.toLowerCase()}s`,
  body: { apiVersion: 'authorization.k8s.io/v1', kind, spec }
})
const users = ['alice', 'bob', 'eve', undefined]
const odds = ['text', 'empty', 'list', 'type', 'bare', 'other', 'kind', 'unknown', '400', '403', '404', '201']

export const requests = [
  ...users.flatMap(as => [
    { as, path: maps },
    { as, path: `${maps}/one` },
    { as, path: `${maps}/one?watch=false&fieldSelector=a` },
    { as, path: '/api/v1/namespaces/kube-system/configmaps' },
    { as, path: '/apis/apps/v1/deployments' },
    { as, path: '/api' },
    { as, path: '/version' },
    { as, path: '/metrics/x' },
    { as, path: '/api/v1/namespaces/default/secrets/a%2Fb' },
    { as, path: `${maps}/one`, method: 'DELETE', headers: { 'x-dry': '1' }, body: { dryRun: ['All'] } },
    ...['deny', 'both', 'noted', 'silent'].map(name => ({ as, path: `${maps}/${name}` }))
  ]),
  {
    as: 'alice',
    path: `${maps}?labelSelector=a%3Db,c%20in%20(z,y),!d,e,f!%3Dg,h%3E5,i%20notin%20(j)&fieldSelector=metadata.name%3Done`
  },
  { as: 'alice', path: `${maps}?labelSelector=((&fieldSelector=x%3Dy%3Dz` },
  { as: 'alice', path: `${maps}?labelSelector=a%3Db&watch=1&timeoutSeconds=1` },
  { as: 'bob', path: `${maps}?labelSelector=h%3E5` },
  { as: 'bob', path: `${maps}?fieldSelector=metadata.name!%3Done,metadata.namespace%3D%3Ddefault` },
  { as: 'bob', path: `${maps}?labelSelector=a%3Db`, method: 'DELETE', body: { dryRun: ['All'] } },
  { as: 'bob', path: `/api/v1/watch/namespaces/default/configmaps?labelSelector=a%3Db&timeoutSeconds=1` },
  ...odds.map(name => ({ as: 'eve', path: `${maps}/odd-${name}` })),
  // who impersonates, and who is impersonated
  { as: 'bob', path: maps, headers: { 'impersonate-user': 'alice', 'impersonate-group': 'g' } },
  { as: 'alice', path: maps, headers: { 'impersonate-user': 'deny' } },
  {
    as: 'admin',
    path: maps,
    headers: {
      'impersonate-user': 'carol',
      'impersonate-uid': 'u',
      'impersonate-extra-team': ['red', 'blue'],
      'impersonate-extra-Acme.com%2FX': 'y'
    }
  },
  { as: 'admin', path: `${maps}/silent`, headers: { 'impersonate-user': 'carol', 'impersonate-extra-team': 'green' } },
  { as: 'admin', path: `${maps}/7`, headers: { 'impersonate-user': 'carol' } },
  { as: 'node', path: '/api/v1/nodes/n1' },
  { as: 'node', path: '/api/v1/nodes/n2' },
  // permission to update does not include permission to create
  { as: 'bob', path: `${leases}/fresh?dryRun=All`, method: 'PUT', body: { metadata: { name: 'fresh' } } },
  { as: 'bob', path: `${leases}/deny?dryRun=All`, method: 'PUT', body: { metadata: { name: 'deny' } } },
  { as: 'bob', path: `${leases}/both?dryRun=All`, method: 'PUT', body: { metadata: { name: 'both' } } },
  // escalation
  {
    as: 'alice',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All',
    body: { metadata: { name: 'deny-escalate' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }
  },
  {
    as: 'alice',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings?dryRun=All',
    body: {
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'both' },
      subjects: []
    }
  },
  // reviews
  ...['one', 'deny', 'both', 'noted', 'silent'].flatMap(name => [
    sar({ user: 'alice', resourceAttributes: { verb: 'get', resource: 'configmaps', name, namespace: 'default' } }),
    sar({
      user: 'bob',
      groups: ['a', 'b'],
      resourceAttributes: { verb: 'get', resource: 'configmaps', name, namespace: 'default' }
    }),
    sar({ resourceAttributes: { verb: 'get', resource: 'configmaps', name } }, 'alice', 'SelfSubjectAccessReview')
  ]),
  sar({
    user: 'x',
    uid: 'u',
    extra: { Team: ['red'], b: [], 'acme.com/Y': ['1', '2'] },
    nonResourceAttributes: { path: '/x', verb: 'get' }
  }),
  sar({ user: 'x', nonResourceAttributes: {} }),
  sar({ groups: ['g'], resourceAttributes: {} }),
  sar({
    user: 'x',
    resourceAttributes: {
      verb: 'list',
      version: 'v1',
      resource: 'pods',
      fieldSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'NotIn', values: ['d'] },
          { key: 'e', operator: 'Near' }
        ]
      },
      labelSelector: {
        requirements: [
          { key: 'z', operator: 'In', values: ['b', 'a', 'b'] },
          { key: 'y', operator: 'NotIn', values: ['d'] },
          { key: 'x', operator: 'Exists' },
          { key: 'w', operator: 'DoesNotExist' },
          { key: 'v', operator: 'Gt', values: ['1'] }
        ]
      }
    }
  }),
  sar({
    user: 'x',
    resourceAttributes: {
      verb: 'list',
      resource: 'pods',
      fieldSelector: { rawSelector: 'b=c,a!=d' },
      labelSelector: { rawSelector: 'k in (b,a),j' }
    }
  }),
  sar({
    user: 'x',
    resourceAttributes: {
      verb: 'list',
      resource: 'pods',
      fieldSelector: { rawSelector: 'a' },
      labelSelector: { rawSelector: '((' }
    }
  }),
  sar({ namespace: 'default' }, 'alice', 'SelfSubjectRulesReview'),
  sar({ namespace: 'default' }, 'bob', 'SelfSubjectRulesReview'),
  sar({ namespace: 'default' }, 'node', 'SelfSubjectRulesReview')
]
