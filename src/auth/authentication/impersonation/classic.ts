/** Impersonation as it was before it could be constrained: all that counts is the verb `impersonate`. */

import { type AuthorizationAttributes, aboutResource, type UnionAuthorizer } from '../../../apimachinery/request/authorization.js'
import { refusal } from '../../authorization/refusal.js'
import { authenticationGroup, becomeUser, type Demand } from './checks.js'
import type { WantedUser } from './headers.js'
import type { Impersonated } from './impersonation.js'

const verb = 'impersonate'

export class ClassicImpersonation {
  readonly #authorizer: Pick<UnionAuthorizer, 'authorize'>

  constructor(authorizer: Pick<UnionAuthorizer, 'authorize'>) {
    this.#authorizer = authorizer
  }

  /** Returns the impersonated user. Throws a 403. */
  async become(wanted: WantedUser, { user: requester }: AuthorizationAttributes): Promise<Impersonated> {
    const demand: Demand = async asked => {
      // users and groups have no version
      const question = asked.group === '' ? { ...asked, version: '' } : asked
      const { allowed, reason } = await this.#authorizer.authorize(question)
      if (!allowed) throw refusal(question, reason)
    }
    const { uid } = wanted
    const user = await becomeUser(demand, verb, false, { ...wanted, uid: '' }, requester)
    // the UID is asked for last, which decides the refusal that is seen
    if (uid !== '')
      await demand(
        aboutResource({ user: requester, verb, group: authenticationGroup, version: 'v1', resource: 'uids', name: uid })
      )
    return { user: { ...user, uid }, constraint: '' }
  }
}
