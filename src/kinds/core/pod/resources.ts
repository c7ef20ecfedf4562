/** Sums up the resources that a Pod requests. */
import type { Container, Pod, PodSpec } from '../../../api/generated/core-v1.js'
import { addQuantities, compareQuantities } from '../../../util/quantity.js'

export type ResourceList = Record<string, string>

/** Whether the resource can be requested for the Pod itself, in place of its containers. */
export const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')

function add(list: ResourceList, more: Readonly<ResourceList> | undefined): void {
  for (const [name, amount] of Object.entries(more ?? {}))
    list[name] = Object.hasOwn(list, name) ? addQuantities(list[name]!, amount) : amount
}

function raise(list: ResourceList, floor: Readonly<ResourceList>): void {
  for (const [name, amount] of Object.entries(floor))
    if (!Object.hasOwn(list, name) || compareQuantities(amount, list[name]!) > 0) list[name] = amount
}

/**
 * Containers add up; init containers run one after the other, each beside the sidecars that started before it, so that the
 * greatest of them counts.
 */
export function containerResources(spec: PodSpec, which: 'requests' | 'limits'): ResourceList {
  const of = (container: Container) => container.resources?.[which]
  const total: ResourceList = {}
  for (const container of spec.containers ?? []) add(total, of(container))
  const sidecars: ResourceList = {}
  const initial: ResourceList = {}
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      add(total, of(container))
      add(sidecars, of(container))
      raise(initial, sidecars)
    } else {
      const beside = { ...sidecars }
      add(beside, of(container))
      raise(initial, beside)
    }
  }
  raise(total, initial)
  return total
}

/** Returns the requests or limits of the Pod, or else the sums of its containers'. */
export function podResources({ spec }: Pick<Pod, 'spec'>, which: 'requests' | 'limits'): ResourceList {
  const total = containerResources(spec, which)
  for (const [name, amount] of Object.entries(spec.resources?.[which] ?? {})) if (isPodLevel(name)) total[name] = amount
  return total
}

/** Adds the overhead of the runtime class. It is added only to limits that are set. */
export function podResourcesWithOverhead(pod: Pick<Pod, 'spec'>, which: 'requests' | 'limits'): ResourceList {
  const total = podResources(pod, which)
  const overhead = Object.entries(pod.spec.overhead ?? {})
  add(total, Object.fromEntries(overhead.filter(([name]) => which === 'requests' || Object.hasOwn(total, name))))
  return total
}
