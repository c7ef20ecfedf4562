import type { RequestContext } from '../server/context.js'
import type { Stage } from '../server/handler-chain.js'
import { forbidden, forbiddenPath, StatusError } from '../server/status.js'
import { goQuote } from '../util/go-format.js'
import type { Attributes, Decision } from './authorizer.js'

export function attributesOf({ info, user }: RequestContext): Attributes {
  const { verb, isResourceRequest, group, version, resource, subresource, namespace, name, path } = info
  return { user, verb, isResourceRequest, group, version, resource, subresource, namespace, name, path }
}

/** kube-apiserver's, for refusals that come before any endpoint. */
const refusalHeaders = { 'x-content-type-options': 'nosniff' }

export function authorizationStage(authorizer: { authorize(a: Attributes): Decision | Promise<Decision> }): Stage {
  const check = (context: RequestContext, decision: Decision) => {
    if (!decision.allowed) throw new StatusError(refusal(attributesOf(context), decision.reason).status, refusalHeaders)
    return undefined
  }
  return {
    name: 'authorization',
    why: 'refuses what the user may not do (403), before the request is looked into any further',
    handle(context) {
      const decision = authorizer.authorize(attributesOf(context))
      return decision instanceof Promise ? decision.then(d => check(context, d)) : check(context, decision)
    }
  }
}

export function refusal(a: Attributes, reason: string) {
  const because = reason === '' ? '' : `: ${reason}`
  const user = `User ${goQuote(a.user.name)} cannot ${a.verb}`
  if (!a.isResourceRequest) return forbiddenPath(`${user} path ${goQuote(a.path)}${because}`)
  const resource = a.subresource === '' ? a.resource : `${a.resource}/${a.subresource}`
  const where = a.namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(a.namespace)}`
  return forbidden(
    { group: a.group, resource: a.resource },
    a.name,
    `${user} resource ${goQuote(resource)} in API group ${goQuote(a.group)} ${where}${because}`
  )
}
