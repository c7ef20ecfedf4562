import type { RequestContext } from '../server/context.js'
import type { Stage } from '../server/handler-chain.js'
import { StatusError } from '../server/status.js'
import type { Attributes, Decision } from './authorizer.js'
import { refusal } from './refusal.js'

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
