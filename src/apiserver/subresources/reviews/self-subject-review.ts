import type { SelfSubjectReview, UserInfo as ShownUser } from '../../../apimachinery/api/generated/authentication-v1.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { timestamp } from '../../../util/time.js'
import type { Implementation } from '../implementation.js'

/** Answers with the user of the request. */
export const selfSubjectReview: Implementation = {
  async create({ operation: { user, now }, validateAdmission }, o: SelfSubjectReview) {
    await validateAdmission(o)
    const { kind, apiVersion } = o
    return { kind, apiVersion, metadata: { creationTimestamp: timestamp(now) }, status: { userInfo: shownUser(user) } }
  }
}

/** Returns a user as reviews show it: without empty fields. */
export function shownUser({ name, uid, groups, extra }: UserInfo): ShownUser {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups: [...groups] } : {}),
    ...(extra && Object.keys(extra).length > 0
      ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }
      : {})
  }
}
