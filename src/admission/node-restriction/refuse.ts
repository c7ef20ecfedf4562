import { forbidden, notFound, type StatusError } from '../../apimachinery/status/status.js'
import type { AdmissionAttributes } from '../admission.js'

/** Throws a StatusError when the kubelet of `node` must not do what it asks for. */
export type Check = (node: string, attributes: AdmissionAttributes) => void | Promise<void>

export const refuse = ({ resource, name, object }: AdmissionAttributes, why: string): StatusError =>
  forbidden(resource.groupResource, name || object?.metadata.generateName || 'Unknown', why)

/** Returns an object that a check needs. The 404 for a missing object names its kind, as client-go's listers do. */
export function lookUp(
  { context }: AdmissionAttributes,
  [group, resource, kind]: readonly [string, string, string],
  namespace: string,
  name: string
): any {
  const found = context.services.registry.find(group, 'v1', resource)
  const object = found?.get(namespace, name)
  if (!object) throw notFound({ group, resource: kind }, name)
  return found!.peek(object)
}

export const pods = ['', 'pods', 'pod'] as const
export const nodes = ['', 'nodes', 'node'] as const
