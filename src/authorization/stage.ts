import type { AuthorizationAttributes, Decision } from '../request/authorization.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import type { Handle, Stage } from '../request/stage.js'
import { readableFieldSelector } from '../selectors/fields.js'
import { atTheDoor, refusal } from './refusal.js'

export function attributesOf({ info, user }: RequestContext): AuthorizationAttributes {
  const { verb, isResourceRequest, group, version, resource, subresource, namespace, name, path } = info
  const fieldSelector = info.fieldSelector === '' ? undefined : readableFieldSelector(info.fieldSelector)
  return { user, verb, isResourceRequest, group, version, resource, subresource, namespace, name, path, fieldSelector }
}

export function authorizationStage(authorizer: { authorize(a: AuthorizationAttributes): Decision | Promise<Decision> }): Stage {
  return {
    name: 'authorization',
    why: 'refuses requests that the user may not make (403)',
    handle(context, next) {
      const decision = authorizer.authorize(attributesOf(context))
      if (!(decision instanceof Promise)) return proceed(context, decision, next)
      return context.record.time('authorization', decision).then(late => proceed(context, late, next))
    }
  }
}

function proceed(context: RequestContext, decision: Decision, next: Handle): Response | Promise<Response> {
  context.record.authorization = decision
  if (!decision.allowed) throw atTheDoor(refusal(attributesOf(context), decision.reason))
  return next(context)
}
