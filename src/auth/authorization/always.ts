/** The authorization modes AlwaysAllow and AlwaysDeny, for tests. */
import type { Authorizer, Decision, UserRules } from '../../apimachinery/request/authorization.js'

const allowed: Decision = { allowed: true, reason: '' }
const refused: Decision = { allowed: false, reason: 'Everything is forbidden.' }

const everything: UserRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  problems: []
}
const nothing: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, problems: [] }

export const alwaysAllow: Authorizer = { authorize: () => allowed, rulesFor: () => everything }
export const alwaysDeny: Authorizer = { authorize: () => refused, rulesFor: () => nothing }
