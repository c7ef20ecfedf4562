import type { Stage } from '../chain/stages.js'
import type { RequestContext } from '../request/context.js'
import { readableFieldSelector } from '../selectors/fields.js'
import type { Attributes, Decision } from './authorizer.js'
import { atTheDoor, refusal } from './refusal.js'

export function attributesOf({ info, user }: RequestContext): Attributes {
  const { verb, isResourceRequest, group, version, resource, subresource, namespace, name, path } = info
  const fieldSelector = info.fieldSelector === '' ? undefined : readableFieldSelector(info.fieldSelector)
  return { user, verb, isResourceRequest, group, version, resource, subresource, namespace, name, path, fieldSelector }
}

export function authorizationStage(authorizer: { authorize(a: Attributes): Decision | Promise<Decision> }): Stage {
  const check = (context: RequestContext, decision: Decision) => {
    if (!decision.allowed) throw atTheDoor(refusal(attributesOf(context), decision.reason))
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
