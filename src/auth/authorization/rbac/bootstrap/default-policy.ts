/** The roles and bindings that every cluster has (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings). */
import type { AggregationRule, PolicyRule, RoleRef, Subject } from '../../../../apimachinery/api/generated/rbac-v1.js'
import type { FeatureGates } from '../../../../apimachinery/features/feature-gates.js'
import { rbacGroup } from '../group.js'
import { aggregatedRules } from './aggregated-roles.js'
import { commonRoles } from './common-roles.js'
import { componentRoles } from './component-roles.js'
import { controllerRoles } from './controller-roles.js'
import { publicRoles, systemRoles } from './namespace-roles.js'

export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate'

interface DefaultMetadata {
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
  }
}

export interface DefaultRole extends DefaultMetadata {
  readonly rules: readonly PolicyRule[] | null
  readonly aggregationRule?: AggregationRule
}

export interface DefaultBinding extends DefaultMetadata {
  readonly roleRef: RoleRef
  readonly subjects?: readonly Subject[]
}

const apiGroup = rbacGroup
const controllerPrefix = 'system:controller:'

const metadata = (name: string, labels: Record<string, string> = {}) => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  annotations: { [autoUpdate]: 'true' }
})

type Rules = Readonly<Record<string, readonly PolicyRule[]>>

const rolesOf = (rules: Rules, prefix = ''): DefaultRole[] =>
  Object.entries(rules).map(([name, rules]) => ({ metadata: metadata(prefix + name), rules }))

const aggregateTo = (name: string) => ({ [`${apiGroup}/aggregate-to-${name}`]: 'true' })

/** Returns a role that aggregates the roles labelled for it, and that is itself aggregated into the next stronger role. */
const gathering = (name: string, into?: string): DefaultRole => ({
  metadata: metadata(name, into === undefined ? {} : aggregateTo(into)),
  rules: null,
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] }
})

export const defaultClusterRoles = (features: FeatureGates): DefaultRole[] => [
  ...rolesOf(commonRoles(features)),
  gathering('admin'),
  gathering('edit', 'admin'),
  gathering('view', 'edit'),
  ...Object.entries(aggregatedRules(features)).map(([name, rules]) => ({
    metadata: metadata(`system:aggregate-to-${name}`, aggregateTo(name)),
    rules
  })),
  ...rolesOf(componentRoles(features)),
  ...rolesOf(controllerRoles(features), controllerPrefix)
]

export const defaultRoles = (): ReadonlyMap<string, DefaultRole[]> =>
  new Map([
    ['kube-system', rolesOf(systemRoles)],
    ['kube-public', rolesOf(publicRoles)]
  ])

const user = (name: string): Subject => ({ kind: 'User', apiGroup, name })
const group = (name: string): Subject => ({ kind: 'Group', apiGroup, name })
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' })

const binding = (
  kind: 'ClusterRole' | 'Role',
  name: string,
  subjects: readonly Subject[],
  role: string = name
): DefaultBinding => ({
  metadata: metadata(name),
  ...(subjects.length > 0 ? { subjects } : {}),
  roleRef: { apiGroup, kind, name: role }
})

/**
 * The subjects of the ClusterRoleBinding for the ClusterRole of the same name. system:node has none, because the mode Node
 * replaces that binding.
 */
const clusterSubjects = (features: FeatureGates): Readonly<Record<string, readonly Subject[]>> => ({
  'cluster-admin': [group('system:masters')],
  'system:monitoring': [group('system:monitoring')],
  'system:discovery': [group('system:authenticated')],
  'system:basic-user': [group('system:authenticated')],
  'system:public-info-viewer': [group('system:authenticated'), group('system:unauthenticated')],
  'system:node-proxier': [user('system:kube-proxy')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:kube-dns': [account('kube-dns')],
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:volume-scheduler': [user('system:kube-scheduler')],
  'system:node': [],
  'system:service-account-issuer-discovery': [group('system:serviceaccounts')],
  ...(features.enabled('ClusterTrustBundle')
    ? { 'system:cluster-trust-bundle-discovery': [group('system:serviceaccounts')] }
    : {})
})

export const defaultClusterRoleBindings = (features: FeatureGates): DefaultBinding[] => [
  ...Object.entries(clusterSubjects(features)).map(([name, subjects]) => binding('ClusterRole', name, subjects)),
  ...Object.keys(controllerRoles(features)).map(name => binding('ClusterRole', controllerPrefix + name, [account(name)]))
]

export const defaultRoleBindings = (): ReadonlyMap<string, DefaultBinding[]> => {
  const bootstrapSigner = binding('Role', `${controllerPrefix}bootstrap-signer`, [account('bootstrap-signer')])
  const [manager, scheduler] = ['kube-controller-manager', 'kube-scheduler'] as const
  const managers = [user(`system:${manager}`), account(manager), account('leader-election-controller')]
  const reader = 'extension-apiserver-authentication-reader'
  return new Map([
    ['kube-public', [bootstrapSigner]],
    [
      'kube-system',
      [
        binding('Role', `system::${reader}`, [user(`system:${manager}`), user(`system:${scheduler}`)], reader),
        binding('Role', `system::leader-locking-${manager}`, managers),
        binding('Role', `system::leader-locking-${scheduler}`, [user(`system:${scheduler}`), account(scheduler)]),
        bootstrapSigner,
        binding('Role', `${controllerPrefix}cloud-provider`, [account('cloud-provider')]),
        binding('Role', `${controllerPrefix}token-cleaner`, [account('token-cleaner')])
      ]
    ]
  ])
}
