/** The authorizations under which requests are compared. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const role = (name, rules) => ({
  path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules }
})
const binding = (name, user) => ({
  path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  body: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }]
  }
})

const objects = [
  role('maps', [
    { verbs: ['get', 'list', 'update'], apiGroups: [''], resources: ['configmaps'] },
    { verbs: ['update'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
  ]),
  binding('maps', 'bob'),
  { path: '/api/v1/namespaces/default/configmaps', body: { metadata: { name: 'one' } } }
]

const policies = `# comments and blank lines are fine

{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","namespace":"default","resource":"configmaps","apiGroup":"*"}}
{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"group":"dev","readonly":true,"namespace":"*","resource":"*","apiGroup":"apps"}}
{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"*","readonly":true,"nonResourcePath":"/api*"}}
{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"group":"system:unauthenticated","readonly":true,"nonResourcePath":"/version"}}
{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"bob","group":"ops","resource":"*","namespace":"*","apiGroup":"*"}}
{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","resource":"*","namespace":"*","apiGroup":"authorization.k8s.io"}}
{"user":"bob","namespace":"kube-system","readonly":true}
{"kind":"Policy","user":"eve"}
{"user":"bob","resource":"configmaps"}
`

export function scenarios(directory, { files }) {
  const write = (name, content) => {
    const path = join(directory, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const webhook = (name, file, more = {}) => ({
    type: 'Webhook',
    name,
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: files[file] },
      ...more
    }
  })
  const config = (name, version, ...authorizers) => [
    `--authorization-config=${write(name, { apiVersion: `apiserver.config.k8s.io/${version}`, kind: 'AuthorizationConfiguration', authorizers })}`
  ]
  const conditions = (...expressions) => ({ matchConditions: expressions.map(expression => ({ expression })) })
  const rbac = { type: 'RBAC', name: 'rbac' }
  const node = { type: 'Node', name: 'node' }
  const policyFile = write('policies.jsonl', policies)
  return [
    { name: 'abac', objects, flags: ['--authorization-mode=ABAC', `--authorization-policy-file=${policyFile}`] },
    {
      name: 'abac-rbac',
      objects,
      flags: ['--authorization-mode=Node,RBAC,ABAC', `--authorization-policy-file=${policyFile}`]
    },
    {
      name: 'webhook-v1beta1',
      objects,
      flags: ['--authorization-mode=Webhook,RBAC', `--authorization-webhook-config-file=${files.main}`]
    },
    {
      name: 'webhook-v1-uncached',
      objects,
      flags: [
        ...['--authorization-mode=Node,RBAC,Webhook', `--authorization-webhook-config-file=${files.main}`],
        ...['--authorization-webhook-version=v1', '--authorization-webhook-cache-authorized-ttl=0s'],
        '--authorization-webhook-cache-unauthorized-ttl=0s'
      ]
    },
    {
      name: 'webhook-down',
      objects,
      flags: ['--authorization-mode=RBAC,Webhook', `--authorization-webhook-config-file=${files.down}`]
    },
    { name: 'odd', objects, flags: config('odd.json', 'v1beta1', rbac, webhook('odd', 'odd')) },
    {
      name: 'odd-deny',
      objects,
      flags: config(
        'odd-deny.json',
        'v1',
        webhook('odd', 'odd', { failurePolicy: 'Deny', subjectAccessReviewVersion: 'v1beta1' }),
        rbac
      )
    },
    {
      name: 'several',
      objects,
      flags: config(
        'several.json',
        'v1',
        webhook('down', 'down', conditions("request.user == 'nobody'")),
        webhook('main', 'main', conditions('!("system:nodes" in request.groups)', 'has(request.resourceAttributes)')),
        node,
        webhook('second', 'second', { unauthorizedTTL: '1s' }),
        rbac
      )
    },
    {
      name: 'conditions',
      objects,
      flags: config(
        'conditions.json',
        'v1alpha1',
        webhook('a', 'main', {
          failurePolicy: 'Deny',
          ...conditions(
            'has(request.resourceAttributes)',
            "request.resourceAttributes.namespace != 'kube-system'",
            "request.extra['team'][0] == 'red' || request.user != 'carol'"
          )
        }),
        webhook('b', 'second', {
          ...conditions(
            "!has(request.resourceAttributes) || !has(request.resourceAttributes.labelSelector) || request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'a' && r.operator == 'In')",
            '!has(request.resourceAttributes) || request.resourceAttributes.?fieldSelector.requirements.orValue([]).all(r, r.values.size() == 1)',
            "int(request.resourceAttributes.name) > 0 || request.user == 'bob'"
          )
        }),
        rbac
      )
    }
  ]
}
