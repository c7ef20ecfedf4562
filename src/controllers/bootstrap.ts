/** Objects that exist from the start, and come back when they were deleted while the server was down. */
import type { Registry } from '../registry/registry.js'
import type { Writer } from './writer.js'

export const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

export interface BootstrapOptions {
  readonly registry: Registry
  readonly writer: Writer
  /** The first address of the service range. */
  readonly serviceIP: string | undefined
  readonly port: number
}

export async function bootstrap({ registry, writer, serviceIP, port }: BootstrapOptions): Promise<void> {
  const namespaces = registry.resource('', 'namespaces')
  for (const name of systemNamespaces) await writer.ensure(namespaces, '', { metadata: { name } })
  if (registry.has('', 'services'))
    await writer.ensure(registry.resource('', 'services'), 'default', {
      metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        ...(serviceIP ? { clusterIP: serviceIP } : {}),
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }]
      }
    } as never)
  if (!registry.has('scheduling.k8s.io', 'priorityclasses')) return
  const priorityClasses = registry.resource('scheduling.k8s.io', 'priorityclasses')
  for (const [name, value, description] of systemPriorities)
    await writer.ensure(priorityClasses, '', { metadata: { name }, value, description } as never)
}

const systemPriorities = [
  ['system-node-critical', 2000001000, 'Used for system critical pods that must not be moved from their current node.'],
  [
    'system-cluster-critical',
    2000000000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.'
  ]
] as const
