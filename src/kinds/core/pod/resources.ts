/** Sums up the resources that a Pod requests. */
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from '../../../apimachinery/api/generated/core-v1.js'
import { addQuantities, compareQuantities } from '../../../util/quantity.js'

export type ResourceList = Record<string, string>
type Which = 'requests' | 'limits'

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
function sumUp(spec: PodSpec, of: (container: Container) => Readonly<ResourceList> | undefined): ResourceList {
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

export const containerResources = (spec: PodSpec, which: Which): ResourceList =>
  sumUp(spec, container => container.resources?.[which])

/**
 * Also takes into account what containers still have or were already given during a resize: the most counts, as the kubelet has yet to change what is less.
 * A resize that no node can do asks for nothing.
 */
function containerResourcesInUse({ spec, status }: Pod, which: Which): ResourceList {
  const statuses = new Map<string, ContainerStatus>()
  for (const of of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
    if (of.resources || of.allocatedResources) statuses.set(of.name, of)
  if (statuses.size === 0 && !isInfeasible(status)) return containerResources(spec, which)
  const asked = (container: Container) => (isInfeasible(status) ? undefined : container.resources?.[which])
  const allocated = (container: Container) =>
    (which === 'requests' ? statuses.get(container.name)?.allocatedResources : undefined) ?? asked(container)
  const total = sumUp(spec, asked)
  raise(total, sumUp(spec, allocated))
  raise(
    total,
    sumUp(spec, container => statuses.get(container.name)?.resources?.[which] ?? allocated(container))
  )
  return total
}

function isInfeasible({ conditions }: PodStatus): boolean {
  return conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible'
}

/** Returns the requests or limits of the Pod, or else the sums of its containers'. */
export const podResources = ({ spec }: Pick<Pod, 'spec'>, which: Which): ResourceList =>
  withOwn(containerResources(spec, which), spec, which)

/** What the Pod has for itself replaces the sums. */
function withOwn(total: ResourceList, spec: PodSpec, which: Which): ResourceList {
  for (const [name, amount] of Object.entries(spec.resources?.[which] ?? {})) if (isPodLevel(name)) total[name] = amount
  return total
}

/** With the overhead of the runtime class. */
export const podResourcesWithOverhead = (pod: Pick<Pod, 'spec'>, which: Which): ResourceList =>
  withOverhead(podResources(pod, which), pod.spec, which)

/** With what the containers still have or were already given during a resize, and the overhead of the runtime class. */
export const podResourcesInUse = (pod: Pod, which: Which): ResourceList =>
  withOverhead(withOwn(containerResourcesInUse(pod, which), pod.spec, which), pod.spec, which)

/** The overhead is added only to limits that are set. */
function withOverhead(total: ResourceList, spec: PodSpec, which: Which): ResourceList {
  const isSet = (name: string) => Object.hasOwn(total, name) && compareQuantities(total[name]!, '0') !== 0
  const overhead = Object.entries(spec.overhead ?? {})
  add(total, Object.fromEntries(overhead.filter(([name]) => which === 'requests' || isSet(name))))
  return total
}
