import type { Stage } from '../chain/stages.js'
import type { RequestContext } from '../request/context.js'
import { ANONYMOUS } from '../request/user.js'
import { unauthorized } from '../status/status.js'
import type { AuthenticationResult } from './authenticator.js'
import type { Authenticator } from './union.js'

export function authenticationStage(authenticator: Authenticator): Stage {
  const accept = (context: RequestContext, result: AuthenticationResult) => {
    if (result === 'unauthorized') throw unauthorized()
    context.user = result.user
    if (result.user.name !== ANONYMOUS) context.request.onAuthenticated?.()
    for (const warning of result.warnings ?? []) context.warn(warning)
    return undefined
  }
  return {
    name: 'authentication',
    why: 'finds out who is asking; wrong credentials end here (401)',
    handle(context) {
      const { request } = context
      if (request.trustedUser) {
        context.user = request.trustedUser
        return undefined
      }
      const result = authenticator.authenticate({
        headers: { authorization: context.header('authorization') },
        peerCertificates: () => request.peerCertificates()
      })
      return result instanceof Promise ? result.then(r => accept(context, r)) : accept(context, result)
    }
  }
}
