/** Finds the classes that one of the annotations marks as the default. */
import type { Resource } from '../../../registry/resource.js'
import type { Services } from '../../../registry/services.js'

export function annotatedDefaults(
  { registry }: Services,
  group: string,
  resourceName: string,
  annotations: readonly string[]
): any[] {
  const resource: Resource | undefined = registry.find(group, 'v1', resourceName)
  if (!resource) return []
  return [...resource.cache.range('')]
    .map(cached => resource.peek(cached))
    .filter(o => annotations.some(annotation => o.metadata.annotations?.[annotation] === 'true'))
}

/** Returns the newest object; of those created in the same second, the first by name. */
export function newest(objects: readonly any[]): any {
  return [...objects].sort(
    (a, b) =>
      b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp) || a.metadata.name.localeCompare(b.metadata.name)
  )[0]
}
