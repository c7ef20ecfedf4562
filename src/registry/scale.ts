/** The autoscaling/v1 Scale of an object, for the scale subresource. */
import type { Resource } from './resource.js'

export const scaleApiVersion = 'autoscaling/v1'

/** The replicas that a patch sees in a Scale whose spec has no replicas. */
export const noReplicas = -(2 ** 31)

export function scaleOf(resource: Resource, object: any): any {
  const definition = resource.kind.subresources!.scale!
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = definition.replicas(object)
  const selector = definition.selector(object)
  return {
    kind: 'Scale',
    apiVersion: scaleApiVersion,
    // a patch would see an undefined field as a field
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: definition.statusReplicas(object), ...(selector === '' ? {} : { selector }) }
  }
}
