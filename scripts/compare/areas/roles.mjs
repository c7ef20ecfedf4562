/**
 * Roles, bindings and aggregated ClusterRoles that change, and what a user may do and grant after each change. Needs the controller that aggregates ClusterRoles on both servers.
 */
import { normal } from '../applies/sequence.mjs'
import { json, merge } from '../patch-types.mjs'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const api = 'rbac.authorization.k8s.io'
const inNamespace = `${rbac}/namespaces/$NS`
const user = 'u-$ID'

export const controllers = ['clusterrole-aggregation-controller']

export async function area({ random }) {
  return { eachResource: true, generate: () => sequence(random) }
}

/** kube-apiserver names the authorizer since 1.37, and what is missing in the order of the bindings. */
function shown(body) {
  if (body.message)
    body.message = body.message
      .replace(': rbac: RBAC: ', ': RBAC: ')
      .replace(/(: RBAC: \[)(.*)\]$/, (_, start, missing) => `${start}${missing.split(', ').sort().join(', ')}]`)
  return normal(body)
}

const sorted = list => list?.map(item => JSON.stringify(item)).sort()

export const picks = {
  shown,
  // which of several bindings is named as the reason is up to a cache
  allowed: ({ status }) => status?.allowed,
  // in the order of the bindings, which a cache keeps in any
  rules: ({ status }) => ({ resourceRules: sorted(status?.resourceRules), nonResourceRules: sorted(status?.nonResourceRules) }),
  state: ({ rules, aggregationRule, metadata, message }) => ({ rules, aggregationRule, labels: metadata?.labels, message })
}

function sequence(random) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  const verbs = () => one(['get'], ['get', 'list'], ['*'], ['create', 'update'], ['bind'], ['escalate'])
  const rule = () =>
    one(
      () => ({
        apiGroups: [one('', 'apps', '*')],
        resources: [one('pods', 'configmaps', 'pods/log', '*', 'secrets')],
        verbs: verbs(),
        ...maybe(0.2, { resourceNames: ['x'] })
      }),
      () => ({ apiGroups: [one('', 'apps')], resources: ['configmaps', 'pods'], verbs: verbs() }),
      () => ({
        apiGroups: [api],
        resources: [one('roles', 'clusterroles', 'rolebindings', 'clusterrolebindings')],
        verbs: one(['*'], ['create', 'update', 'patch'], ['bind'], ['escalate']),
        ...maybe(0.2, { resourceNames: [one(...clusterRoles)] })
      }),
      () => ({ nonResourceURLs: [one('/healthz', '/metrics', '/api/*', '*')], verbs: one(['get'], ['*']) })
    )()
  const clusterRoles = ['$ID-a', '$ID-b', '$ID-c']
  const rules = () => one([], [rule()], [rule()], [rule(), rule()])
  const label = () => ({ 'x-$ID': one('1', '2') })
  const aggregation = () => ({
    clusterRoleSelectors: one(
      [{ matchLabels: label() }],
      [{ matchLabels: label() }, { matchLabels: label() }],
      [
        {
          matchExpressions: [
            { key: 'x-$ID', operator: one('In', 'NotIn'), values: ['1'] },
            { key: 'x-$ID', operator: 'Exists' }
          ]
        }
      ]
    )
  })
  const subject = () =>
    one(
      { kind: 'User', apiGroup: api, name: user },
      { kind: 'Group', apiGroup: api, name: 'g-$ID' },
      { kind: 'ServiceAccount', name: 's', namespace: '$NS' }
    )
  const subjects = () => one([subject()], [subject()], [subject(), subject()], [])
  const roleRef = namespaced => ({
    apiGroup: api,
    kind: namespaced && random.chance(0.4) ? 'Role' : 'ClusterRole',
    name: one(...clusterRoles)
  })
  const roleBody = name => ({
    metadata: { name, ...maybe(0.5, { labels: label() }) },
    rules: rules(),
    ...maybe(0.3, { aggregationRule: aggregation() })
  })
  const asUser = () => one({}, {}, { 'impersonate-user': user, 'impersonate-group': 'g-$ID' })
  const patch = (path, body, type = merge) => ({ method: 'PATCH', path, body, headers: { 'content-type': type } })
  const steps = [
    () => ({ path: `${rbac}/clusterroles`, body: roleBody(one(...clusterRoles)) }),
    () => ({ path: `${rbac}/clusterroles`, body: roleBody(one(...clusterRoles)) }),
    () => ({ path: `${inNamespace}/roles`, body: { metadata: { name: one(...clusterRoles) }, rules: rules() } }),
    () => ({
      path: `${rbac}/clusterrolebindings`,
      body: { metadata: { name: one('$ID-a', '$ID-b') }, subjects: subjects(), roleRef: roleRef(false) }
    }),
    () => ({
      path: `${inNamespace}/rolebindings`,
      body: { metadata: { name: one('$ID-a', '$ID-b') }, subjects: subjects(), roleRef: roleRef(true) }
    }),
    () => patch(`${rbac}/clusterroles/${one(...clusterRoles)}`, { metadata: { labels: one(label(), { 'x-$ID': null }) } }),
    () => patch(`${rbac}/clusterroles/${one(...clusterRoles)}`, { rules: rules() }),
    () => patch(`${rbac}/clusterroles/${one(...clusterRoles)}`, { aggregationRule: one(null, aggregation()) }),
    () => patch(`${inNamespace}/roles/${one(...clusterRoles)}`, [{ op: 'add', path: '/rules/-', value: rule() }], json),
    () =>
      patch(
        `${one(`${rbac}/clusterrolebindings`, `${inNamespace}/rolebindings`)}/${one('$ID-a', '$ID-b')}`,
        one({ subjects: subjects() }, { subjects: subjects() }, { roleRef: roleRef(true) })
      ),
    () => ({
      method: 'DELETE',
      path: `${one(`${rbac}/clusterroles`, `${rbac}/clusterroles`, `${inNamespace}/roles`)}/${one(...clusterRoles)}`
    }),
    () => ({
      method: 'DELETE',
      path: `${one(`${rbac}/clusterrolebindings`, `${inNamespace}/rolebindings`)}/${one('$ID-a', '$ID-b')}`
    })
  ]
  const asked = () =>
    one(
      () => ({
        resourceAttributes: {
          namespace: one('$NS', ''),
          verb: one('get', 'create', 'bind', 'escalate'),
          group: one('', 'apps', api),
          resource: one('pods', 'configmaps', 'clusterroles', 'secrets'),
          ...maybe(0.2, { subresource: 'log' }),
          ...maybe(0.2, { name: 'x' })
        }
      }),
      () => ({ nonResourceAttributes: { path: one('/healthz', '/api/v1', '/metrics'), verb: 'get' } })
    )()
  const impersonated = { 'impersonate-user': user, 'impersonate-group': 'g-$ID' }
  const reviews = () => [
    {
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: { spec: { user, groups: ['g-$ID'], ...asked() } },
      eventually: true,
      pick: picks.allowed
    },
    {
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      headers: impersonated,
      body: { spec: asked() },
      eventually: true,
      pick: picks.allowed
    },
    {
      path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      headers: impersonated,
      body: { spec: { namespace: '$NS' } },
      eventually: true,
      pick: picks.rules
    }
  ]
  const state = [
    ...clusterRoles.map(name => ({
      path: `${rbac}/clusterroles/${name}`,
      eventually: true,
      pick: picks.state
    }))
  ]
  const requests = [steps[0](), steps[3]()]
  for (let i = 5 + random.below(5); i > 0; i--) {
    const step = one(...steps)()
    // the authorizer of kube-apiserver follows what was written before
    requests.push({ pick: shown, wait: 50, ...step, headers: { ...step.headers, ...asUser() } }, ...state, ...reviews())
  }
  return {
    requests,
    cleanup: [
      ...['$ID-a', '$ID-b'].flatMap(name => [`${rbac}/clusterrolebindings/${name}`, `${inNamespace}/rolebindings/${name}`]),
      ...clusterRoles.flatMap(name => [`${rbac}/clusterroles/${name}`, `${inNamespace}/roles/${name}`])
    ].map(path => ({ method: 'DELETE', path }))
  }
}
