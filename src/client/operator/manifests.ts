/** The manifests of an operator, from what it declares: what `//+kubebuilder` markers and kustomize bases are in Go. */
import type { DeclaredKind } from '../../apimachinery/api/kube-object.js'
import { checkMembers, type Shape, type ValueType, valueTypes } from '../../util/members.js'
import type { KindRef } from '../types.js'
import { definitionOf, resourceOf, withoutUndefined } from './kinds.js'
import { electionOptions, hasWebhooks, namespaceOf, type Operator, type PermissionRule } from './operator.js'
import { isOwnedKind, type Reconciler } from './reconciler.js'
import { healthPort, webhookPort } from './run-until-signal.js'
import { byService, configurationsOf, definitionsOf, serviceName } from './webhook-configurations.js'

/**
 * Options of `manifestsOf`.
 *
 * @example
 * const options: ManifestsOptions = { image: 'registry.example.com/rooms:1.0', namespace: 'rooms' }
 */
export interface ManifestsOptions {
  /** The image of the Deployment; `NAME:latest`. */
  readonly image?: string | undefined
  /** The namespace of the operator's own objects; that of the operator. */
  readonly namespace?: string | undefined
  /** 1. More than one only waits for the first to end. */
  readonly replicas?: number | undefined
}

/**
 * An object as it is applied.
 *
 * @example
 * const names = manifestsOf(operator).map(({ kind, metadata }: OperatorManifest) => `${kind} ${metadata.name}`)
 */
export interface OperatorManifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown }
  readonly [field: string]: unknown
}

const { text } = valueTypes
const count: ValueType = { what: 'an integer of at least 0', is: value => Number.isSafeInteger(value) && (value as number) >= 0 }
const shape: Shape = { members: { image: text, namespace: text, replicas: count }, isData: true }

/**
 * Returns the manifests of an operator, in the order in which they are applied: its definitions, its namespace, what it may do, its Deployment with probes, and what leads to its webhooks. What it may
 * do follows from its reconcilers, and `permissions` adds to it.
 *
 * @example
 * await client.apply(manifestsOf(operator, { image: 'registry.example.com/rooms:1.0' }))
 */
export function manifestsOf(operator: Operator, options: ManifestsOptions = {}): OperatorManifest[] {
  return Object.values(manifestFiles(operator, options)).flat()
}

/** The manifests by the files in which `binnacle generate --out` writes them. */
export function manifestFiles(operator: Operator, options: ManifestsOptions = {}): Record<string, OperatorManifest[]> {
  checkMembers(options, shape, 'manifests.')
  const namespace = options.namespace ?? namespaceOf(operator)
  const files: Record<string, object[]> = {
    'definitions.yaml': definitionsOf(operator, byService(operator, namespace)),
    'namespace.yaml': [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: labelsOf(operator) } }],
    'rbac.yaml': accessOf(operator, namespace),
    'deployment.yaml': [deploymentOf(operator, namespace, options)],
    'webhooks.yaml': hasWebhooks(operator)
      ? [serviceOf(operator, namespace), ...configurationsOf(operator, byService(operator, namespace))]
      : []
  }
  const filled = Object.entries(files).filter(([, objects]) => objects.length > 0)
  return withoutUndefined(Object.fromEntries(filled)) as Record<string, OperatorManifest[]>
}

const labelsOf = ({ name }: Operator) => ({ 'app.kubernetes.io/name': name })

const reads = ['get', 'list', 'watch']
const all = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
const rbac = 'rbac.authorization.k8s.io'

/** A rule for one resource. */
interface Permission {
  readonly group: string
  readonly resource: string
  readonly verbs: readonly string[]
  readonly names?: readonly string[] | undefined
}

function permissionOf(kind: DeclaredKind | KindRef, verbs: readonly string[], subresource = ''): Permission {
  const { group, resource } = resourceOf(kind)
  return { group, resource: resource + subresource, verbs }
}

function reconcilerPermissions({ for: kind, owns = [], watches = [], cache = [] }: Reconciler): Permission[] {
  return [
    permissionOf(kind, [...reads, 'patch', 'update']),
    permissionOf(kind, ['get', 'patch', 'update'], '/status'),
    permissionOf(kind, ['update'], '/finalizers'),
    ...owns.map(each => permissionOf(isOwnedKind(each) ? each.kind : each, all)),
    ...[...watches, ...cache].map(each => permissionOf(each.kind, reads))
  ]
}

function clusterPermissions(operator: Operator): Permission[] {
  const { name, reconcilers, cache = [], webhooks = [], conversions = [], kinds = [] } = operator
  const follows = [...reads, 'update']
  const configurations = [
    ...(webhooks.some(({ mutate }) => mutate) ? ['mutatingwebhookconfigurations'] : []),
    ...(webhooks.some(({ validate }) => validate) ? ['validatingwebhookconfigurations'] : [])
  ]
  const converted = kinds
    .map(kind => definitionOf(kind))
    .filter(({ spec }) => conversions.some(({ kind }) => kind.group === spec.group && kind.kind === spec.names.kind))
    .map(({ metadata }) => metadata.name)
  return [
    ...reconcilers.flatMap(reconcilerPermissions),
    ...cache.map(({ kind }) => permissionOf(kind, reads)),
    { group: '', resource: 'events', verbs: ['create', 'patch'] },
    ...configurations.map(resource => ({ group: 'admissionregistration.k8s.io', resource, verbs: follows, names: [name] })),
    ...(converted.length > 0
      ? [{ group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', verbs: follows, names: converted }]
      : [])
  ]
}

/** Joins what is said about one resource, then the resources about which the same is said. */
function rulesOf(permissions: readonly Permission[]): PermissionRule[] {
  const byResource = new Map<
    string,
    { group: string; resource: string; verbs: Set<string>; names: readonly string[] | undefined }
  >()
  for (const { group, resource, verbs, names } of permissions) {
    const key = JSON.stringify([group, resource, names])
    const known = byResource.get(key)
    if (known) for (const verb of verbs) known.verbs.add(verb)
    else byResource.set(key, { group, resource, verbs: new Set(verbs), names })
  }
  const byVerbs = new Map<string, PermissionRule & { resources: string[] }>()
  for (const { group, resource, verbs, names } of byResource.values()) {
    const sorted = [...verbs].sort()
    const key = JSON.stringify([group, sorted, names])
    const known = byVerbs.get(key)
    if (known) known.resources.push(resource)
    else
      byVerbs.set(key, { apiGroups: [group], resources: [resource], ...(names ? { resourceNames: names } : {}), verbs: sorted })
  }
  const order = ({ apiGroups, resources }: PermissionRule) => `${apiGroups?.[0]}/${resources?.[0]}`
  return [...byVerbs.values()]
    .map(rule => ({ ...rule, resources: rule.resources.sort() }))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** What it needs in its own namespace. */
function ownPermissions(operator: Operator): Permission[] {
  const election = electionOptions(operator)
  const lease = { group: 'coordination.k8s.io', resource: 'leases' }
  const secret = { group: '', resource: 'secrets' }
  const secretNames = [serviceName(operator)]
  return [
    // what is created has no name yet
    ...(election
      ? [
          { ...lease, verbs: ['create'] },
          { ...lease, verbs: ['get', 'update'], names: [election.name] }
        ]
      : []),
    ...(hasWebhooks(operator)
      ? [
          { ...secret, verbs: ['create'] },
          { ...secret, verbs: [...reads, 'update'], names: secretNames }
        ]
      : [])
  ]
}

function accessOf(operator: Operator, namespace: string): object[] {
  const { name, permissions = [] } = operator
  const labels = labelsOf(operator)
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const role = (kind: 'Role' | 'ClusterRole', rules: readonly PermissionRule[], within: object) =>
    rules.length === 0
      ? []
      : [
          { apiVersion: `${rbac}/v1`, kind, metadata: { name, ...within, labels }, rules },
          {
            apiVersion: `${rbac}/v1`,
            kind: `${kind}Binding`,
            metadata: { name, ...within, labels },
            roleRef: { apiGroup: rbac, kind, name },
            subjects
          }
        ]
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    ...role('ClusterRole', [...rulesOf(clusterPermissions(operator)), ...permissions], {}),
    ...role('Role', rulesOf(ownPermissions(operator)), { namespace })
  ]
}

function deploymentOf(operator: Operator, namespace: string, { image, replicas = 1 }: ManifestsOptions): object {
  const { name } = operator
  const labels = labelsOf(operator)
  const probe = (path: string) => ({ httpGet: { path, port: 'health' } })
  const container = {
    name: 'operator',
    image: image ?? `${name}:latest`,
    env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    ports: [
      { name: 'health', containerPort: healthPort, protocol: 'TCP' },
      ...(hasWebhooks(operator) ? [{ name: 'webhooks', containerPort: webhookPort, protocol: 'TCP' }] : [])
    ],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 1, periodSeconds: 10 },
    resources: { requests: { cpu: '10m', memory: '96Mi' }, limits: { memory: '256Mi' } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          // reconciles have 30 s to come to their end
          terminationGracePeriodSeconds: 40,
          securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [container]
        }
      }
    }
  }
}

function serviceOf(operator: Operator, namespace: string): object {
  const labels = labelsOf(operator)
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: serviceName(operator), namespace, labels },
    spec: { selector: labels, ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks', protocol: 'TCP' }] }
  }
}
