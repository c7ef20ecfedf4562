/** Resources as numbers, and what Pods request of them. */
import type { Container, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { isPodLevel, podResourcesInUse, type ResourceList } from '../../kinds/core/pod/resources.js'
import { isExtendedResource } from '../../kinds/core/resource-names.js'
import { mayBeOfClass } from '../../kinds/resource/class-resources.js'
import { integerValue, milliValue, parseQuantity } from '../../util/quantity.js'
import { SharedValues } from './shared-values.js'

/** Amounts by the names of resources: CPU in thousandths, all others in units. */
export type Amounts = ReadonlyMap<string, number>

const isScalar = (name: string): boolean =>
  isExtendedResource(name) ||
  name.startsWith('hugepages-') ||
  name.startsWith('attachable-volumes-') ||
  name.includes('kubernetes.io/')

/** Whether Nodes offer the resource, and the scheduler counts it. */
const isCounted = (name: string): boolean => name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || isScalar(name)

export const amountOf = (name: string, quantity: string): number =>
  Number(name === 'cpu' ? milliValue(parseQuantity(quantity)) : integerValue(parseQuantity(quantity)))

export function amountsOf(list: Readonly<ResourceList> | undefined): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const [name, quantity] of Object.entries(list ?? {})) if (isCounted(name)) amounts.set(name, amountOf(name, quantity))
  return amounts
}

export interface PodRequests {
  readonly amounts: Amounts
  /** The names of those that devices may provide instead of Nodes: most Pods have none. */
  readonly extended: readonly string[]
  /** CPU and memory for scoring, where a container that requests nothing counts as a small one. */
  readonly usual: { readonly cpu: number; readonly memory: number }
}

/** What a container counts for in scores when it requests nothing. */
const usualContainer = { cpu: '100m', memory: '200Mi' }

const shared = new SharedValues<PodRequests>()

export function requestsOf(pod: Pod): PodRequests {
  const found = countedRequests(pod)
  const { cpu, memory } = found.usual
  return shared.of(JSON.stringify([...found.amounts, cpu, memory]), () => found)
}

function countedRequests(pod: Pod): PodRequests {
  const requests = podResourcesInUse(pod, 'requests')
  const amounts = amountsOf(requests)
  const extended = [...amounts].flatMap(([name, amount]) => (amount > 0 && mayBeOfClass(name) ? [name] : []))
  const hasOwn = Object.keys(pod.spec.resources?.requests ?? {}).some(isPodLevel)
  const missing = Object.entries(usualContainer).filter(([name]) => !hasOwn || !Object.hasOwn(requests, name))
  const { initContainers, containers } = pod.spec
  const isMissing = ({ resources }: Container) => missing.some(([name]) => !Object.hasOwn(resources?.requests ?? {}, name))
  const everything = [...(initContainers ?? []), ...(containers ?? [])]
  if (!everything.some(isMissing)) return { amounts, extended, usual: usualOf(amounts) }
  const filled = (container: Container): Container => ({
    ...container,
    resources: { ...container.resources, requests: { ...Object.fromEntries(missing), ...container.resources?.requests } }
  })
  const spec = { ...pod.spec, initContainers: initContainers?.map(filled), containers: (containers ?? []).map(filled) }
  return { amounts, extended, usual: usualOf(amountsOf(podResourcesInUse({ ...pod, spec }, 'requests'))) }
}

const usualOf = (amounts: Amounts) => ({ cpu: amounts.get('cpu') ?? 0, memory: amounts.get('memory') ?? 0 })
