import type { RequestContext } from '../../../apimachinery/request/context.js'
import { forbidden, plainError } from '../../../apimachinery/status/status.js'
import { attributesOf } from '../../../auth/authorization/stage.js'
import type { SubresourceRequest } from '../implementation.js'

/**
 * Throws 403 for a GET that opens a stream without the permission to create one: browsers begin WebSockets with a GET, and the
 * permission to read a Pod must not be enough to run commands in it.
 */
export async function permitCreate({ operation }: SubresourceRequest, context: RequestContext): Promise<void> {
  const { authorizer, features } = operation.services
  const { verb, group, resource, name } = context.info
  if (verb === 'create' || !features.enabled('AuthorizePodWebsocketUpgradeCreatePermission')) return
  const { allowed, reason, error } = await authorizer.authorize({ ...attributesOf(context), verb: 'create' }, context)
  if (error !== undefined && !allowed) throw plainError(error)
  if (!allowed) throw forbidden({ group, resource }, name, reason)
}
