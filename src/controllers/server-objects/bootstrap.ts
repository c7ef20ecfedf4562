/** Objects that exist from the start, and come back when they were deleted while the server was down. */
import type { ServiceCIDR } from '../../api/generated/networking-v1.js'
import type { Registry } from '../../registry/registry.js'
import { equalJson } from '../../util/json.js'
import { timestamp } from '../../util/time.js'
import type { Writer } from '../writer.js'

export const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

export interface BootstrapOptions {
  readonly registry: Registry
  readonly writer: Writer
  /** The first address of the service range. */
  readonly serviceIP: string | undefined
  readonly port: number
  readonly serviceCidrs: readonly string[]
  /** Says of the ServiceCIDR that it is ready. */
  readonly serviceCidrWriter: Writer
  /** PEM of the authorities of client certificates: what extension servers have to believe, too. */
  readonly clientCAs: string
  readonly now: () => number
}

export async function bootstrap(options: BootstrapOptions): Promise<void> {
  const { registry, writer, serviceIP, port } = options
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
  await ensureServiceCidr(options)
  await ensureConfigMaps(options)
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

/** The range that this server was started with. Others' word on its readiness is left alone. */
async function ensureServiceCidr({ registry, writer, serviceCidrs, serviceCidrWriter, now }: BootstrapOptions): Promise<void> {
  if (!registry.has('networking.k8s.io', 'servicecidrs')) return
  const resource = registry.resource('networking.k8s.io', 'servicecidrs')
  const name = 'kubernetes'
  await writer.ensure(resource, '', { metadata: { name }, spec: { cidrs: serviceCidrs } } as never)
  const present: ServiceCIDR = resource.parse(resource.get('', name)!)
  const [first, second] = serviceCidrs
  if (second !== undefined && equalJson(present.spec.cidrs, [first]))
    await writer.update(resource, '', name, object => {
      object.spec.cidrs = serviceCidrs
    })
  const ready = present.status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
  if (ready !== 'Unknown' || present.metadata.deletionTimestamp || !equalJson(present.spec.cidrs, serviceCidrs)) return
  const message = 'Kubernetes default Service CIDR is ready'
  const condition = { type: 'Ready', status: 'True', message, lastTransitionTime: timestamp(now()) }
  await serviceCidrWriter.apply(resource, '', { metadata: { name }, status: { conditions: [condition] } }, 'status')
}

/** What others read in order to authenticate as this server does, and since when the use of tokens in Secrets is noted. */
async function ensureConfigMaps({ registry, writer, clientCAs, now }: BootstrapOptions): Promise<void> {
  if (!registry.has('', 'configmaps')) return
  const configMaps = registry.resource('', 'configmaps')
  const ensure = (name: string, data: Record<string, string>) =>
    writer.ensure(configMaps, 'kube-system', { metadata: { name }, data } as never)
  const authentication = 'extension-apiserver-authentication'
  const trusted = { 'client-ca-file': clientCAs }
  if (!(await ensure(authentication, trusted))) {
    const present = configMaps.parse(configMaps.get('kube-system', authentication)!)
    if (present.data?.['client-ca-file'] !== clientCAs)
      await writer.update(configMaps, 'kube-system', authentication, object => {
        object.data = { ...object.data, ...trusted }
      })
  }
  await ensure('kube-apiserver-legacy-service-account-token-tracking', { since: new Date(now()).toISOString().slice(0, 10) })
}
