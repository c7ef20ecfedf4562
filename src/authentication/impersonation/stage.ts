import type { UnionAuthorizer } from '../../authorization/authorizer.js'
import { atTheDoor } from '../../authorization/refusal.js'
import { attributesOf } from '../../authorization/stage.js'
import type { Stage } from '../../chain/stages.js'
import type { RequestContext } from '../../request/context.js'
import { StatusError } from '../../status/status.js'
import { type WantedUser, wantedUser } from './headers.js'
import { Impersonation } from './impersonation.js'

export function impersonationStage(authorizer: Pick<UnionAuthorizer, 'authorize'>): Stage {
  const impersonation = new Impersonation(authorizer)
  const become = async (context: RequestContext, wanted: WantedUser) => {
    try {
      context.user = await impersonation.become(wanted, attributesOf(context))
    } catch (error) {
      throw error instanceof StatusError ? atTheDoor(error) : error
    }
    return undefined
  }
  return {
    name: 'impersonation',
    why: 'lets those who may act as somebody else (403 for others); from here on the request is that user’s',
    handle(context) {
      const { request } = context
      let wanted: WantedUser | undefined
      try {
        wanted = wantedUser(request.headers, () => request.rawHeaders())
      } catch (error) {
        throw error instanceof StatusError ? atTheDoor(error) : error
      }
      return wanted && become(context, wanted)
    }
  }
}
