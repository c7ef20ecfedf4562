import { findResource, resources } from '../api/discovery.js'
import { features } from '../api/features.js'
import { listRoute } from '../api/paths.js'
import type { Resource } from '../api/types.js'

export interface Place {
  readonly title: string
  readonly route: string
  /** What the search of the palette also looks at. */
  readonly words: string
}
export interface Section {
  readonly title: string
  readonly places: readonly Place[]
}

/** Pages that are not lists of a kind: those that this server can fill. */
export const pages = (): readonly Place[] =>
  [
    { title: 'Overview', route: '/console/', words: 'home start', isThere: true },
    { title: 'Nodes and Pods', route: '/console/cluster', words: 'cluster map simulate faults', isThere: true },
    { title: 'Apply', route: '/console/create', words: 'create new yaml edit add', isThere: true },
    {
      title: 'Who may do what',
      route: '/console/access',
      words: 'access rbac permissions roles why forbidden denied explain',
      isThere: true
    },
    {
      title: 'Requests',
      route: '/console/requests',
      words: 'recorder live traffic slow errors',
      isThere: features.value.explain
    },
    {
      title: 'The server now',
      route: '/console/server',
      words: 'metrics memory latency flow control watches storage',
      isThere: true
    },
    {
      title: 'The past',
      route: '/console/past',
      words: 'history deleted undelete restore time',
      isThere: features.value.history
    },
    {
      title: 'Testing',
      route: '/console/testing',
      words: 'clock time faults snapshots restore freeze',
      isThere: features.value.testing
    }
  ].filter(({ isThere }) => isThere)

/** The kinds that people look at most, as [group, resource]. Those that the server does not have are left out. */
const sections: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Workloads',
    [
      ['', 'pods'],
      ['apps', 'deployments'],
      ['apps', 'statefulsets'],
      ['apps', 'daemonsets'],
      ['apps', 'replicasets'],
      ['batch', 'jobs'],
      ['batch', 'cronjobs'],
      ['autoscaling', 'horizontalpodautoscalers']
    ]
  ],
  [
    'Configuration',
    [
      ['', 'configmaps'],
      ['', 'secrets'],
      ['', 'resourcequotas'],
      ['', 'limitranges']
    ]
  ],
  [
    'Network',
    [
      ['', 'services'],
      ['discovery.k8s.io', 'endpointslices'],
      ['networking.k8s.io', 'ingresses'],
      ['networking.k8s.io', 'networkpolicies']
    ]
  ],
  [
    'Storage',
    [
      ['', 'persistentvolumeclaims'],
      ['', 'persistentvolumes'],
      ['storage.k8s.io', 'storageclasses']
    ]
  ],
  [
    'Cluster',
    [
      ['', 'namespaces'],
      ['', 'nodes'],
      ['', 'events'],
      ['apiextensions.k8s.io', 'customresourcedefinitions']
    ]
  ],
  [
    'Access',
    [
      ['', 'serviceaccounts'],
      ['rbac.authorization.k8s.io', 'roles'],
      ['rbac.authorization.k8s.io', 'rolebindings'],
      ['rbac.authorization.k8s.io', 'clusterroles'],
      ['rbac.authorization.k8s.io', 'clusterrolebindings']
    ]
  ]
]

/** The name of a kind in the plural, for people: `HorizontalPodAutoscalers`. */
export function pluralOf({ kind }: Pick<Resource, 'kind'>): string {
  if (/(s|x|ch|sh)$/.test(kind)) return kind.endsWith('ies') || kind === 'Endpoints' ? kind : `${kind}es`
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`
}

const placeOf = (resource: Resource): Place => ({
  title: pluralOf(resource),
  route: listRoute(resource),
  words: [resource.name, resource.singular, resource.group, ...resource.shortNames, ...resource.categories].join(' ')
})

export const isListed = (resource: Resource): boolean => resource.verbs.includes('list')

/** The sections of the sidebar: what people look at most, then all other kinds by their group. */
export function navigation(): Section[] {
  const known = sections.map(([title, names]) => ({
    title,
    found: names.map(([group, name]) => findResource(group, name)).filter(resource => resource !== undefined)
  }))
  const shown = new Set(known.flatMap(({ found }) => found))
  const byGroup = new Map<string, Resource[]>()
  for (const resource of resources.value ?? []) {
    if (shown.has(resource) || !isListed(resource)) continue
    const others = byGroup.get(resource.group) ?? []
    byGroup.set(resource.group, others)
    others.push(resource)
  }
  // kinds of the cluster's own first: whoever defined them wants to see them
  const isOwn = (group: string) => group.includes('.') && !group.endsWith('.k8s.io')
  const groups = [...byGroup].sort(([a], [b]) => Number(isOwn(b)) - Number(isOwn(a)) || (a < b ? -1 : 1))
  return [
    ...known.filter(({ found }) => found.length > 0).map(({ title, found }) => ({ title, places: found.map(placeOf) })),
    ...groups.map(([group, found]) => ({ title: group || 'core', places: found.map(placeOf) }))
  ]
}
