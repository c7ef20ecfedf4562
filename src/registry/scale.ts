/** What the scale subresource shows of an object: an autoscaling/v1 Scale. */
import type { Resource } from './resource.js'

export const scaleApiVersion = 'autoscaling/v1'

/** The replicas that a patch sees in an object that does not say how many it wants. */
export const noReplicas = -(2 ** 31)

export function scaleOf(resource: Resource, object: any): any {
  const definition = resource.kind.subresources!.scale!
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = definition.replicas(object)
  const selector = definition.selector(object)
  return {
    kind: 'Scale',
    apiVersion: scaleApiVersion,
    // patches are made on it: a field that is undefined would be one
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: definition.statusReplicas(object), ...(selector === '' ? {} : { selector }) }
  }
}
