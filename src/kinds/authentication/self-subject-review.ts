import type { SelfSubjectReview, UserInfo as ShownUser } from '../../api/generated/authentication-v1.js'
import { defineKind } from '../../registry/kind.js'
import type { UserInfo } from '../../request/user.js'
import { timestamp } from '../../util/time.js'

export const selfSubjectReview = defineKind<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authentication.v1.SelfSubjectReview' }],
  virtual: {
    async create(o: SelfSubjectReview, { user, now }, judge) {
      await judge(o)
      const { kind, apiVersion } = o
      return { kind, apiVersion, metadata: { creationTimestamp: timestamp(now) }, status: { userInfo: shownUser(user) } }
    }
  }
})

/** A user as reviews show it: what is empty is left out. */
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
