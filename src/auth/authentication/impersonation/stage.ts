import type { UnionAuthorizer } from '../../../apimachinery/request/authorization.js'
import type { Stage } from '../../../apimachinery/request/stage.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { atTheDoor } from '../../authorization/refusal.js'
import { attributesOf } from '../../authorization/stage.js'
import { wantedUser } from './headers.js'
import { Impersonation } from './impersonation.js'
import type { ImpersonationMetrics } from './impersonation-metrics.js'

export function impersonationStage(authorizer: Pick<UnionAuthorizer, 'authorize'>, metrics: ImpersonationMetrics): Stage {
  const impersonation = new Impersonation(authorizer, metrics)
  return {
    name: 'impersonation',
    why: 'lets a user with permission act as another user (403 without); later stages see only the other user',
    handle(context, next) {
      const { request, record } = context
      let becoming: ReturnType<Impersonation['become']> | undefined
      try {
        const wanted = wantedUser(request.headers, () => request.rawHeaders())
        becoming = wanted && impersonation.become(wanted, attributesOf(context))
      } catch (error) {
        throw refused(error)
      }
      if (!becoming) return next(context)
      return record.time('impersonation', becoming).then(
        ({ user, constraint }) => {
          context.user = record.impersonated = user
          record.impersonationConstraint = constraint
          return next(context)
        },
        error => {
          throw refused(error)
        }
      )
    }
  }
}

const refused = (error: unknown) => (error instanceof StatusError ? atTheDoor(error) : error)
