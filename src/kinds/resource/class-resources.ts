/**
 * Extended resources that devices of a class provide:
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#extended-resource
 */
import type { DeviceClass, ResourceClaim } from '../../apimachinery/api/generated/resource-v1.js'
import { isExtendedResource } from '../core/resource-names.js'

/** The annotation of the claims that kube-scheduler makes for extended resources. */
export const extendedResourceClaim = 'resource.kubernetes.io/extended-resource-claim'

export const isForExtendedResources = ({ metadata }: ResourceClaim): boolean =>
  metadata.annotations?.[extendedResourceClaim] === 'true'

/** With the name of a class, a resource that every class provides. */
const prefix = 'deviceclass.resource.kubernetes.io/'

/** Whether a class may provide the resource. */
export const mayBeOfClass = (resource: string): boolean => isExtendedResource(resource) || resource.startsWith(prefix)

/** The resource that the class of a name provides, whatever else it says. */
export const implicitResource = (className: string): string => prefix + className

/** The names of the resources that the class provides. */
export const resourcesOf = ({ metadata, spec }: DeviceClass): string[] => [
  implicitResource(metadata.name!),
  ...(spec.extendedResourceName ? [spec.extendedResourceName] : [])
]

/** The class that provides a resource where several would: the newest, so that one class can take the place of another. */
export function chosenOf(classes: readonly DeviceClass[]): DeviceClass | undefined {
  const timeOf = ({ metadata }: DeviceClass) => Date.parse(metadata.creationTimestamp ?? '') || 0
  const [first] = classes.toSorted((a, b) => timeOf(b) - timeOf(a) || (a.metadata.name! < b.metadata.name! ? -1 : 1))
  return first
}
