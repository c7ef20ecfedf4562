/** What the containers of a Pod ask of devices by extended resources, as requests of one claim. */
import type { Container, ContainerExtendedResourceRequest, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { DeviceRequest, ExactDeviceRequest } from '../../../apimachinery/api/generated/resource-v1.js'
import { integerValue, parseQuantity } from '../../../util/quantity.js'

export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[]
  /** Which requests the resources of each container stand for. */
  readonly mappings: readonly ContainerExtendedResourceRequest[]
}

/** A container, and its place among all of them, those for the start first. */
interface Placed {
  readonly container: Container
  readonly index: number
}

interface Made {
  readonly index: number
  readonly name: string
  readonly count: number
}

/** `classes`: the names of classes by the resources that they provide; what the Node has itself is not among them. */
export function extendedRequests({ spec }: Pod, classes: ReadonlyMap<string, string>): ExtendedRequests {
  const starting = spec.initContainers ?? []
  const all = [...starting, ...(spec.containers ?? [])].map((container, index): Placed => ({ container, index }))
  const ends = ({ container, index }: Placed) => index < starting.length && container.restartPolicy !== 'Always'
  const requests: DeviceRequest[] = []
  const mappings: ContainerExtendedResourceRequest[] = []
  for (const resource of [...classes.keys()].sort()) {
    const asking = all.filter(({ container }) => wantedBy(container, resource) > 0)
    const [lasting, passing] = [asking.filter(one => !ends(one)), asking.filter(ends)]
    const own = lasting.map(one => ({ ...nameOf(one, resource), count: wantedBy(one.container, resource) }))
    mappings.push(...lasting.map(({ container }, i) => mapping(container, resource, own[i]!)))
    const { largest, used } = reuse(passing, resource, own)
    mappings.push(...used)
    requests.push(...[...(largest ? [largest] : []), ...own].map(made => request(made, classes.get(resource)!)))
  }
  return { requests: requests.sort((a, b) => (a.name < b.name ? -1 : 1)), mappings }
}

/**
 * Containers that end before the others start use the devices of these. What they need beyond, they need one after the other: the largest request
 * serves them all.
 */
function reuse(passing: readonly Placed[], resource: string, own: readonly Made[]) {
  let largest: Made | undefined
  const names: { readonly container: Container; readonly made: Made | undefined }[] = []
  for (const one of passing) {
    let missing = wantedBy(one.container, resource)
    for (const made of own) {
      // a sidecar that has started before keeps its devices
      if (made.index < one.index || missing <= 0) continue
      missing -= made.count
      names.push({ container: one.container, made })
    }
    if (missing <= 0) continue
    if (missing > (largest?.count ?? 0)) largest = { ...nameOf(one, resource), count: missing }
    names.push({ container: one.container, made: undefined })
  }
  return { largest, used: names.map(({ container, made }) => mapping(container, resource, made ?? largest!)) }
}

const wantedBy = ({ resources }: Container, resource: string): number =>
  Number(integerValue(parseQuantity(resources?.requests?.[resource] ?? '0')))

/** Named by the places of the container and of the resource among all that it requests. */
const nameOf = ({ container, index }: Placed, resource: string) => ({
  index,
  name: `container-${index}-request-${Object.keys(container.resources!.requests!).sort().indexOf(resource)}`
})

const mapping = ({ name }: Container, resourceName: string, made: Made): ContainerExtendedResourceRequest => ({
  containerName: name,
  resourceName,
  requestName: made.name
})

const request = ({ name, count }: Made, deviceClassName: string): DeviceRequest => ({
  name,
  exactly: { deviceClassName, allocationMode: 'ExactCount', count } satisfies ExactDeviceRequest
})
