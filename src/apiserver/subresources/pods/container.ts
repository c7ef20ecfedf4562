/** Finds the Pod and the container for a log or a stream. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { badRequest, notFound } from '../../../apimachinery/status/status.js'
import type { SubresourceRequest } from '../implementation.js'

export function findPod({ resource, namespace }: SubresourceRequest, name: string): Pod {
  const found = resource.get(namespace, name)
  if (!found) throw notFound({ group: '', resource: 'pods' }, name)
  return resource.parse(found)
}

/** Returns the name of the container that a request is for. Throws 400 when the Pod does not have it, and when it must be named. */
export function chosenContainer({ metadata: { name }, spec }: Pod, query: URLSearchParams): string {
  const containers = spec.containers ?? []
  const all = [...(spec.initContainers ?? []), ...containers, ...(spec.ephemeralContainers ?? [])].map(
    container => container.name
  )
  const wanted = query.get('container') ?? ''
  if (wanted !== '') {
    if (!all.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`)
    return wanted
  }
  if (containers.length === 1) return containers[0]!.name
  const choice = containers.length === 0 ? '' : `, choose one of: [${all.join(' ')}]`
  throw badRequest(`a container name must be specified for pod ${name}${choice}`)
}
