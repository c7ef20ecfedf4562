import type { AuthorizationAttributes, Decision, UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { InternalServerError } from '../../apimachinery/request/internal-server-error.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Handle, Stage } from '../../apimachinery/request/stage.js'
import { type LabelRequirement, shownRequirements } from '../../apimachinery/selectors/labels.js'
import type { SentLabelSelector } from '../../apimachinery/selectors/sent.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { AuthorizationAttempts } from './attempts.js'
import { atTheDoor, refusal } from './refusal.js'

export function attributesOf({ info, user }: RequestContext): AuthorizationAttributes {
  const { verb, isResourceRequest, group, version, resource, subresource, namespace, name, path } = info
  const fieldSelector = info.fieldSelector?.readable
  const question = { user, verb, isResourceRequest, group, version, resource, subresource, namespace, name, path, fieldSelector }
  return info.labelSelector ? withLabelSelector(question, info.labelSelector) : question
}

/** Adds the label selector to the question. It is parsed only when somebody asks for it, and only webhooks do. */
function withLabelSelector(question: AuthorizationAttributes, selector: SentLabelSelector): AuthorizationAttributes {
  let shown: readonly LabelRequirement[] | undefined
  return {
    ...question,
    get labelSelector() {
      shown ??= selector.readable && shownRequirements(selector.readable)
      return shown
    }
  }
}

export function authorizationStage(
  authorizer: Pick<UnionAuthorizer, 'authorize'>,
  attempts = new AuthorizationAttempts(new Metrics())
): Stage {
  return {
    name: 'authorization',
    why: 'refuses requests that the user may not make (403), or of which no authorizer could decide (500)',
    handle(context, next) {
      const began = context.enteredAt
      const decision = authorizer.authorize(attributesOf(context), context)
      if (!(decision instanceof Promise)) {
        context.enteredAt = attempts.decided(decision, began)
        return proceed(context, decision, next)
      }
      return context.record.time('authorization', decision).then(late => {
        context.enteredAt = attempts.decided(late, began)
        return proceed(context, late, next)
      })
    }
  }
}

function proceed(context: RequestContext, decision: Decision, next: Handle): Response | Promise<Response> {
  context.record.authorization = decision
  if (decision.allowed) return next(context)
  if (decision.error !== undefined) throw new InternalServerError(decision.error)
  throw atTheDoor(refusal(attributesOf(context), decision.reason))
}
