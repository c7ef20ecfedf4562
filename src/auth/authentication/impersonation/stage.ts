import type { UnionAuthorizer } from '../../../apimachinery/request/authorization.js'
import type { Stage } from '../../../apimachinery/request/stage.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { atTheDoor } from '../../authorization/refusal.js'
import { attributesOf } from '../../authorization/stage.js'
import { ClassicImpersonation } from './classic.js'
import { wantedUser } from './headers.js'
import { type Impersonated, Impersonation } from './impersonation.js'
import type { ImpersonationMetrics } from './impersonation-metrics.js'

/** With `metrics`, impersonation may be constrained; without them, only the classic verb counts (gate ConstrainedImpersonation). */
export function impersonationStage(
  authorizer: Pick<UnionAuthorizer, 'authorize'>,
  metrics: ImpersonationMetrics | undefined
): Stage {
  const impersonation = metrics ? new Impersonation(authorizer, metrics) : new ClassicImpersonation(authorizer)
  return {
    name: 'impersonation',
    why: 'lets a user with permission act as another user (403 without); later stages see only the other user',
    handle(context, next) {
      const { request, record } = context
      let becoming: Promise<Impersonated> | undefined
      try {
        const wanted = wantedUser(request.headers, () => request.rawHeaders(), metrics !== undefined)
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
