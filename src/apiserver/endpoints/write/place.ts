/** The name and namespace of an object must be those of the path. */
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { EndpointRequest } from '../endpoint.js'

/** Fills in the path's namespace. Throws 400 for an object of another name or namespace. */
export function checkPlace({ context: { info }, resource }: EndpointRequest, { metadata }: KubeObject): void {
  checkNamespace(metadata, resource.namespaced, info.namespace)
  const { name } = metadata
  if (!name) throw badRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`)
  if (name !== info.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`)
}

/** Fills in the path's namespace, and throws 400 for another one. Drops the namespace of a cluster-scoped object. */
export function checkNamespace(meta: { namespace?: string | undefined }, namespaced: boolean, namespace: string): void {
  if (!namespaced) delete meta.namespace
  else if (!meta.namespace) meta.namespace = namespace
  else if (meta.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
