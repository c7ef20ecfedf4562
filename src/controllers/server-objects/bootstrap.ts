/** Ensures the objects that exist from the start. They come back at the next start when they are deleted. */

import type { ServiceCIDR } from '../../api/generated/networking-v1.js'
import * as refs from '../../api/resources.js'
import type { Startup } from '../../health/startup.js'
import type { Client } from '../../registry/client.js'
import type { Registry } from '../../registry/registry.js'
import { tokenTracking, tokenTrackingNamespace } from '../../registry/tokens/legacy-tokens.js'
import { equalJson } from '../../util/json.js'
import { timestamp } from '../../util/time.js'

export const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

export interface BootstrapOptions {
  readonly registry: Registry
  readonly client: Client
  readonly serviceCidrs: readonly string[]
  /** Writes the ServiceCIDR's Ready condition. */
  readonly serviceCidrClient: Client
  readonly now: () => number
  readonly startup: Startup
}

export async function bootstrap(options: BootstrapOptions): Promise<void> {
  const { registry, client, startup } = options
  const namespaces = registry.of(refs.namespaces)
  for (const name of systemNamespaces) await client.ensure(namespaces, '', { metadata: { name } })
  startup.done('start-system-namespaces-controller')
  await ensureServiceCidr(options)
  startup.done('start-kubernetes-service-cidr-controller')
  await ensureTokenTracking(options)
  startup.done('start-legacy-token-tracking-controller')
  if (!registry.serves(refs.priorityClasses)) return
  const priorityClasses = registry.of(refs.priorityClasses)
  for (const [name, value, description] of systemPriorities)
    await client.ensure(priorityClasses, '', { metadata: { name }, value, description } as never)
  startup.done('scheduling/bootstrap-system-priority-classes')
}

const systemPriorities = [
  ['system-node-critical', 2000001000, 'Used for system critical pods that must not be moved from their current node.'],
  [
    'system-cluster-critical',
    2000000000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.'
  ]
] as const

/** Ensures the ServiceCIDR of the configured range. A Ready condition that another writer set stays. */
async function ensureServiceCidr({ registry, client, serviceCidrs, serviceCidrClient, now }: BootstrapOptions): Promise<void> {
  if (!registry.serves(refs.serviceCIDRs)) return
  const resource = registry.of(refs.serviceCIDRs)
  const name = 'kubernetes'
  await client.ensure(resource, '', { metadata: { name }, spec: { cidrs: serviceCidrs } } as never)
  const present: ServiceCIDR = resource.parse(resource.get('', name)!)
  const [first, second] = serviceCidrs
  if (second !== undefined && equalJson(present.spec.cidrs, [first]))
    await client.update(resource, '', name, object => {
      object.spec.cidrs = [...serviceCidrs]
    })
  const ready = present.status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
  if (ready !== 'Unknown' || present.metadata.deletionTimestamp || !equalJson(present.spec.cidrs, serviceCidrs)) return
  const message = 'Kubernetes default Service CIDR is ready'
  const condition = { type: 'Ready', status: 'True', message, lastTransitionTime: timestamp(now()) }
  await serviceCidrClient.apply(resource, '', { metadata: { name }, status: { conditions: [condition] } }, 'status')
}

/** Ensures the ConfigMap that says since when the use of tokens in Secrets is noted. */
async function ensureTokenTracking({ registry, client, now }: BootstrapOptions): Promise<void> {
  if (!registry.serves(refs.configMaps)) return
  const data = { since: new Date(now()).toISOString().slice(0, 10) }
  await client.ensure(registry.of(refs.configMaps), tokenTrackingNamespace, { metadata: { name: tokenTracking }, data } as never)
}
